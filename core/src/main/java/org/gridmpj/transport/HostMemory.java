package org.gridmpj.transport;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Memory that several ranks of one host map, beside the links between them: what a transport offers that has such links
 * itself. Nobody is told of what is written there, and no channel numbers it: who uses it sees to snapshots.
 */
public interface HostMemory {
    /** Length of what says where memory is to be found. */
    int PLACE_NUMBERS = 4;

    /** Memory that this rank has created and nobody else knows of yet. */
    interface Created {
        /** The memory, all zero. It lasts as long as somebody refers to it, in whatever process. */
        MemorySegment memory();

        /** What {@link HostMemory#attach} needs; {@link #PLACE_NUMBERS} numbers. */
        long[] place();

        /** Those that wanted it have it: from here on it cannot be found any more. Idempotent. */
        void hide();
    }

    /**
     * Creates memory without a name: none of it stays behind, however the processes end.
     *
     * @throws IOException if there is no room for it
     */
    Created create(long bytes) throws IOException;

    /**
     * Maps what a rank of this host has created.
     *
     * @throws IOException if it is not to be had: another host's, another user's, or hidden
     */
    MemorySegment attach(long[] place) throws IOException;

    /** Whether a rank can be nudged. Under the progress lock. */
    boolean isAtHand(int worldRank);

    /** Ends the {@link Transport#await} of a rank that is {@link #isAtHand}, now or when it comes to it. Under the progress lock. */
    void nudge(int worldRank);
}
