package org.gridmpj.testkit;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/**
 * One direction between two ranks: a bounded queue of frames, each in pieces.
 *
 * <p>Locked by itself, since sender and receiver each hold only their own progress lock. The sender's calls read payloads,
 * the receiver's pour them.
 */
final class InMemoryChannel implements Endpoint {
    /** A frame on its way. */
    private static final class Frame {
        final FrameHeader header = new FrameHeader();

        @Nullable
        PayloadSource source;

        byte[] bytes = new byte[0];
        MemorySegment segment = MemorySegment.ofArray(bytes);
        /** Bytes copied from the sender. */
        long filled;
        /** Bytes given to the receiver. */
        long poured;
        /** The first byte in the buffer: a long payload passes through it piece by piece. */
        long base;

        boolean begun;

        @Nullable
        PayloadSink sink;
    }

    private final InMemoryTransport receiver;
    private final int senderRank;
    private final InMemoryTransport sender;
    private final InMemoryNetwork.Behaviour behaviour;

    /** Guarded by itself; also every frame in it. */
    private final ArrayDeque<Frame> frames = new ArrayDeque<>();

    private final ArrayDeque<Frame> pool = new ArrayDeque<>();
    private boolean closed;
    private long messages;
    private long payloadBytes;

    InMemoryChannel(
            InMemoryTransport sender, int senderRank, InMemoryTransport receiver, InMemoryNetwork.Behaviour behaviour) {
        this.sender = sender;
        this.senderRank = senderRank;
        this.receiver = receiver;
        this.behaviour = behaviour;
    }

    @Override
    public Offer offer(FrameHeader header, PayloadSource payload) {
        boolean copied;
        synchronized (frames) {
            if (closed) {
                return Offer.CLOSED;
            }
            if (frames.size() >= behaviour.frameCapacity()) {
                return Offer.BACK_PRESSURED;
            }
            Frame frame = pool.isEmpty() ? new Frame() : pool.removeLast();
            frame.header.set(header);
            frame.source = payload;
            frame.filled = 0;
            frame.poured = 0;
            frame.base = 0;
            frame.begun = false;
            frame.sink = null;
            copied = header.payloadBytes <= behaviour.copiedLimitBytes();
            int room = (int) (copied ? header.payloadBytes : behaviour.pieceBytes());
            if (frame.bytes.length < room) {
                frame.bytes = new byte[Math.max(room, behaviour.copiedLimitBytes())];
                frame.segment = MemorySegment.ofArray(frame.bytes);
            }
            if (copied) {
                if (room > 0) {
                    payload.read(0, frame.segment, 0, room);
                }
                frame.filled = room;
                frame.source = null;
            }
            frames.addLast(frame);
            boolean message = header.kind == FrameKind.EAGER
                    || header.kind == FrameKind.EAGER_SYNC
                    || header.kind == FrameKind.RTS;
            messages += message ? 1 : 0;
            payloadBytes += header.payloadBytes;
        }
        if (copied) {
            payload.released();
        }
        receiver.wakeup();
        return Offer.ACCEPTED;
    }

    InMemoryNetwork.Traffic traffic() {
        synchronized (frames) {
            return new InMemoryNetwork.Traffic(messages, payloadBytes);
        }
    }

    @Override
    public int copiedPayloadLimitBytes() {
        return behaviour.copiedLimitBytes();
    }

    /** The sender's poll: puts the next piece of the first long payload in the buffer; whether it did. */
    boolean pump() {
        PayloadSource finished = null;
        synchronized (frames) {
            Frame frame = null;
            for (Frame each : frames) {
                if (each.source != null) {
                    frame = each;
                    break;
                }
            }
            PayloadSource source = frame == null ? null : frame.source;
            if (frame == null || source == null || frame.poured < frame.filled) {
                return false;
            }
            int length = (int) Math.min(behaviour.pieceBytes(), frame.header.payloadBytes - frame.filled);
            source.read(frame.filled, frame.segment, 0, length);
            frame.base = frame.filled;
            frame.filled += length;
            if (frame.filled == frame.header.payloadBytes) {
                frame.source = null;
                finished = source;
            }
        }
        if (finished != null) {
            finished.released();
        }
        receiver.wakeup();
        return true;
    }

    /** The receiver's poll: delivers up to so many pieces; whether it did anything. */
    boolean deliver(FrameSink sink, int pieces) {
        boolean any = false;
        for (int i = 0; i < pieces && step(sink); i++) {
            any = true;
        }
        if (any) {
            sender.wakeup();
        }
        return any;
    }

    private boolean step(FrameSink sink) {
        Frame frame;
        long available;
        synchronized (frames) {
            frame = frames.peekFirst();
            if (frame == null) {
                return false;
            }
            available = frame.filled;
        }
        PayloadSink target = frame.sink;
        if (!frame.begun) {
            target = sink.onFrame(senderRank, frame.header);
            frame.begun = true;
            frame.sink = target;
        }
        long poured = frame.poured;
        int length = (int) Math.min(behaviour.pieceBytes(), available - poured);
        if (length == 0 && poured < frame.header.payloadBytes) {
            return false;
        }
        if (length > 0 && target != null) {
            target.write(poured, frame.segment, poured - frame.base, length);
        }
        boolean whole = poured + length == frame.header.payloadBytes;
        if (whole && target != null) {
            sink.onFrameComplete(senderRank, frame.header, target);
        }
        synchronized (frames) {
            frame.poured = poured + length;
            if (whole) {
                frames.removeFirst();
                frame.sink = null;
                if (pool.size() < behaviour.frameCapacity()) {
                    pool.addLast(frame);
                }
            }
        }
        return true;
    }

    boolean isEmpty() {
        synchronized (frames) {
            return frames.isEmpty();
        }
    }

    void close() {
        synchronized (frames) {
            closed = true;
        }
    }
}
