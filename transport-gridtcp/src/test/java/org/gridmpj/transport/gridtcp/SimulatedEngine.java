package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/**
 * The program of one rank in the simulation: sends messages 0, 1, 2 … whose length and content follow from their number, and
 * checks that the peer's come complete and in order. Survives the moves of its rank.
 */
final class SimulatedEngine implements FrameSink {
    static final long TRUE_CONTEXT = 7;
    /** Messages of a process that should be dead. */
    static final long ZOMBIE_CONTEXT = 666;

    /** A message's bytes; watches that they are read before they are released, and released after they have arrived. */
    private final class Message implements PayloadSource {
        final long number;
        final byte[] bytes;
        int releases;
        boolean abandoned;

        Message(long number, byte[] bytes) {
            this.number = number;
            this.bytes = bytes;
        }

        @Override
        public @Nullable Object array() {
            check(releases == 0 || abandoned, "message " + number + " is read after its release");
            return number % 3 == 0 ? null : bytes;
        }

        @Override
        public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
            check(releases == 0 || abandoned, "message " + number + " is read after its release");
            MemorySegment.copy(bytes, (int) positionBytes, target, ValueLayout.JAVA_BYTE, targetOffset, lengthBytes);
        }

        @Override
        public void released() {
            releases++;
            check(releases == 1 || abandoned, "message " + number + " is released twice");
            check(
                    abandoned || bytes.length <= copiedBytes || peer().received > number,
                    "message " + number + " is released before it has arrived");
        }
    }

    private static final class Pouring implements PayloadSink {
        final byte[] bytes;
        private int asked;

        Pouring(int length) {
            bytes = new byte[length];
        }

        /** Not always the array, as where a snapshot begins in the middle of a message. */
        @Override
        public @Nullable Object arrayToFill() {
            asked++;
            return asked % 4 == bytes.length % 4 ? null : bytes;
        }

        @Override
        public void write(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
            check(positionBytes + lengthBytes <= bytes.length, "bytes beyond the end of a payload");
            MemorySegment.copy(source, ValueLayout.JAVA_BYTE, sourceOffset, bytes, (int) positionBytes, lengthBytes);
        }
    }

    final int rank;
    final int messages;
    private final int copiedBytes;
    private final List<Message> sent = new ArrayList<>();
    private final FrameHeader header = new FrameHeader();
    private @Nullable SimulatedEngine peer;
    private @Nullable PayloadSink open;
    /** Messages of the peer that are complete. */
    int received;

    SimulatedEngine(int rank, int messages, int copiedBytes) {
        this.rank = rank;
        this.messages = messages;
        this.copiedBytes = copiedBytes;
    }

    void peer(SimulatedEngine newPeer) {
        peer = newPeer;
    }

    private SimulatedEngine peer() {
        if (peer == null) {
            throw new IllegalStateException("no peer");
        }
        return peer;
    }

    static void check(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    private static byte[] content(int rank, long number) {
        SplittableRandom random = new SplittableRandom(31 * number + rank);
        int kind = random.nextInt(8);
        byte[] bytes = new byte[kind == 0 ? 0 : kind < 6 ? random.nextInt(65) : random.nextInt(700)];
        random.nextBytes(bytes);
        return bytes;
    }

    boolean hasMore() {
        return sent.size() < messages;
    }

    /**
     * Offers the next message.
     *
     * @param taker may have it at once if it is a short frame
     */
    void send(Channel channel, ShortFrame.@Nullable Taker taker) {
        Message message = new Message(sent.size(), content(rank, sent.size()));
        header.clear();
        header.sourceRank = rank;
        header.contextId = TRUE_CONTEXT;
        header.messageId = message.number;
        header.payloadBytes = message.bytes.length;
        header.messageBytes = message.bytes.length;
        sent.add(message);
        if (channel.offer(header, message, taker) != Endpoint.Offer.ACCEPTED) {
            check(message.releases == 0, "a refused message is released");
            sent.remove(sent.size() - 1);
        }
    }

    /** A process that should be dead sends something. */
    void sendAsZombie(Channel channel, long number) {
        Message message = new Message(number, content(rank, number));
        message.abandoned = true;
        header.clear();
        header.sourceRank = rank;
        header.contextId = ZOMBIE_CONTEXT;
        header.messageId = number;
        header.payloadBytes = message.bytes.length;
        channel.offer(header, message);
    }

    /** The rank goes on in another process: the old one's buffers and half-poured frame are no concern any more. */
    void moved() {
        for (Message message : sent) {
            message.abandoned = message.abandoned || message.releases == 0;
        }
        open = null;
    }

    @Override
    public PayloadSink onFrame(int peerRank, FrameHeader arriving) {
        check(open == null, "a frame is announced twice");
        check(arriving.contextId != ZOMBIE_CONTEXT, "a zombie's message is delivered");
        check(
                arriving.messageId == received,
                "rank " + rank + " gets message " + arriving.messageId + " instead of " + received);
        check(
                arriving.payloadBytes == content(peerRank, arriving.messageId).length
                        && arriving.messageBytes == arriving.payloadBytes
                        && arriving.tag == 0
                        && arriving.sourceRank == peerRank
                        && arriving.contextId == TRUE_CONTEXT,
                "a header is damaged: " + arriving);
        Pouring pouring = new Pouring((int) arriving.payloadBytes);
        open = pouring;
        return pouring;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the very sink that was announced
    public void onFrameComplete(int peerRank, FrameHeader complete, PayloadSink sink) {
        check(open == sink, "a frame is complete that was not announced");
        byte[] expected = content(peerRank, complete.messageId);
        check(
                Arrays.equals(expected, ((Pouring) sink).bytes),
                "message " + complete.messageId + " of rank " + peerRank + " has other bytes");
        open = null;
        received++;
    }

    @Override
    public void onPeerLost(int peerRank, MpiFailure cause) {
        throw new AssertionError("a channel that recovers reports a loss", cause);
    }

    /** Whether all that this engine sent has been given back, once. */
    boolean isAllReleased() {
        return sent.stream().allMatch(message -> message.abandoned || message.releases == 1);
    }
}
