package org.gridmpj.comm;

/**
 * What the creation of communicators needs of collective communication; implemented above this package and handed in.
 */
@FunctionalInterface
public interface CreationExchange {
    /**
     * Gives each process the values of all, by rank; collective over an intracommunicator, blocks until all have called.
     *
     * @param values this process's own; lengths may differ, also be 0
     */
    long[][] allgather(Communicator communicator, long[] values);
}
