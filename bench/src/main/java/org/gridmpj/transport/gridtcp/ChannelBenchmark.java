package org.gridmpj.transport.gridtcp;

import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.Endpoint;
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
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What numbering, retention, checksum and fencing cost: a message each way over a real link of which one thread has both ends,
 * with the channel and by the same link without it. Without it a message is its header and payload, put by the same steps
 * into the same records or the same socket; a short one by memory is the same {@link ShortFrame}. Nothing is numbered,
 * acknowledged, kept, checked.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(5)
public class ChannelBenchmark {
    private static final int MESSAGES = 2;
    /** What a link must have seen before it moves bytes as in a job that runs: see {@link FdLink}, {@link EpollDoorbell}. */
    private static final int PRACTICE = 1000;

    @Param({"memory", "connection"})
    String link = "memory";

    @Param({"8", "1024", "8192", "65536", "1048576"})
    int payloadBytes;

    private final ChannelSizes sizes = ChannelSizes.forJob(2);
    private End near = new End();
    private End far = new End();
    private @Nullable EpollDoorbell doorbell;
    private Payload payload = new Payload(0);
    private final FrameHeader header = new FrameHeader();

    private static final class Payload implements PayloadSource {
        private final byte[] array;
        private final MemorySegment bytes;

        Payload(int lengthBytes) {
            array = new byte[lengthBytes];
            bytes = MemorySegment.ofArray(array);
        }

        @Override
        public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
            Bytes.copy(bytes, positionBytes, target, targetOffset, lengthBytes);
        }

        @Override
        public Object array() {
            return array;
        }

        @Override
        public void released() {}
    }

    private static final class Receiver implements FrameSink, PayloadSink {
        private final MemorySegment bytes = MemorySegment.ofArray(new byte[1 << 20]);
        long messages;

        @Override
        public PayloadSink onFrame(int peerRank, FrameHeader header) {
            return this;
        }

        @Override
        public void write(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
            Bytes.copy(source, sourceOffset, bytes, positionBytes, lengthBytes);
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

    /** One end of the link, and what is on it. */
    private final class End {
        private final Receiver receiver = new Receiver();
        private @Nullable Link opened;
        private @Nullable Channel channel;

        // Without the channel
        private final WireBuffer staged = new WireBuffer(FrameHeader.BYTES + sizes.connectionCopiedPayloadBytes());
        private final WireBuffer chunk = new WireBuffer(sizes.chunkBytes());
        private final WireBuffer arriving = new WireBuffer(sizes.receiveBytes());
        private final FrameHeader arrived = new FrameHeader();
        private int stagedFrom;
        private int stagedTo;
        private long sentBytes;
        private int chunkTo;
        private int chunkFrom;
        private boolean inPayload;
        private long receivedBytes;
        private int arrivedTo;

        Link link() {
            if (opened == null) {
                throw new IllegalStateException("not open");
            }
            return opened;
        }

        Channel channel() {
            if (channel == null) {
                throw new IllegalStateException("not open");
            }
            return channel;
        }

        void open(Link newLink, int rank) {
            opened = newLink;
            Channel own = channelOf(rank, receiver);
            own.linkUp(channelOf(1 - rank, receiver).hello(Admission.ACCEPTED), newLink.takesPayload());
            newLink.keptBy(own.keeper());
            channel = own;
        }

        // With the channel, as GridTcpEndpoint has it

        void offer() {
            if (channel().offer(header, payload, link().takesShortFrames()) != Endpoint.Offer.ACCEPTED) {
                throw new IllegalStateException("the channel is full: " + channel);
            }
            flush();
        }

        void flush() {
            for (ByteRun run = channel().outgoing(link().takesArrays());
                    run.lengthBytes > 0;
                    run = channel().outgoing(link().takesArrays())) {
                int bytes = link().write(run);
                if (check(bytes) == 0) {
                    return;
                }
                channel().wrote(bytes);
            }
        }

        void poll() {
            WireBuffer shared = link().memory();
            if (shared == null) {
                ByteRun room = channel().incoming(false);
                int bytes = check(link().read(room.memory(), room.offsetBytes, room.lengthBytes));
                if (bytes > 0) {
                    check(channel().received(bytes));
                }
                return;
            }
            int bytes = check(link().readable());
            if (bytes > 0) {
                check(
                        link().isShortFrame()
                                ? channel().receivedShortFrame(shared, link().readableOffset(), bytes)
                                : channel().received(shared, link().readableOffset(), bytes));
                link().decoded(bytes);
            }
        }

        // Without it

        void put() {
            ShortFrame.Taker taker = link().takesShortFrames();
            if (taker != null && ShortFrame.fits(header, 0)) {
                if (taker.putShortFrame(header, payload, 0, 0, 0) < 0) {
                    throw new IllegalStateException("the link is full");
                }
                return;
            }
            stagedTo = FrameHeader.BYTES;
            header.write(staged.segment, 0);
            if (payloadBytes <= copiedBytes()) {
                payload.read(0, staged.segment, FrameHeader.BYTES, payloadBytes);
                stagedTo += payloadBytes;
            }
            stagedFrom = 0;
            sentBytes = stagedTo - (long) FrameHeader.BYTES;
            push();
        }

        private int copiedBytes() {
            return link().takesPayload() ? sizes.copiedPayloadBytes() : sizes.connectionCopiedPayloadBytes();
        }

        void push() {
            while (stagedFrom < stagedTo) {
                int bytes = check(link().write(staged, stagedFrom, stagedTo - stagedFrom));
                if (bytes == 0) {
                    return;
                }
                stagedFrom += bytes;
            }
            while (sentBytes < payloadBytes) {
                int bytes;
                if (link().takesPayload()) {
                    bytes = check(link().writePayload(payload, sentBytes, payloadBytes));
                } else if (link().takesArrays() && payloadBytes >= sizes.arrayBytes()) {
                    bytes = check(link().writeArray(payload.array(), sentBytes, payloadBytes - sentBytes));
                } else {
                    if (chunkFrom == chunkTo) {
                        chunkFrom = 0;
                        chunkTo = (int) Math.min(chunk.capacityBytes, payloadBytes - sentBytes);
                        payload.read(sentBytes, chunk.segment, 0, chunkTo);
                    }
                    bytes = check(link().write(chunk, chunkFrom, chunkTo - chunkFrom));
                    chunkFrom += bytes;
                }
                if (bytes == 0) {
                    return;
                }
                sentBytes += bytes;
            }
        }

        void pull() {
            WireBuffer shared = link().memory();
            if (shared != null) {
                int bytes = check(link().readable());
                if (bytes <= 0) {
                    return;
                }
                if (link().isShortFrame()) {
                    int at = link().readableOffset();
                    ShortFrame.read(shared.segment, at, bytes - ShortFrame.HEAD_BYTES, arrived);
                    PayloadSink sink = receiver.onFrame(0, arrived);
                    sink.write(0, shared.segment, at + ShortFrame.HEAD_BYTES, bytes - ShortFrame.HEAD_BYTES);
                    receiver.onFrameComplete(0, arrived, sink);
                } else {
                    decode(shared.segment, link().readableOffset(), bytes);
                }
                link().decoded(bytes);
                return;
            }
            int bytes = check(link().read(arriving, arrivedTo, arriving.capacityBytes - arrivedTo));
            if (bytes > 0) {
                arrivedTo += bytes;
                int used = decode(arriving.segment, 0, arrivedTo);
                if (used < arrivedTo) {
                    Bytes.copy(arriving.segment, used, arriving.segment, 0, arrivedTo - used);
                }
                arrivedTo -= used;
            }
        }

        private int decode(MemorySegment source, int offset, int length) {
            int used = 0;
            if (!inPayload && length >= FrameHeader.BYTES) {
                arrived.read(source, offset);
                receiver.onFrame(0, arrived);
                used = FrameHeader.BYTES;
                inPayload = true;
                receivedBytes = 0;
            }
            if (inPayload) {
                int bytes = (int) Math.min(length - used, arrived.payloadBytes - receivedBytes);
                receiver.write(receivedBytes, source, (long) offset + used, bytes);
                receivedBytes += bytes;
                used += bytes;
                if (receivedBytes == arrived.payloadBytes) {
                    inPayload = false;
                    receiver.onFrameComplete(0, arrived, receiver);
                }
            }
            return used;
        }
    }

    private Channel channelOf(int rank, Receiver receiver) {
        return new Channel(new ChannelIdentity(rank, 1 - rank, 0, 0), 2, 0, sizes, ChannelRules.ALL, receiver);
    }

    @Setup
    public void prepare() throws IOException {
        payload = new Payload(payloadBytes);
        header.payloadBytes = payloadBytes;
        header.messageBytes = payloadBytes;
        header.count = payloadBytes;
        near = new End();
        far = new End();
        EpollDoorbell bell = new EpollDoorbell(false);
        doorbell = bell;
        Socket listener = Socket.newSocketStream();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        listener.listen(1);
        Socket dialer = Socket.newSocketStream();
        for (boolean connected = dialer.connect(listener.localAddress()); !connected; ) {
            connected = dialer.finishConnect();
        }
        int accepted;
        do {
            accepted = listener.accept(new byte[32]);
        } while (accepted < 0);
        listener.close();
        Link one = connection(dialer, bell);
        Link other = connection(new Socket(accepted), bell);
        if (link.equals("memory")) {
            SharedSegment segment = SharedSegment.create(sizes.sharedRingBytes());
            one = new SharedMemoryLink(one, segment);
            other = new SharedMemoryLink(other, SharedSegment.attach(segment.offer(), sizes.sharedRingBytes()));
            segment.closeFile();
        }
        near.open(one, 0);
        far.open(other, 1);
        for (int i = 0; i < PRACTICE; i++) {
            without();
        }
    }

    private static Link connection(Socket socket, EpollDoorbell bell) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setRawOpt(
                Connections.CONGESTION_CONTROL.level(),
                Connections.CONGESTION_CONTROL.optname(),
                ByteBuffer.wrap(Connections.UNPACED.getBytes(StandardCharsets.US_ASCII)));
        bell.watch(socket);
        return new FdLink(socket, new byte[0], bell, "the other end");
    }

    @TearDown
    public void close() {
        near.link().close();
        far.link().close();
        if (doorbell != null) {
            doorbell.close();
        }
    }

    /** A message each way, ns for one. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long withChannel() {
        pass(near, far, 0);
        pass(far, near, 1);
        return near.receiver.messages;
    }

    private void pass(End from, End to, int rank) {
        header.sourceRank = rank;
        long before = to.receiver.messages;
        from.offer();
        for (to.poll(); to.receiver.messages == before; to.poll()) {
            from.flush();
        }
        to.flush();
    }

    /** The same by the link alone. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long without() {
        passWithout(near, far);
        passWithout(far, near);
        return near.receiver.messages;
    }

    private void passWithout(End from, End to) {
        header.sourceRank = 0;
        long before = to.receiver.messages;
        from.put();
        for (to.pull(); to.receiver.messages == before; to.pull()) {
            from.push();
        }
    }

    private static int check(int bytes) {
        if (bytes < 0) {
            throw new IllegalStateException("the link is broken");
        }
        return bytes;
    }

    private static void check(Reception reception) {
        if (reception != Reception.OK) {
            throw new IllegalStateException("the channel finds its own bytes " + reception);
        }
    }
}
