package org.gridmpj.datatype;

import java.io.StreamCorruptedException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The primitive arrays of an object message, their data one after the other, each padded to 8 bytes. Reused; confined to
 * the message's owner.
 *
 * <p>Receiving works in two ways: arrays are added empty and {@link #write} fills them as the bytes arrive, or the bytes
 * are there already ({@link #fillFrom}) and each array is filled when it is added, so that a {@code readObject} of the
 * program sees its contents.
 */
public final class DataVector {
    /** Every array begins at a multiple of this many bytes. */
    static final int ALIGNMENT = 8;

    private Object[] arrays = new Object[16];
    private BaseType[] bases = new BaseType[16];
    /** Position of the data of each array; one more entry than arrays: the end. */
    private long[] positions = new long[17];

    private int count;
    private long lengthBytes;
    private long limitBytes = Long.MAX_VALUE;
    private @Nullable MemorySegment staged;
    private long stagedOffset;

    /** Appends a primitive array: its data are to be sent, or to be received next. */
    public void add(Object array) throws StreamCorruptedException {
        BaseType base = ArrayCodec.baseOf(array);
        if (base == BaseType.OBJECT) {
            throw new IllegalArgumentException("not an array of primitives: " + array.getClass());
        }
        add(base, array, lengthOf(base, array));
    }

    void add(BaseType base, Object array, int length) throws StreamCorruptedException {
        if (length == 0) {
            return;
        }
        long bytes = (long) length * base.sizeBytes();
        long at = lengthBytes;
        if (at + paddedBytes(bytes) > limitBytes) {
            throw new StreamCorruptedException("the arrays of an object message need " + (at + bytes)
                    + " bytes or more, but it has only " + limitBytes);
        }
        lengthBytes = at + paddedBytes(bytes);
        if (staged != null) {
            ArrayCodec.fromBytes(base, staged, stagedOffset + at, array, 0, length);
            return;
        }
        if (count == arrays.length) {
            arrays = Arrays.copyOf(arrays, count * 2);
            bases = Arrays.copyOf(bases, count * 2);
            positions = Arrays.copyOf(positions, count * 2 + 1);
        }
        arrays[count] = array;
        bases[count] = base;
        count++;
        positions[count] = lengthBytes;
    }

    /**
     * Whether an array may still be added: asked before it is allocated, so that a corrupt length costs no memory.
     *
     * @throws StreamCorruptedException if the message is too short for it
     */
    public void require(BaseType base, int length) throws StreamCorruptedException {
        if (length < 0 || lengthBytes + (long) length * base.sizeBytes() > limitBytes) {
            throw new StreamCorruptedException("an object message of " + limitBytes
                    + " bytes of array data announces an array " + base + " of " + length);
        }
    }

    /** Bytes of all arrays, padding included. */
    public long lengthBytes() {
        return lengthBytes;
    }

    /** Forgets all arrays. */
    void clear() {
        Arrays.fill(arrays, 0, count, null);
        count = 0;
        lengthBytes = 0;
        limitBytes = Long.MAX_VALUE;
        staged = null;
        stagedOffset = 0;
    }

    /** Sets how many bytes all arrays together have. */
    void limit(long bytes) {
        limitBytes = bytes;
    }

    /** From now on arrays are filled when they are added. */
    void fillFrom(MemorySegment bytes, long offset, long limit) {
        clear();
        staged = bytes;
        stagedOffset = offset;
        limitBytes = limit;
    }

    /** Copies bytes position … of the data out; position is a multiple of 8. */
    public void read(long position, MemorySegment target, long targetOffset, int length) {
        move(true, position, target, targetOffset, length);
    }

    /** Copies bytes of the data into the arrays; position is a multiple of 8. */
    public void write(long position, MemorySegment source, long sourceOffset, int length) {
        move(false, position, source, sourceOffset, length);
    }

    private void move(boolean reading, long position, MemorySegment segment, long offset, int length) {
        int array = arrayAt(position);
        long at = position;
        long end = position + length;
        while (at < end) {
            BaseType base = bases[array];
            Object elements = arrays[array];
            int size = base.sizeBytes();
            long start = positions[array];
            int index = (int) ((at - start) / size);
            int left = lengthOf(base, elements) - index;
            int moved = (int) Math.min(left, (end - at) / size);
            long segmentAt = offset + (at - position);
            if (reading) {
                ArrayCodec.toBytes(base, elements, index, segment, segmentAt, moved);
            } else {
                ArrayCodec.fromBytes(base, segment, segmentAt, elements, index, moved);
            }
            at += (long) moved * size;
            long next = Math.min(end, positions[array + 1]);
            for (long gap = at; reading && gap < next; gap++) {
                segment.set(ValueLayout.JAVA_BYTE, offset + (gap - position), (byte) 0);
            }
            at = next;
            array++;
        }
    }

    private int arrayAt(long position) {
        int found = Arrays.binarySearch(positions, 0, count + 1, position);
        return found >= 0 ? found : -found - 2;
    }

    static long paddedBytes(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }

    private static int lengthOf(BaseType base, Object array) {
        return switch (base) {
            case BYTE, PACKED -> ((byte[]) array).length;
            case CHAR -> ((char[]) array).length;
            case SHORT -> ((short[]) array).length;
            case BOOLEAN -> ((boolean[]) array).length;
            case INT -> ((int[]) array).length;
            case LONG -> ((long[]) array).length;
            case FLOAT -> ((float[]) array).length;
            case DOUBLE -> ((double[]) array).length;
            case OBJECT -> ((Object[]) array).length;
        };
    }
}
