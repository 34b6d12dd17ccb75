package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What numbering, checksum, fencing and retention cost, ns for a message from offer to delivery in one thread: the channel,
 * by a connection's bytes and by shared memory's short frames, against a bare link that only copies header and payload to
 * the same memory and out of it. The difference by the time of a message on the same link is the share of the target.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class ChannelBenchmark {
    @Param({"8", "1024", "8192", "65536"})
    int payloadBytes;

    private final Receiver receiver = new Receiver();
    private final FrameHeader header = new FrameHeader();
    private final FrameHeader arrived = new FrameHeader();
    private final WireBuffer memory = new WireBuffer(1 << 18);
    private final Channel byConnection = sender(false);
    private final Channel fromConnection = receiver(false);
    private final Channel bySharedMemory = sender(true);
    private final Channel fromSharedMemory = receiver(true);
    private Payload payload = new Payload(0);

    private boolean inRing;
    private final ShortFrame.Taker ring = new ShortFrame.Taker() {
        private int recordBytes;

        @Override
        public long putShortFrame(
                FrameHeader envelope, PayloadSource bytes, long number, long acknowledged, int flags) {
            ShortFrame.write(envelope, bytes, number, acknowledged, flags, memory.segment, 0);
            recordBytes = ShortFrame.HEAD_BYTES + (int) envelope.payloadBytes;
            inRing = true;
            return number;
        }

        @Override
        public MemorySegment keptIn(long place) {
            return memory.segment;
        }

        @Override
        public long keptAt(long place) {
            return 0;
        }

        @Override
        public int keptBytes(long place) {
            return recordBytes;
        }
    };

    private static final class Payload implements PayloadSource {
        private final MemorySegment bytes;

        Payload(int lengthBytes) {
            bytes = MemorySegment.ofArray(new byte[lengthBytes]);
        }

        @Override
        public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
            MemorySegment.copy(bytes, positionBytes, target, targetOffset, lengthBytes);
        }

        @Override
        public void released() {}
    }

    private static final class Receiver implements FrameSink, PayloadSink {
        private final MemorySegment bytes = MemorySegment.ofArray(new byte[1 << 16]);
        long messages;

        @Override
        public PayloadSink onFrame(int peerRank, FrameHeader header) {
            return this;
        }

        @Override
        public void write(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
            MemorySegment.copy(source, sourceOffset, bytes, positionBytes, lengthBytes);
        }

        @Override
        public void onFrameComplete(int peerRank, FrameHeader header, PayloadSink sink) {
            messages++;
        }

        @Override
        public void onPeerLost(int peerRank, MpiFailure cause) {
            throw cause;
        }
    }

    private Channel channel(int rank) {
        return new Channel(
                new ChannelIdentity(rank, 1 - rank, 0, 0), 2, 0, ChannelSizes.forJob(2), ChannelRules.ALL, receiver);
    }

    private Channel sender(boolean sharedMemory) {
        Channel channel = channel(0);
        channel.linkUp(channel(1).hello(Admission.ACCEPTED), sharedMemory);
        return channel;
    }

    private Channel receiver(boolean sharedMemory) {
        Channel channel = channel(1);
        channel.linkUp(channel(0).hello(Admission.ACCEPTED), sharedMemory);
        return channel;
    }

    @Setup
    public void prepare() {
        payload = new Payload(payloadBytes);
        header.payloadBytes = payloadBytes;
        header.messageBytes = payloadBytes;
        header.count = payloadBytes;
    }

    /** No number, no checksum, no incarnations; nothing is kept. */
    @Benchmark
    public long bare() {
        header.write(memory.segment, 0);
        payload.read(0, memory.segment, FrameHeader.BYTES, payloadBytes);
        arrived.read(memory.segment, 0);
        PayloadSink sink = receiver.onFrame(0, arrived);
        sink.write(0, memory.segment, FrameHeader.BYTES, payloadBytes);
        receiver.onFrameComplete(0, arrived, sink);
        return receiver.messages;
    }

    @Benchmark
    public long connection() {
        return pass(byConnection, fromConnection, null);
    }

    @Benchmark
    public long sharedMemory() {
        return pass(bySharedMemory, fromSharedMemory, ring);
    }

    private long pass(Channel from, Channel to, ShortFrame.@Nullable Taker taker) {
        inRing = false;
        from.offer(header, payload, taker);
        if (inRing) {
            check(to.receivedShortFrame(memory, 0, ShortFrame.HEAD_BYTES + payloadBytes));
        }
        move(from, to);
        move(to, from);
        return receiver.messages;
    }

    private void move(Channel from, Channel to) {
        for (ByteRun run = from.outgoing(); run.lengthBytes > 0; run = from.outgoing()) {
            PayloadSource rest = run.payload;
            if (run.isShortFrame) {
                ShortFrame.write(run.memory().segment, run.offsetBytes, memory.segment, 0, payloadBytes);
                from.wrote(run.lengthBytes);
                check(to.receivedShortFrame(memory, 0, ShortFrame.HEAD_BYTES + payloadBytes));
            } else if (rest != null) {
                int bytes = (int) (run.payloadBytes - run.payloadPositionBytes);
                rest.read(run.payloadPositionBytes, memory.segment, 0, bytes);
                from.wrote(bytes);
                check(to.received(memory, 0, bytes));
            } else {
                int bytes = run.lengthBytes;
                MemorySegment.copy(run.memory().segment, run.offsetBytes, memory.segment, 0, bytes);
                from.wrote(bytes);
                check(to.received(memory, 0, bytes));
            }
        }
    }

    private static void check(Reception reception) {
        if (reception != Reception.OK) {
            throw new IllegalStateException("the channel finds its own bytes " + reception);
        }
    }
}
