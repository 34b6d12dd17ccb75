package org.gridmpj.pt2pt;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.gridmpj.job.RankTable;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.HostMemory;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.PayloadSource;
import org.gridmpj.transport.ShortMessages;
import org.gridmpj.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * Channels between the simulated ranks: narrow, in small pieces, with random delays. One rank runs at a time
 * ({@link CutScheduler}), so nothing is locked; awaiting hands the processor on.
 */
final class CutNetwork {
    private static final int PIECE_BYTES = 64;
    private static final int COPIED_BYTES = 128;

    private final CutScheduler scheduler;
    private final Random random;
    private final int frameCapacity;
    private final Channel[][] channels;
    private final @Nullable FrameSink[] sinks;
    /** By rank and peer: the rank has yet to be told that the peer has died, and talks to the one that was. */
    private final boolean[][] former;

    private final boolean[] ended;
    /** By sender and receiver: how many looks for what has come are in vain until one is not. */
    private final int[][] slowness;

    private final List<MemorySegment> segments = new ArrayList<>();
    private final HostMemory memory = new Memory();
    private final boolean losesWishes;
    /** By rank: the highest epoch of which a marker has come there. */
    private final int[] markers;

    private int looks;

    /** @param losesWishes whether nobody is told that an epoch is wanted, but by markers: nothing depends on it */
    CutNetwork(int size, CutScheduler scheduler, Random random, boolean losesWishes) {
        this.losesWishes = losesWishes;
        markers = new int[size];
        Arrays.fill(markers, -1);
        this.scheduler = scheduler;
        this.random = random;
        this.frameCapacity = 1 + random.nextInt(6);
        channels = new Channel[size][size];
        sinks = new @Nullable FrameSink[size];
        former = new boolean[size][size];
        ended = new boolean[size];
        slowness = new int[size][size];
        for (int from = 0; from < size; from++) {
            for (int to = 0; to < size; to++) {
                channels[from][to] = new Channel(from, to);
            }
        }
    }

    Transport open(int rank, FrameSink sink) {
        sinks[rank] = sink;
        return new Rank(rank);
    }

    /** Memory that all ranks can map, as if they were on one host. */
    private final class Memory implements HostMemory {
        @Override
        public Created create(long bytes) {
            MemorySegment segment = Arena.ofAuto().allocate(bytes, 8);
            segments.add(segment);
            long number = segments.size();
            return new Created() {
                @Override
                public MemorySegment memory() {
                    return segment;
                }

                @Override
                public long[] place() {
                    return new long[] {number, 0, 0, bytes};
                }

                @Override
                public void hide() {
                    // nobody looks for it
                }
            };
        }

        /** Numbers are given again in each life, as those of processes and descriptors are. */
        @Override
        public MemorySegment attach(long[] place) throws IOException {
            if (place[0] == 0 || place[0] > segments.size()) {
                throw new IOException("there is no such memory");
            }
            return segments.get((int) place[0] - 1);
        }

        @Override
        public boolean isAtHand(int worldRank) {
            return true;
        }

        @Override
        public void nudge(int worldRank) {
            // who awaits looks again
        }
    }

    /**
     * A rank goes on in another process, as GridTcp's channels do: what it has sent is retained where the rank goes, what
     * was half here is sent anew from its first byte.
     */
    void moved(int rank) {
        for (int peer = 0; peer < channels.length; peer++) {
            for (Frame frame : channels[rank][peer].frames) {
                PayloadSource source = frame.source;
                if (source != null) {
                    int left = (int) (frame.header.payloadBytes - frame.filled);
                    source.read(frame.filled, MemorySegment.ofArray(frame.bytes), frame.filled, left);
                    frame.filled += left;
                    // not released: the engine that would hear it is gone
                    frame.source = null;
                }
            }
            Frame half = channels[peer][rank].frames.peekFirst();
            if (half != null) {
                half.begun = false;
                half.poured = 0;
                half.sink = null;
            }
        }
    }

    /** Frames of one rank to another are late. */
    void slow(int from, int to, int looksInVain) {
        slowness[from][to] = looksInVain;
    }

    private boolean isLate(int from, int to) {
        return slowness[from][to] > 0 && looks++ % (slowness[from][to] + 1) != 0;
    }

    /** A rank has said goodbye to all and heard it from all. */
    void ended(int rank) {
        ended[rank] = true;
    }

    /** Whether a marker of an epoch has come to a rank. */
    boolean hasMarker(int rank, int epoch) {
        return markers[rank] >= epoch;
    }

    /** A rank has died: what was on its way to and from it is gone. */
    void died(int rank) {
        for (int peer = 0; peer < channels.length; peer++) {
            if (peer != rank) {
                channels[rank][peer] = new Channel(rank, peer);
                channels[peer][rank] = new Channel(peer, rank);
                // who is not there yet will know nobody else
                former[peer][rank] = sinks[peer] != null;
                former[rank][peer] = false;
            }
        }
        sinks[rank] = null;
    }

    private static final class Frame {
        final FrameHeader header = new FrameHeader();
        byte[] bytes = {};

        @Nullable
        PayloadSource source;

        long filled;
        long poured;
        boolean begun;

        @Nullable
        PayloadSink sink;
    }

    /** One direction; a FIFO. */
    private final class Channel implements Endpoint {
        private final int from;
        private final int to;
        private final ArrayDeque<Frame> frames = new ArrayDeque<>();

        Channel(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public Offer offer(FrameHeader header, PayloadSource payload) {
            if (ended[to]) {
                return Offer.CLOSED;
            }
            if (frames.size() >= frameCapacity) {
                return Offer.BACK_PRESSURED;
            }
            if (losesWishes && header.kind == FrameKind.EPOCH_WANTED) {
                return Offer.ACCEPTED;
            }
            Frame frame = new Frame();
            frame.header.set(header);
            frame.bytes = new byte[(int) header.payloadBytes];
            frame.source = payload;
            frames.addLast(frame);
            if (header.payloadBytes <= COPIED_BYTES) {
                fill(frame, (int) header.payloadBytes);
            }
            return Offer.ACCEPTED;
        }

        private void fill(Frame frame, int length) {
            PayloadSource source = frame.source;
            if (source == null) {
                return;
            }
            if (length > 0) {
                source.read(frame.filled, MemorySegment.ofArray(frame.bytes), frame.filled, length);
            }
            frame.filled += length;
            if (frame.filled == frame.header.payloadBytes) {
                frame.source = null;
                source.released();
            }
        }

        @Override
        public int copiedPayloadLimitBytes() {
            return COPIED_BYTES;
        }

        @Override
        public ShortMessages shortMessages() {
            return new Next(channels[to][from]);
        }

        boolean pump() {
            for (Frame frame : frames) {
                if (frame.source != null) {
                    fill(frame, (int) Math.min(PIECE_BYTES, frame.header.payloadBytes - frame.filled));
                    return true;
                }
            }
            return false;
        }

        boolean deliver(FrameSink target) {
            Frame frame = frames.peekFirst();
            if (frame == null) {
                return false;
            }
            if (!frame.begun) {
                frame.begun = true;
                frame.sink = target.onFrame(from, frame.header);
            }
            PayloadSink sink = frame.sink;
            int length = (int) Math.min(PIECE_BYTES, frame.filled - frame.poured);
            if (sink != null && length > 0) {
                boolean second = frame.poured / PIECE_BYTES % 2 == 1;
                if (second && sink.arrayToFill() instanceof long[] array) { // as a connection reads into it
                    long at = sink.arrayOffsetBytes() + frame.poured;
                    Bytes.copy(
                            MemorySegment.ofArray(frame.bytes), frame.poured, MemorySegment.ofArray(array), at, length);
                } else {
                    sink.write(frame.poured, MemorySegment.ofArray(frame.bytes), frame.poured, length);
                }
                frame.poured += length;
            }
            if (frame.poured == frame.header.payloadBytes && sink != null) {
                frames.removeFirst();
                if (frame.header.kind == FrameKind.MARKER) {
                    markers[to] = Math.max(markers[to], (int) frame.header.messageId);
                }
                target.onFrameComplete(from, frame.header, sink);
                return true;
            }
            return length > 0;
        }
    }

    /** What comes next on a channel, as memory that both ends share shows it, or a connection. */
    private final class Next implements ShortMessages {
        private final Channel channel;

        Next(Channel channel) {
            this.channel = channel;
        }

        private Frame first() {
            return Objects.requireNonNull(channel.frames.peekFirst());
        }

        @Override
        public int longestBytes() {
            return COPIED_BYTES;
        }

        @Override
        public boolean isFree() {
            return random.nextBoolean();
        }

        @Override
        public int look() {
            Frame next = channel.frames.peekFirst();
            boolean isBroken = former[channel.to][channel.from] || former[channel.from][channel.to];
            if (next == null || isBroken || isLate(channel.from, channel.to) || random.nextInt(3) == 0) {
                return NOTHING;
            }
            boolean isShort = next.header.kind == FrameKind.EAGER
                    && next.header.payloadBytes <= COPIED_BYTES
                    && next.filled == next.header.payloadBytes
                    && !next.begun;
            return isShort ? (int) next.header.payloadBytes : OTHER;
        }

        @Override
        public FrameHeader header() {
            return first().header;
        }

        @Override
        public MemorySegment memory() {
            return MemorySegment.ofArray(first().bytes);
        }

        @Override
        public long payloadOffset() {
            return 0;
        }

        @Override
        public void taken() {
            channel.frames.removeFirst();
        }
    }

    private final class Rank implements Transport {
        private final int rank;

        Rank(int rank) {
            this.rank = rank;
        }

        @Override
        public int bind(String host) {
            return rank + 1;
        }

        @Override
        public void connect(RankTable table, Duration timeout) {}

        @Override
        public void update(RankTable table) {}

        @Override
        public Endpoint endpoint(int worldRank) {
            return channels[rank][worldRank];
        }

        @Override
        public void renew(int worldRank, int incarnation) {
            former[rank][worldRank] = false;
            channels[rank][worldRank] = new Channel(rank, worldRank);
        }

        @Override
        public boolean poll() {
            FrameSink sink = sinks[rank];
            boolean did = false;
            int first = random.nextInt(channels.length);
            for (int i = 0; i < channels.length; i++) {
                int peer = (first + i) % channels.length;
                if (peer == rank || random.nextInt(3) == 0 || former[rank][peer] || former[peer][rank]) {
                    continue;
                }
                did |= channels[rank][peer].pump();
                if (isLate(peer, rank)) {
                    continue;
                }
                for (int pieces = random.nextInt(4); pieces > 0 && sink != null; pieces--) {
                    did |= channels[peer][rank].deliver(sink);
                }
            }
            return did;
        }

        @Override
        public void await(long timeoutNanos) {
            scheduler.handOver();
        }

        @Override
        public void wakeup() {}

        @Override
        public boolean drain(Duration timeout) {
            for (Channel channel : channels[rank]) {
                while (channel.pump()) {
                    // what was accepted gets there
                }
            }
            return true;
        }

        @Override
        public HostMemory hostMemory() {
            return memory;
        }

        @Override
        public boolean recovers() {
            return true;
        }

        @Override
        public void close() {}
    }
}
