package org.gridmpj.testkit;

import org.gridmpj.coll.BlockingCollectives;
import org.gridmpj.coll.Collectives;
import org.gridmpj.datatype.Reducer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.Request;
import org.jspecify.annotations.Nullable;

/**
 * How a case's calls are made: as requests, or, where blocking is not null and has the call, by blocking calls that are over
 * when their request is returned.
 */
record CallWay(Collectives requests, @Nullable BlockingCollectives blocking) {
    private static final class Done extends Request {
        @Override
        public boolean isComplete() {
            return true;
        }

        @Override
        public boolean isActive() {
            return false;
        }

        @Override
        public MessageStatus status() {
            return new MessageStatus();
        }

        @Override
        protected void advance() {}
    }

    Request barrier() {
        if (blocking == null) {
            return requests.barrier();
        }
        blocking.barrier(null);
        return new Done();
    }

    Request bcast(Object buffer, int offset, int count, TypeMap type, int root) {
        if (blocking == null) {
            return requests.bcast(buffer, offset, count, type, root);
        }
        blocking.bcast(null, buffer, offset, count, type, root);
        return new Done();
    }

    Request gather(
            Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType,
            int root) {
        if (blocking == null) {
            return requests.gather(
                    send, sendOffset, sendCount, sendType, receive, receiveOffset, receiveCount, receiveType, root);
        }
        blocking.gather(
                null, send, sendOffset, sendCount, sendType, receive, receiveOffset, receiveCount, receiveType, root);
        return new Done();
    }

    Request reduce(
            Object send,
            int sendOffset,
            Object receive,
            int receiveOffset,
            int count,
            TypeMap type,
            Reducer op,
            int root) {
        if (blocking == null) {
            return requests.reduce(send, sendOffset, receive, receiveOffset, count, type, op, root);
        }
        blocking.reduce(null, send, sendOffset, receive, receiveOffset, count, type, op, root);
        return new Done();
    }

    Request allgather(
            Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType) {
        if (blocking == null) {
            return requests.allgather(
                    send, sendOffset, sendCount, sendType, receive, receiveOffset, receiveCount, receiveType);
        }
        blocking.allgather(
                null, send, sendOffset, sendCount, sendType, receive, receiveOffset, receiveCount, receiveType);
        return new Done();
    }

    Request allgatherv(
            Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            Object receive,
            int receiveOffset,
            int[] receiveCounts,
            int[] displacements,
            TypeMap receiveType) {
        if (blocking == null) {
            return requests.allgatherv(
                    send,
                    sendOffset,
                    sendCount,
                    sendType,
                    receive,
                    receiveOffset,
                    receiveCounts,
                    displacements,
                    receiveType);
        }
        blocking.allgatherv(
                null,
                send,
                sendOffset,
                sendCount,
                sendType,
                receive,
                receiveOffset,
                receiveCounts,
                displacements,
                receiveType);
        return new Done();
    }

    Request reduceScatter(
            Object send,
            int sendOffset,
            Object receive,
            int receiveOffset,
            int[] receiveCounts,
            TypeMap type,
            Reducer op) {
        if (blocking == null) {
            return requests.reduceScatter(send, sendOffset, receive, receiveOffset, receiveCounts, type, op);
        }
        blocking.reduceScatter(null, send, sendOffset, receive, receiveOffset, receiveCounts, type, op);
        return new Done();
    }

    Request alltoall(
            Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType) {
        if (blocking == null) {
            return requests.alltoall(
                    send, sendOffset, sendCount, sendType, receive, receiveOffset, receiveCount, receiveType);
        }
        blocking.alltoall(
                null, send, sendOffset, sendCount, sendType, receive, receiveOffset, receiveCount, receiveType);
        return new Done();
    }

    Request alltoallv(
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
        if (blocking == null) {
            return requests.alltoallv(
                    send,
                    sendOffset,
                    sendCounts,
                    sendDisplacements,
                    sendType,
                    receive,
                    receiveOffset,
                    receiveCounts,
                    receiveDisplacements,
                    receiveType);
        }
        blocking.alltoallv(
                null,
                send,
                sendOffset,
                sendCounts,
                sendDisplacements,
                sendType,
                receive,
                receiveOffset,
                receiveCounts,
                receiveDisplacements,
                receiveType);
        return new Done();
    }

    Request allreduce(
            Object send, int sendOffset, Object receive, int receiveOffset, int count, TypeMap type, Reducer op) {
        if (blocking == null) {
            return requests.allreduce(send, sendOffset, receive, receiveOffset, count, type, op);
        }
        blocking.allreduce(null, send, sendOffset, receive, receiveOffset, count, type, op);
        return new Done();
    }
}
