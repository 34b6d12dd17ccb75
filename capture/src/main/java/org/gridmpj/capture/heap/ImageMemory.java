package org.gridmpj.capture.heap;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import jdk.internal.misc.Unsafe;
import org.gridmpj.memory.FreshMemory;

/**
 * Native memory that an image is copied into while the program stands still; kept from one snapshot to the next, since memory
 * that nobody has written to yet costs page faults. Owned by one snapshot at a time. Numbers are little-endian.
 */
public final class ImageMemory implements AutoCloseable {
    /** The memory comes in pieces of so many bytes. */
    public static final long PIECE_BYTES = 8L << 20;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int PAGE_BYTES = 4 << 10;

    private final Arena arena = Arena.ofShared();
    /** Pieces that are there before they are needed, written to once. */
    private final Queue<MemorySegment> ahead = new ConcurrentLinkedQueue<>();

    private final List<MemorySegment> pieces = new ArrayList<>();
    /** Bytes used of the pieces before the current one. */
    private final List<Long> used = new ArrayList<>();

    private volatile boolean inUse;
    private MemorySegment current = MemorySegment.NULL;
    private long at;
    private int index = -1;

    /**
     * Makes one more piece ready before anybody waits for it. From any thread, but from one at a time.
     *
     * @return whether more may come: not once the first image has begun
     */
    public boolean provide() {
        if (inUse) {
            return false;
        }
        MemorySegment piece = FreshMemory.of(PIECE_BYTES, arena);
        for (long at = 0; at < PIECE_BYTES; at += PAGE_BYTES) {
            piece.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
        }
        ahead.add(piece);
        return true;
    }

    /** Forgets the content and keeps the memory. */
    public void reset() {
        inUse = true;
        used.clear();
        index = -1;
        current = MemorySegment.NULL;
        at = 0;
    }

    /** Bytes put since the last reset. */
    public long lengthBytes() {
        return used.stream().mapToLong(Long::longValue).sum() + at;
    }

    /** What takes the content. */
    @FunctionalInterface
    public interface Taker {
        /** Takes the next bytes; the buffer is valid during the call. */
        void take(ByteBuffer bytes) throws IOException;
    }

    /** Hands out the content in order. What was provided and not needed goes back to the system. */
    public void writeTo(Taker taker) throws IOException {
        ahead.forEach(FreshMemory::release);
        for (int i = 0; i <= index; i++) {
            long bytes = i < index ? used.get(i) : at;
            for (long from = 0; from < bytes; from += PIECE_BYTES) {
                taker.take(pieces.get(i)
                        .asSlice(from, Math.min(PIECE_BYTES, bytes - from))
                        .asByteBuffer());
            }
        }
    }

    void putByte(int value) {
        room(1);
        current.set(ValueLayout.JAVA_BYTE, at, (byte) value);
        at++;
    }

    void putShort(int value) {
        putByte(value);
        putByte(value >> 8);
    }

    void putInt(int value) {
        room(Integer.BYTES);
        current.set(INT, at, value);
        at += Integer.BYTES;
    }

    void putLong(long value) {
        room(Long.BYTES);
        current.set(LONG, at, value);
        at += Long.BYTES;
    }

    /** As UTF-8, which has nothing for half a surrogate pair; a text with one is its characters, and its length negative. */
    void putText(String text) {
        if (isWellFormed(text)) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            putInt(bytes.length);
            putBytes(MemorySegment.ofArray(bytes));
        } else {
            putInt(~Math.multiplyExact(text.length(), Character.BYTES));
            putBytes(MemorySegment.ofArray(text.toCharArray()));
        }
    }

    private static boolean isWellFormed(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return text.codePoints()
                        .noneMatch(point -> point <= Character.MAX_VALUE && Character.isSurrogate((char) point));
            }
        }
        return true;
    }

    /**
     * Copies an array as it lies; on a host of the other byte order an image is not readable, and says so. As
     * {@link ImageInput#getBytes(MemorySegment)} not by MemorySegment.copy.
     */
    void putBytes(MemorySegment bytes) {
        Object array = bytes.heapBase().orElse(null);
        long first = (array == null ? 0 : UNSAFE.arrayBaseOffset(array.getClass())) + bytes.address();
        long from = 0;
        long length = bytes.byteSize();
        while (from < length) {
            room(1);
            long part = Math.min(length - from, current.byteSize() - at);
            UNSAFE.copyMemory(array, first + from, null, current.address() + at, part);
            at += part;
            from += part;
        }
    }

    private void room(int bytes) {
        if (current.byteSize() - at < bytes) {
            if (index >= 0) {
                used.add(at);
            }
            index++;
            if (index == pieces.size()) {
                MemorySegment ready = ahead.poll();
                pieces.add(ready == null ? FreshMemory.of(PIECE_BYTES, arena) : ready);
            }
            current = pieces.get(index);
            at = 0;
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
