package org.gridmpj.datatype;

import java.util.ArrayDeque;

/**
 * The permanent serialization buffers of a process. They grow to what the messages need and are kept, so that a steady
 * program allocates none. Thread-safe.
 */
public final class SerializationBuffers {
    private static final int DEFAULT_BYTES = 8 * 1024;
    private static final int KEPT = 16;
    /** Larger ones are left to the collector, unless the program itself asked for such a size. */
    private static final int KEPT_BYTES = 4 << 20;

    private static final ArrayDeque<SerializationBuffer> FREE = new ArrayDeque<>();
    private static int sizeBytes = DEFAULT_BYTES;

    private SerializationBuffers() {}

    /** The size that buffers begin with ({@code SetBufferSize} of the 2005 report). */
    public static void setSizeBytes(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a buffer size of " + bytes);
        }
        synchronized (FREE) {
            sizeBytes = bytes;
            FREE.removeIf(buffer -> buffer.capacityBytes() < bytes);
        }
    }

    /** The size that buffers begin with. */
    public static int sizeBytes() {
        synchronized (FREE) {
            return sizeBytes;
        }
    }

    static SerializationBuffer take() {
        synchronized (FREE) {
            SerializationBuffer buffer = FREE.pollLast();
            return buffer != null ? buffer : new SerializationBuffer(sizeBytes);
        }
    }

    static void giveBack(SerializationBuffer buffer) {
        buffer.clear();
        synchronized (FREE) {
            if (FREE.size() < KEPT && buffer.capacityBytes() <= Math.max(KEPT_BYTES, sizeBytes)) {
                FREE.addLast(buffer);
            }
        }
    }
}
