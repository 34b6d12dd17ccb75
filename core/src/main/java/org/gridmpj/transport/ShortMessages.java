package org.gridmpj.transport;

import java.lang.foreign.MemorySegment;

/**
 * What a peer has sent, where it lies in memory that both processes share, or where a connection has brought it: who waits for a
 * short message takes it from there, without a round of {@link Transport#poll}. Confined to the holder of the progress lock.
 *
 * <pre>
 *   look ──▶ NOTHING   not yet
 *        ──▶ OTHER     what is next is no such message, or the channel has to see to something: poll
 *        ──▶ length    header, memory and payloadOffset say what it is; it is still there
 *                         ├─▶ taken:  the next one is next
 *                         └─▶ poll:   delivered to the {@link FrameSink} as any other frame
 * </pre>
 */
public interface ShortMessages {
    /** Nothing has come yet. */
    int NOTHING = -1;

    /** What is next is for {@link Transport#poll}. */
    int OTHER = -2;

    /** Longest payload of a message that can be found so. */
    int longestBytes();

    /** Whether a look is a look at memory; else it is a call of the system, and may take a long message out of its way. */
    boolean isFree();

    /** Length in bytes of the next message's payload if it is a whole eager one; else NOTHING or OTHER. */
    int look();

    /** The header of the message that was just found. */
    FrameHeader header();

    /** Where its payload lies. */
    MemorySegment memory();

    /** First byte of its payload there. */
    long payloadOffset();

    /** The message that was just found has been delivered. */
    void taken();
}
