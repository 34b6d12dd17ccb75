package org.gridmpj.pt2pt;

import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.log.Outcomes;
import org.jspecify.annotations.Nullable;

/**
 * What the engine of one rank holds at a cut, as plain data: one graph with the program, whose arrays and requests it
 * refers to. Transport, lock, threads and this process's own objects are tokens.
 *
 * @param counters by peer
 * @param finalized by peer: whether it has called Finalize
 * @param hosts by peer: the number of its host when the job began
 * @param active operations under way, oldest first, and completed receives that the program has not seen
 * @param posted receives without a message
 * @param unexpected messages without a receive, in order of arrival
 * @param arriving frames whose payload was half here
 * @param table names of operations that peers know
 * @param schedules collectives under way
 * @param bufferedCapacityBytes attached for buffered sends, −1 for none
 * @param bufferedUsedBytes of that, with messages on their way
 * @param calls number of MPI calls so far
 * @param journalThreads names of the threads whose calls are to be entered again
 * @param journals their steps
 * @param serializationBufferBytes size that permanent serialization buffers begin with
 * @param alone whether this rank leaves its process alone, so that its channels go on where they are
 * @param abandonedEpoch the last that was abandoned, −1 for none: a marker of it may still come to a rank that has left alone
 * @param passedEpoch the last of which this rank has made its cut or heard that it is abandoned, −1 for none
 * @param waiting frames that wait for room, if it is alone: else they are before the marker
 * @param outcomes numbers of what operations of any source got, where that is recorded
 */
@SuppressWarnings("ArrayRecordComponent") // plain data of an image, compared by nobody
record EngineState(
        MessageCounters[] counters,
        boolean[] finalized,
        int[] hosts,
        OperationRecord[] active,
        PostedReceiveQueue posted,
        Unexpected[] unexpected,
        Arriving[] arriving,
        OperationTable table,
        Request[] schedules,
        long bufferedCapacityBytes,
        long bufferedUsedBytes,
        long calls,
        String[] journalThreads,
        CallJournal[] journals,
        int serializationBufferBytes,
        boolean alone,
        int abandonedEpoch,
        int passedEpoch,
        Waiting[] waiting,
        Outcomes.@Nullable Counters outcomes) {

    /** A frame that waits for room on its way to a peer. */
    @SuppressWarnings("ArrayRecordComponent") // plain data of an image, compared by nobody
    record Waiting(int peerRank, FrameHeader header, byte[] payload) {}

    /**
     * A message of the unexpected queue.
     *
     * @param payload what is here of it
     * @param arrived whether that is all
     * @param receiver the receive that has taken it while it was arriving
     * @param selfSender the own send that still has its data
     */
    @SuppressWarnings("ArrayRecordComponent") // plain data of an image, compared by nobody
    record Unexpected(
            FrameHeader header,
            byte[] payload,
            boolean arrived,
            @Nullable OperationRecord receiver,
            @Nullable OperationRecord selfSender) {}

    /**
     * A frame of which the in-flight log has the rest, or all.
     *
     * @param receive the operation that it is poured into, or null
     * @param unexpected the message that it is poured into, or null
     * @param queueIndex index of that message in the unexpected queue, −1 if a receive has taken it already
     * @param again whether it comes anew from its first byte: this rank has moved, and the peer has yet to send it again
     */
    record Arriving(
            int peerRank,
            @Nullable OperationRecord receive,
            @Nullable Unexpected unexpected,
            int queueIndex,
            boolean again) {}
}
