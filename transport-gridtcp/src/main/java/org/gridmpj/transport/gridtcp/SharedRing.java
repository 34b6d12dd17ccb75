package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.gridmpj.memory.AsymmetricFence;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a {@link SharedSegment}: a ring of records with one producer and one consumer, each in its own process.
 *
 * <pre>
 *   offset  line
 *        0   tail       consumer: how far it has read, in bytes since the begin; written now and then
 *      128   asleep     consumer: 1 while it is about to block, so that the producer nudges it
 *      132   fences     consumer: 1 if it passes a heavy fence before it blocks, so that the producer's may be light
 *      256   wantsRoom  producer: 1 while it waits for room, so that the consumer nudges it
 *      384   number     of the segment, in its first ring only; never changes
 *     4096   records    each at a multiple of 64:  word (8)   bytes, padded to 64
 * </pre>
 *
 * <p>The word: 0 not there, else length + 1, and 2³² if the bytes are a {@link ShortFrame}. It is the only line that a short message needs beside its bytes. It is written last, with release: a record of
 * which its writer died in the middle does not exist. The word of the next record is cleared before it. A record never
 * wraps: behind the ring there is room for the longest. An object is either the producer's or the consumer's view, each
 * confined to the holder of its process's progress lock, but for {@link #sleep} and {@link #awake}.
 */
final class SharedRing {
    static final int DATA_OFFSET = 4096;
    static final int NUMBER_OFFSET = 384;

    private static final int TAIL_OFFSET = 0;
    private static final int ASLEEP_OFFSET = 128;
    private static final int FENCES_OFFSET = ASLEEP_OFFSET + Integer.BYTES;
    private static final int ROOM_OFFSET = 256;
    private static final int WORD_BYTES = 8;
    private static final int LINE_BYTES = 64;
    private static final int MOST_RECORD_BYTES = 1 << 16;
    /** The consumer copies a piece of a payload out while the producer copies the next one in: one of them waits for the first and the last. */
    private static final int MOST_PIECE_BYTES = 1 << 14;
    /** So far from both ends of a payload pieces are as long as a record may be: there are fewer. */
    private static final int ENDS_BYTES = 1 << 17;
    /** Below this a record is not worth its line: a longer run waits for more room. */
    private static final int LEAST_PIECE_BYTES = 1 << 11;

    /** Behind a longer record nothing is cleared ahead: its lines would be gone from the cache before they are written. */
    private static final int MOST_AHEAD_BYTES = 1 << 13;
    /** What is cleared ahead is at least as long, so that the lines of several short records come to this core at once. */
    private static final int LEAST_AHEAD_BYTES = 8 * LINE_BYTES;

    private static final long SHORT_FRAME = 1L << 32;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();

    private final WireBuffer memory;
    private final MemorySegment segment;
    private final long base;
    private final long data;
    private final int ringBytes;
    private final int mask;
    private final int recordBytes;

    /** Producer: where the next record goes. Consumer: where the record that is being read begins. */
    private long position;
    /** Consumer: the tail as last told. */
    private long tail;
    /** Producer: up to where it may write: no record goes over one that is not read, or is kept. */
    private long limit;
    /** Producer: from {@link #position} up to here each line begins with 0, the word of a record that is not there. */
    private long cleared;
    /** Producer: who needs records that are read already. */
    private ShortFrame.@Nullable Keeper keeper;
    /** Consumer: the word of the record that was looked at last. */
    private long word;

    SharedRing(WireBuffer memory, int baseBytes, int ringBytes) {
        this.memory = memory;
        segment = memory.segment;
        base = baseBytes;
        data = baseBytes + (long) DATA_OFFSET;
        this.ringBytes = ringBytes;
        mask = ringBytes - 1;
        recordBytes = Math.min(MOST_RECORD_BYTES, ringBytes / 8);
        limit = ringBytes;
    }

    /** Room behind a ring for the record that begins at its end. */
    static int slackBytes(int ringBytes) {
        return Math.min(MOST_RECORD_BYTES, ringBytes / 8) + 2 * LINE_BYTES;
    }

    /** Bytes of the longest record, which is that of a {@link ShortFrame}: the pieces of a long run are a little shorter. */
    static int mostBytes(int ringBytes) {
        return slackBytes(ringBytes) - LINE_BYTES;
    }

    private static long spanOf(int lengthBytes) {
        return lengthBytes + WORD_BYTES + LINE_BYTES - 1L & -LINE_BYTES;
    }

    // The producer

    /** How many of so many bytes the next record may take; a multiple of 8 unless all; 0: there is no room now. */
    private int room(long lengthBytes) {
        int wanted = (int) Math.min(lengthBytes, recordBytes);
        if (hasRoomFor(wanted)) {
            return wanted;
        }
        long free = limit - position - LINE_BYTES - WORD_BYTES;
        int piece = (int) Math.min(wanted, free & -LINE_BYTES) - LINE_BYTES;
        return piece >= LEAST_PIECE_BYTES ? piece : 0;
    }

    private boolean fits(int lengthBytes) {
        return position + spanOf(lengthBytes) + LINE_BYTES <= limit;
    }

    /** Puts as many bytes as there is room for; 0 if there is none. */
    int put(WireBuffer source, int offsetBytes, int lengthBytes) {
        int bytes = room(lengthBytes);
        if (bytes > 0) {
            Bytes.copy(source.segment, offsetBytes, segment, next() + WORD_BYTES, bytes);
            publish(bytes, bytes + 1L);
        }
        return bytes;
    }

    /** Puts a staged frame in its short form; false if there is no room. */
    boolean putShortFrame(WireBuffer image, int offsetBytes, int payloadBytes) {
        int bytes = ShortFrame.HEAD_BYTES + payloadBytes;
        if (!hasRoomFor(bytes)) {
            return false;
        }
        ShortFrame.write(image.segment, offsetBytes, segment, next() + WORD_BYTES, payloadBytes);
        publish(bytes, bytes + 1L | SHORT_FRAME);
        return true;
    }

    /** Puts a frame that is not staged; its place, or −1 if there is no room. */
    long putShortFrame(FrameHeader header, PayloadSource payload, long number, long acknowledged, int flags) {
        int bytes = ShortFrame.HEAD_BYTES + (int) header.payloadBytes;
        if (!hasRoomFor(bytes)) {
            return -1;
        }
        long place = position;
        ShortFrame.write(header, payload, number, acknowledged, flags, segment, next() + WORD_BYTES);
        publish(bytes, bytes + 1L | SHORT_FRAME);
        return place;
    }

    /** Who retains records; its wishes count until the consumer has read a round more. */
    void keptBy(ShortFrame.Keeper newKeeper) {
        keeper = newKeeper;
    }

    /** Where the bytes of a record lie that was put at a place, and is kept. */
    long offsetOf(long place) {
        return data + (place & mask) + WORD_BYTES;
    }

    /** Their length. */
    int lengthOf(long place) {
        return (int) segment.get(ValueLayout.JAVA_LONG, data + (place & mask)) - 1;
    }

    private boolean hasRoomFor(int recordBytes) {
        return fits(recordBytes) || hasRoomByNow(recordBytes);
    }

    private boolean hasRoomByNow(int recordBytes) {
        long read = (long) LONG.getAcquire(segment, base + TAIL_OFFSET);
        ShortFrame.Keeper keeping = keeper;
        long kept = keeping == null ? Long.MAX_VALUE : keeping.oldestKept();
        limit = Math.min(read, kept) + ringBytes;
        if (kept < read && !fits(recordBytes) && keeping != null) {
            keeping.letGo();
            limit = read + ringBytes;
        }
        return fits(recordBytes);
    }

    /**
     * Puts a part of a payload, straight from where it lies.
     *
     * @param positionBytes where the part begins; a multiple of 8
     * @param payloadBytes length of the whole payload
     * @return how many bytes it took, the padding of the payload to a multiple of 8 among them; 0 if there is no room
     */
    int put(PayloadSource payload, long positionBytes, long payloadBytes) {
        long left = LinkPrefix.padded(payloadBytes) - positionBytes;
        boolean isInside = Math.min(positionBytes, left) >= ENDS_BYTES;
        int bytes = room(isInside ? MOST_RECORD_BYTES : Math.min(left, MOST_PIECE_BYTES));
        if (bytes > 0) {
            int real = (int) Math.min(bytes, payloadBytes - positionBytes);
            long at = next() + WORD_BYTES;
            if (real < bytes) {
                // The padding shows nothing of older messages.
                segment.set(ValueLayout.JAVA_LONG, at + bytes - Long.BYTES, 0);
            }
            payload.read(positionBytes, segment, at, real);
            publish(bytes, bytes + 1L);
        }
        return bytes;
    }

    private long next() {
        return data + (position & mask);
    }

    private void publish(int bytes, long word) {
        long at = next();
        position += spanOf(bytes);
        if (position >= cleared) {
            LONG.set(segment, next(), 0L);
        }
        LONG.setRelease(segment, at, word);
        if (bytes <= MOST_AHEAD_BYTES) {
            clearAhead(spanOf(bytes));
        }
    }

    /**
     * The lines of another record like the last one, or of several short ones, come to this core while that one is on its way: the
     * consumer has had them, and the next record would wait for each. What is written there is the producer's own, and shows
     * nothing. A word that is cleared here need not be when the record in front of it is shown, and the consumer looks close by.
     */
    private void clearAhead(long spanBytes) {
        long wanted = position + spanBytes + LINE_BYTES;
        if (cleared < wanted) {
            long end = Math.min(Math.max(wanted, position + LEAST_AHEAD_BYTES), limit);
            long line = Math.max(cleared, position + LINE_BYTES);
            for (; line < end; line += LINE_BYTES) {
                LONG.set(segment, data + (line & mask), 0L);
            }
            cleared = line;
        }
    }

    /** After a put: whether the consumer is blocked, and this is the caller who nudges it. */
    boolean wakesConsumer() {
        // The record before the question, as the consumer says that it sleeps before it looks.
        if (AsymmetricFence.isReady() && (int) INT.getOpaque(segment, base + FENCES_OFFSET) != 0) {
            AsymmetricFence.light();
        } else {
            VarHandle.fullFence();
        }
        return take(ASLEEP_OFFSET);
    }

    /** Asks to be nudged when there is room; true if there is some already. */
    boolean wantRoom() {
        INT.setVolatile(segment, base + ROOM_OFFSET, 1);
        VarHandle.fullFence();
        return hasRoomByNow(recordBytes);
    }

    // The consumer

    /** Length of the record that is to be read, or −1 if there is none. */
    int available() {
        word = (long) LONG.getAcquire(segment, next());
        return (int) word - 1;
    }

    /** Whether the record that was last found {@link #available} is a {@link ShortFrame}. */
    boolean isShortFrame() {
        return word >= SHORT_FRAME;
    }

    /** Whether there is a record. May be asked by any thread. */
    boolean isReadable() {
        return (long) LONG.getAcquire(segment, next()) != 0;
    }

    /** Where the bytes of the record lie in {@link #memory}. */
    int recordOffset() {
        return (int) (next() + WORD_BYTES);
    }

    WireBuffer memory() {
        return memory;
    }

    /**
     * The record has been read; its memory is the producer's again when an eighth of the ring has been read, so that the
     * producer always hears of room for the longest record before the ring is empty.
     *
     * @return whether the producer waits for room and is to be nudged
     */
    boolean consumed(int lengthBytes) {
        position += spanOf(lengthBytes);
        return position - tail > ringBytes >> 3 && tellTail();
    }

    private boolean tellTail() {
        tail = position;
        LONG.setRelease(segment, base + TAIL_OFFSET, position);
        VarHandle.fullFence();
        return take(ROOM_OFFSET);
    }

    /**
     * The consumer is about to block: when this has been followed by {@link AsymmetricFence#heavy} it looks once more whether
     * there is a record. Without the progress lock.
     */
    void sleep() {
        INT.setVolatile(segment, base + ASLEEP_OFFSET, 1);
        if (AsymmetricFence.isReady()) {
            INT.setOpaque(segment, base + FENCES_OFFSET, 1);
        }
    }

    /** The consumer looks again. Without the progress lock. */
    void awake() {
        INT.setOpaque(segment, base + ASLEEP_OFFSET, 0);
    }

    private boolean take(int offset) {
        return (int) INT.getOpaque(segment, base + offset) != 0 && (int) INT.getAndSet(segment, base + offset, 0) != 0;
    }
}
