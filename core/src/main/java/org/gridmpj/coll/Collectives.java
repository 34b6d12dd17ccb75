package org.gridmpj.coll;

import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.Reducer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.Request;

/**
 * The collective operations of one communicator, intra or inter (MPI standard, chapter 6). Each starts a resumable
 * schedule; a blocking call waits for it with {@code pointToPoint().await}. Arguments are checked by the facade.
 */
public final class Collectives {
    /** The operations of a communicator. */
    public static Collectives of(Communicator communicator) {
        throw new IllegalStateException("skeleton");
    }

    public Request barrier() {
        throw new IllegalStateException("skeleton");
    }

    public Request bcast(Object buffer, int offset, int count, TypeMap type, int root) {
        throw new IllegalStateException("skeleton");
    }

    public Request gather(
            Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType,
            int root) {
        throw new IllegalStateException("skeleton");
    }

    public Request gatherv(
            Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            Object receive,
            int receiveOffset,
            int[] receiveCounts,
            int[] displacements,
            TypeMap receiveType,
            int root) {
        throw new IllegalStateException("skeleton");
    }

    public Request scatter(
            Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType,
            int root) {
        throw new IllegalStateException("skeleton");
    }

    public Request scatterv(
            Object send,
            int sendOffset,
            int[] sendCounts,
            int[] displacements,
            TypeMap sendType,
            Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType,
            int root) {
        throw new IllegalStateException("skeleton");
    }

    public Request allgather(
            Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType) {
        throw new IllegalStateException("skeleton");
    }

    public Request allgatherv(
            Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            Object receive,
            int receiveOffset,
            int[] receiveCounts,
            int[] displacements,
            TypeMap receiveType) {
        throw new IllegalStateException("skeleton");
    }

    public Request alltoall(
            Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType) {
        throw new IllegalStateException("skeleton");
    }

    public Request alltoallv(
            Object send,
            int sendOffset,
            int[] sendCounts,
            int[] sendDisplacements,
            TypeMap sendType,
            Object receive,
            int receiveOffset,
            int[] receiveCounts,
            int[] receiveDisplacements,
            TypeMap receiveType) {
        throw new IllegalStateException("skeleton");
    }

    public Request reduce(
            Object send,
            int sendOffset,
            Object receive,
            int receiveOffset,
            int count,
            TypeMap type,
            Reducer op,
            int root) {
        throw new IllegalStateException("skeleton");
    }

    public Request allreduce(
            Object send, int sendOffset, Object receive, int receiveOffset, int count, TypeMap type, Reducer op) {
        throw new IllegalStateException("skeleton");
    }

    public Request reduceScatter(
            Object send,
            int sendOffset,
            Object receive,
            int receiveOffset,
            int[] receiveCounts,
            TypeMap type,
            Reducer op) {
        throw new IllegalStateException("skeleton");
    }

    public Request scan(
            Object send, int sendOffset, Object receive, int receiveOffset, int count, TypeMap type, Reducer op) {
        throw new IllegalStateException("skeleton");
    }

    public Request exscan(
            Object send, int sendOffset, Object receive, int receiveOffset, int count, TypeMap type, Reducer op) {
        throw new IllegalStateException("skeleton");
    }
}
