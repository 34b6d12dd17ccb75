package org.gridmpj.transport.gridtcp;

/** What Netty's threads tell the poller. */
sealed interface ConnectionEvent {
    /** A peer that knows the secret has dialed and said its hello, which is to be answered. */
    record Accepted(Link link, Hello hello) implements ConnectionEvent {}

    /** A dialed peer has answered the hello. */
    record Dialed(int peerRank, int attempt, Link link, Hello hello) implements ConnectionEvent {}

    /** A peer could not be dialed, or broke off before it answered. */
    record NotDialed(int peerRank, int attempt, String reason) implements ConnectionEvent {}
}
