package org.gridmpj.transport.gridtcp;

/** What Netty's threads, and the one that reads the control connection, tell the poller. */
sealed interface ConnectionEvent {
    /** A peer that knows the secret has dialed and said its hello, which is to be answered. */
    record Accepted(Link link, Hello hello) implements ConnectionEvent {}

    /** A dialed peer has answered the hello. */
    record Dialed(int peerRank, int attempt, Link link, Hello hello) implements ConnectionEvent {}

    /** A peer could not be dialed, or broke off before it answered. */
    record NotDialed(int peerRank, int attempt, String reason) implements ConnectionEvent {}

    /** A peer has something for this rank, whose turn it is to dial. */
    record Knocked(int peerRank) implements ConnectionEvent {}

    /** A peer has called Finalize that had never had anything for this rank. */
    record SaidGoodbye(int peerRank) implements ConnectionEvent {}
}
