package org.gridmpj.transport.log;

/** Hears what becomes of ranks that go back alone; under the progress lock, from which it must not block for long. */
public interface RecoveryListener {
    /** A rank that went back alone does not do what it did before, or the logs cannot serve it: all must go back. */
    void diverged(String what);

    /**
     * This rank, which went back alone, has sent again all that the others had of it.
     *
     * @param nextEpoch no rank has heard of this epoch or a later one
     */
    void caughtUp(int nextEpoch);

    /** The log could not be kept: until a snapshot after this epoch is committed no rank can go back alone. */
    void logLost(int latestEpoch, String why);
}
