package org.gridmpj.transport.log;

/**
 * What the logs ask the engine, which knows its operations by peer, context and number: the tokens that name them on the
 * wire are another process's affair when a rank has gone back. Under the progress lock.
 */
public interface EngineView {
    /** Whether a message with this number has been started to a peer. */
    boolean hasStarted(int peerRank, long contextId, long messageId);

    /** Token of a send that waits for an answer; 0 if there is none. */
    long sendToken(int peerRank, long contextId, long messageId);

    /** Token of a receive that has been matched with a rendezvous message and waits for its data; 0 if there is none. */
    long receiveToken(int peerRank, long contextId, long messageId);

    /** Whether a rendezvous message has been announced and no receive has taken it yet. */
    boolean isAnnounced(int peerRank, long contextId, long messageId);

    /** The highest epoch that this rank has heard of. */
    int latestEpoch();

    /** What this rank's operations of any source got before it went back is known: what is here may be matched. */
    void outcomesAreKnown();
}
