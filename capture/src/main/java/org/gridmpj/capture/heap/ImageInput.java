package org.gridmpj.capture.heap;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import jdk.internal.misc.Unsafe;

/** Reads what {@link ImageMemory} was given. Confined to one thread. */
final class ImageInput {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private final InputStream in;
    private final byte[] buffer = new byte[1 << 16];
    private final MemorySegment segment = MemorySegment.ofArray(buffer);
    private int from;
    private int to;

    ImageInput(InputStream in) {
        this.in = in;
    }

    private void need(int bytes) throws IOException {
        if (to - from < bytes) {
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            from = 0;
            while (to < bytes) {
                int read = in.read(buffer, to, buffer.length - to);
                if (read < 0) {
                    throw new EOFException("the image ends in the middle of an object");
                }
                to += read;
            }
        }
    }

    int getByte() throws IOException {
        need(1);
        return buffer[from++];
    }

    int getShort() throws IOException {
        need(2);
        int low = buffer[from++] & 0xFF;
        return low | buffer[from++] << 8;
    }

    int getInt() throws IOException {
        need(Integer.BYTES);
        int value = segment.get(INT, from);
        from += Integer.BYTES;
        return value;
    }

    long getLong() throws IOException {
        need(Long.BYTES);
        long value = segment.get(LONG, from);
        from += Long.BYTES;
        return value;
    }

    int getLength() throws IOException {
        int length = getInt();
        if (length < 0) {
            throw new ImageMismatchException("the image has a negative length: it is corrupt");
        }
        return length;
    }

    String getText() throws IOException {
        int length = getInt();
        return length < 0 ? getCharacters(~length) : new String(getBytes(length), StandardCharsets.UTF_8);
    }

    /** A text whose characters lie in so many bytes. */
    String getCharacters(int length) throws IOException {
        if (length % Character.BYTES != 0) {
            throw new ImageMismatchException("the image has a text with half a character: it is corrupt");
        }
        char[] characters = new char[length / Character.BYTES];
        getBytes(MemorySegment.ofArray(characters));
        return new String(characters);
    }

    /** Passes over so many bytes. */
    void skip(long length) throws IOException {
        long left = length;
        while (left > 0) {
            if (from == to) {
                need(1);
            }
            int part = (int) Math.min(left, to - from);
            from += part;
            left -= part;
        }
    }

    byte[] getBytes(int length) throws IOException {
        byte[] bytes = new byte[length];
        getBytes(MemorySegment.ofArray(bytes));
        return bytes;
    }

    /**
     * Fills an array, or memory outside the heap, as it lay. Not by MemorySegment.copy, whose loop for less than 64 bytes the optimizing compiler of JDK 25
     * gets wrong where the array is new: words of 8 bytes were zero when they were read (docs/design/0012).
     */
    void getBytes(MemorySegment target) throws IOException {
        Object array = target.heapBase().orElse(null);
        long first = (array == null ? 0 : UNSAFE.arrayBaseOffset(array.getClass())) + target.address();
        long at = 0;
        long length = target.byteSize();
        while (at < length) {
            if (from == to) {
                need(1);
            }
            long part = Math.min(length - at, to - from);
            UNSAFE.copyMemory(buffer, Unsafe.ARRAY_BYTE_BASE_OFFSET + from, array, first + at, part);
            from += (int) part;
            at += part;
        }
    }
}
