package org.gridmpj.capture.heap;

import java.lang.foreign.MemorySegment;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * A direct buffer that {@code ByteBuffer.allocateDirect} has made: where it stands; its bytes follow. MPJ Express' Buffer_attach
 * takes such. Its views have the address of its memory, and are refused, as all other direct buffers are.
 */
record DirectForm(int bigEndian, int mark, int position, int limit, int capacity) {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final Class<?> TYPE = ByteBuffer.allocateDirect(0).getClass();
    /** What frees the memory; views and memory of others have none. */
    private static final long CLEANER = UNSAFE.objectFieldOffset(TYPE, "cleaner");

    private static final long MAPPED_FILE = UNSAFE.objectFieldOffset(MappedByteBuffer.class, "fd");
    private static final long MARK = UNSAFE.objectFieldOffset(Buffer.class, "mark");

    /** Null for all that is not such a buffer. */
    static @Nullable DirectForm of(Object object) {
        if (object.getClass() != TYPE
                || UNSAFE.getReference(object, CLEANER) == null
                || UNSAFE.getReference(object, MAPPED_FILE) != null) {
            return null;
        }
        ByteBuffer buffer = (ByteBuffer) object;
        return new DirectForm(
                buffer.order() == ByteOrder.BIG_ENDIAN ? 1 : 0,
                UNSAFE.getInt(buffer, MARK),
                buffer.position(),
                buffer.limit(),
                buffer.capacity());
    }

    /** All its bytes, wherever it stands. */
    static MemorySegment memory(Object buffer) {
        return MemorySegment.ofBuffer(((ByteBuffer) buffer).duplicate().clear());
    }

    /** Such a buffer, without its bytes. */
    ByteBuffer make() {
        ByteBuffer made = ByteBuffer.allocateDirect(capacity)
                .order(bigEndian == 1 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN)
                .limit(limit);
        if (mark >= 0) {
            made.position(mark).mark();
        }
        return made.position(position);
    }
}
