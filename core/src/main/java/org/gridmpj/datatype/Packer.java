package org.gridmpj.datatype;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * Pack and Unpack (MPI standard, 5.2). Primitive elements are packed as they travel, raw and in native order, so that a
 * packed message may be received with the datatypes that it was packed from, and the reverse. Each object is a
 * {@link ObjectRecord} of its own: Unpack may take any number of them.
 */
public final class Packer {
    private Packer() {}

    /**
     * Packs items at a position of a byte array.
     *
     * @return the position behind them
     * @throws MpiFailure BUFFER if there is too little room; it names the sizes
     */
    public static int pack(
            @Nullable Object array, int offset, int count, TypeMap type, byte @Nullable [] packed, int position) {
        byte[] target = requireBuffer(packed);
        return pack(array, offset, count, type, MemorySegment.ofArray(target), position, target.length);
    }

    /** As for byte arrays; positions count from index 0 of the buffer to its capacity. */
    public static int pack(
            @Nullable Object array, int offset, int count, TypeMap type, @Nullable ByteBuffer packed, int position) {
        ByteBuffer target = requireBuffer(packed);
        return pack(array, offset, count, type, segmentOf(target), position, target.capacity());
    }

    private static int pack(
            @Nullable Object array,
            int offset,
            int count,
            TypeMap type,
            MemorySegment target,
            int position,
            int capacityBytes) {
        int elements = MessageBuffer.checkedElements(array, offset, count, type);
        requirePosition(position, capacityBytes);
        if (elements == 0 || array == null) {
            return position;
        }
        if (type.base() != BaseType.OBJECT) {
            long bytes = (long) elements * type.base().sizeBytes();
            requireRoom(bytes, position, capacityBytes);
            ElementRuns.gather(array, offset, type, 0, elements, target, position);
            return (int) (position + bytes);
        }
        ObjectEncoder encoder = new ObjectEncoder();
        int at = position;
        try {
            for (int i = 0; i < elements; i++) {
                long bytes = encoder.encode((Object[]) array, offset, type, i, 1);
                requireRoom(bytes, at, capacityBytes);
                encoder.read(0, target, at, (int) bytes);
                at += (int) bytes;
            }
        } finally {
            encoder.clear();
        }
        return at;
    }

    /**
     * Unpacks items from a position of a byte array.
     *
     * @return the position behind them
     * @throws MpiFailure BUFFER if there are fewer bytes than the items need; TYPE if something else was packed
     */
    public static int unpack(
            byte @Nullable [] packed, int position, @Nullable Object array, int offset, int count, TypeMap type) {
        byte[] source = requireBuffer(packed);
        return unpack(MemorySegment.ofArray(source), source, position, source.length, array, offset, count, type);
    }

    /** As for byte arrays; positions count from index 0 of the buffer to its capacity. */
    public static int unpack(
            @Nullable ByteBuffer packed, int position, @Nullable Object array, int offset, int count, TypeMap type) {
        ByteBuffer source = requireBuffer(packed);
        return unpack(segmentOf(source), null, position, source.capacity(), array, offset, count, type);
    }

    private static int unpack(
            MemorySegment source,
            byte @Nullable [] bytes,
            int position,
            int capacityBytes,
            @Nullable Object array,
            int offset,
            int count,
            TypeMap type) {
        int elements = MessageBuffer.checkedElements(array, offset, count, type);
        requirePosition(position, capacityBytes);
        if (elements == 0 || array == null) {
            return position;
        }
        if (type.base() == BaseType.OBJECT) {
            byte[] staged = bytes != null ? bytes : source.asSlice(position).toArray(ValueLayout.JAVA_BYTE);
            int start = bytes != null ? position : 0;
            return position + unpackObjects(staged, start, (Object[]) array, offset, elements, type);
        }
        long needed = (long) elements * type.base().sizeBytes();
        if (needed > capacityBytes - position) {
            throw new MpiFailure(
                    ErrorClass.BUFFER,
                    "unpack needs " + needed + " bytes at position " + position + " for " + count + " items of " + type
                            + ", the packed buffer has " + capacityBytes);
        }
        ElementRuns.scatter(array, offset, type, 0, elements, source, position);
        return (int) (position + needed);
    }

    private static int unpackObjects(
            byte[] bytes, int start, @Nullable Object[] target, int offset, int wanted, TypeMap type) {
        ObjectDecoder decoder = new ObjectDecoder();
        decoder.begin(wanted, Thread.currentThread().getContextClassLoader());
        try {
            int at = start;
            int count = 0;
            while (count < wanted) {
                count += decoder.decodeOne(bytes, at, bytes.length - at, count);
                at += (int) decoder.recordBytes();
            }
            decoder.store(count, target, offset, type);
            return at - start;
        } catch (IOException | ClassNotFoundException | RuntimeException | StackOverflowError e) {
            throw ObjectCodecs.readFailure(e);
        } finally {
            decoder.clear();
        }
    }

    /**
     * Bytes that packing takes at most (Pack_size).
     *
     * @throws MpiFailure TYPE for OBJECT, whose size depends on the objects: see {@link #packSize(Object, int, int,
     *     TypeMap)}
     */
    public static int packSize(int count, TypeMap type) {
        if (count < 0) {
            throw new MpiFailure(ErrorClass.COUNT, "count is negative: " + count);
        }
        if (type.base() == BaseType.OBJECT) {
            throw new MpiFailure(
                    ErrorClass.TYPE,
                    "Pack_size of OBJECT is unknown before the objects are serialized: pack into a buffer that is"
                            + " surely large enough");
        }
        return checkedSize((long) count * type.size() * type.base().sizeBytes());
    }

    /** Bytes that these items take when packed; objects are serialized to find out. */
    public static int packSize(@Nullable Object array, int offset, int count, TypeMap type) {
        int elements = MessageBuffer.checkedElements(array, offset, count, type);
        if (type.base() != BaseType.OBJECT || elements == 0 || array == null) {
            return checkedSize((long) elements * type.base().sizeBytes());
        }
        ObjectEncoder encoder = new ObjectEncoder();
        try {
            long sum = 0;
            for (int i = 0; i < elements; i++) {
                sum += encoder.encode((Object[]) array, offset, type, i, 1);
            }
            return checkedSize(sum);
        } finally {
            encoder.clear();
        }
    }

    private static int checkedSize(long bytes) {
        if (bytes > Integer.MAX_VALUE) {
            throw new MpiFailure(ErrorClass.COUNT, "a packed message of " + bytes + " bytes fits in no Java array");
        }
        return (int) bytes;
    }

    private static void requirePosition(int position, int capacityBytes) {
        if (position < 0 || position > capacityBytes) {
            throw new MpiFailure(
                    ErrorClass.ARG, "position " + position + " lies outside of the packed buffer of " + capacityBytes);
        }
    }

    private static void requireRoom(long bytes, int position, int capacityBytes) {
        if (bytes > capacityBytes - position) {
            throw new MpiFailure(
                    ErrorClass.BUFFER,
                    "pack needs " + bytes + " bytes at position " + position + ", the packed buffer has "
                            + capacityBytes + ": allocate Pack_size bytes");
        }
    }

    private static <T> T requireBuffer(@Nullable T packed) {
        if (packed == null) {
            throw new MpiFailure(ErrorClass.BUFFER, "the packed buffer is null");
        }
        return packed;
    }

    private static MemorySegment segmentOf(ByteBuffer buffer) {
        return MemorySegment.ofBuffer(buffer.duplicate().clear());
    }
}
