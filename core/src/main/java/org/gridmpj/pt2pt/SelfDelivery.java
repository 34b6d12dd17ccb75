package org.gridmpj.pt2pt;

import java.lang.foreign.MemorySegment;
import org.gridmpj.datatype.MessageBuffer;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a rank to itself: matched like any other, copied without a transport. A synchronous send, and one too long
 * to be set aside, waits in the unexpected queue with its data still in the user's array; all others are copied there, so
 * that a Send to oneself before its Recv does not hang.
 *
 * <p>Guarded by the progress lock.
 */
final class SelfDelivery {
    private static final int CHUNK_BYTES = 64 << 10;
    private static final long SET_ASIDE_LIMIT_BYTES = Integer.MAX_VALUE - 64;

    private final int worldRank;
    private final MatchingEngine matching;
    private final UnexpectedPool pool;
    private final ActiveOperations operations;
    private final ProgressEngine progress;
    private final FrameHeader header = new FrameHeader();
    private @Nullable MemorySegment chunk;

    SelfDelivery(
            int worldRank,
            MatchingEngine matching,
            UnexpectedPool pool,
            ActiveOperations operations,
            ProgressEngine progress) {
        this.worldRank = worldRank;
        this.matching = matching;
        this.pool = pool;
        this.operations = operations;
        this.progress = progress;
    }

    void send(OperationRecord send) {
        MessageBuffer data = send.attachedBuffer();
        header.clear();
        header.sourceRank = worldRank;
        header.contextId = send.contextId;
        header.tag = send.tag;
        header.typeCode = data.typeCode();
        header.flags = data.flags();
        header.count = data.elementCount();
        header.messageBytes = data.messageBytes();
        header.messageId = send.messageId;
        OperationRecord receive = matching.arrive(worldRank, header);
        if (receive != null) {
            transfer(header, send, receive);
            return;
        }
        boolean waits = send.mode == SendMode.SYNCHRONOUS || header.messageBytes > SET_ASIDE_LIMIT_BYTES;
        UnexpectedMessage message = pool.take(header, worldRank, waits ? 0 : header.messageBytes);
        matching.keep(message);
        if (waits) {
            message.selfSender = send;
            message.arrived = true;
            progress.completed(null);
        } else {
            if (header.messageBytes > 0) {
                data.read(0, message.payload(), 0, (int) header.messageBytes);
            }
            message.arrived = true;
            operations.complete(send);
        }
    }

    /** Copies from the array of the one operation to that of the other; both are complete then. */
    void transfer(FrameHeader envelope, OperationRecord send, OperationRecord receive) {
        receive.matchedWith(worldRank, envelope);
        MpiFailure failure = receive.attachedBuffer().expect(envelope.messageBytes, envelope.count, envelope.flags);
        if (failure == null) {
            copy(send, receive, envelope.messageBytes);
        } else {
            receive.setFailure(ReceiveSide.explained(failure, receive));
        }
        operations.complete(receive);
        operations.complete(send);
    }

    private void copy(OperationRecord send, OperationRecord receive, long lengthBytes) {
        MemorySegment between = chunk;
        if (between == null) {
            between = MemorySegment.ofArray(new byte[CHUNK_BYTES]);
            chunk = between;
        }
        for (long position = 0; position < lengthBytes; position += CHUNK_BYTES) {
            int length = (int) Math.min(CHUNK_BYTES, lengthBytes - position);
            send.read(position, between, 0, length);
            receive.write(position, between, 0, length);
        }
    }
}
