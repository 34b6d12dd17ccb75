package org.gridmpj.transport.log;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.gridmpj.transport.FrameHeader;

/**
 * Hash of a payload that comes in pieces, and of its envelope: not against malice, but so that a message that is sent again
 * and is another one does not go unnoticed. Four lanes, a pair of words of 8 bytes each in turn, one multiplication for a
 * pair: as fast as memory is, nearly. Confined to the holder of the progress lock.
 */
final class FrameHash {
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int WORD_BYTES = Long.BYTES;
    /** Words until it is the first lane's turn again; a power of two. */
    private static final int TURN_WORDS = 8;

    private static final int SHIFT = 29;

    private long a;
    private long b;
    private long c;
    private long d;

    void begin() {
        a = 1;
        b = 2;
        c = 3;
        d = 4;
    }

    /** Takes a piece; one at position 0 begins anew. Positions are multiples of 8. */
    void update(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
        if (positionBytes == 0) {
            begin();
        }
        long word = positionBytes / WORD_BYTES;
        long at = sourceOffset;
        long endOfWords = sourceOffset + (lengthBytes & -WORD_BYTES);
        while (at < endOfWords && (word & (TURN_WORDS - 1)) != 0) {
            mix(word++, source.get(WORD, at));
            at += WORD_BYTES;
        }
        long la = a;
        long lb = b;
        long lc = c;
        long ld = d;
        while (endOfWords - at >= TURN_WORDS * WORD_BYTES) {
            la = second(first(la, source.get(WORD, at)), source.get(WORD, at + WORD_BYTES));
            lb = second(first(lb, source.get(WORD, at + 2 * WORD_BYTES)), source.get(WORD, at + 3 * WORD_BYTES));
            lc = second(first(lc, source.get(WORD, at + 4 * WORD_BYTES)), source.get(WORD, at + 5 * WORD_BYTES));
            ld = second(first(ld, source.get(WORD, at + 6 * WORD_BYTES)), source.get(WORD, at + 7 * WORD_BYTES));
            at += TURN_WORDS * WORD_BYTES;
            word += TURN_WORDS;
        }
        a = la;
        b = lb;
        c = lc;
        d = ld;
        while (at < endOfWords) {
            mix(word++, source.get(WORD, at));
            at += WORD_BYTES;
        }
        int rest = lengthBytes & (WORD_BYTES - 1);
        if (rest > 0) {
            long last = 0;
            for (int i = 0; i < rest; i++) {
                last |= (source.get(ValueLayout.JAVA_BYTE, at + i) & 0xFFL) << (i * WORD_BYTES);
            }
            mix(word, last);
        }
    }

    private void mix(long word, long value) {
        boolean isFirst = (word & 1) == 0;
        switch ((int) (word & (TURN_WORDS - 1)) >> 1) {
            case 0 -> a = isFirst ? first(a, value) : second(a, value);
            case 1 -> b = isFirst ? first(b, value) : second(b, value);
            case 2 -> c = isFirst ? first(c, value) : second(c, value);
            default -> d = isFirst ? first(d, value) : second(d, value);
        }
    }

    private static long first(long hash, long value) {
        return Long.rotateLeft((hash ^ value) * FACTOR, SHIFT);
    }

    /** What it adds is multiplied with the first word of the next pair, or at the end. */
    private static long second(long hash, long value) {
        return hash + value;
    }

    private static long step(long hash, long value) {
        long mixed = (hash ^ value) * FACTOR;
        return mixed ^ (mixed >>> SHIFT);
    }

    /** Of the payload since {@link #begin} and of what a header says of the message; its tokens differ from life to life. */
    long of(FrameHeader header) {
        long hash = step(step(step(step(0, a), b), c), d);
        hash = step(hash, header.kind.code() | ((long) header.typeCode << 8) | ((long) header.flags << 16));
        hash = step(hash, ((long) header.tag << 32) | (header.count & 0xFFFF_FFFFL));
        return step(hash, header.messageBytes);
    }
}
