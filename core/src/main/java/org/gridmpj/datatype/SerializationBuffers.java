package org.gridmpj.datatype;

import java.util.ArrayDeque;

/**
 * The permanent serialization buffers of a process. They grow to what the messages need and are kept, so that a steady
 * program allocates none; one that has long been much larger than its messages is left to the collector. Thread-safe.
 */
public final class SerializationBuffers {
    private static final int DEFAULT_BYTES = 8 * 1024;
    private static final int KEPT = 16;
    /** Above this sum buffers are left to the collector, unless the program itself asked for their size. */
    private static final long KEPT_BYTES = 64L << 20;

    private static final ArrayDeque<SerializationBuffer> FREE = new ArrayDeque<>();
    private static volatile int sizeBytes = DEFAULT_BYTES;
    private static long keptBytes;

    private SerializationBuffers() {}

    /** The size that buffers begin with ({@code SetBufferSize} of the 2005 report). */
    public static void setSizeBytes(int bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a buffer size of " + bytes);
        }
        synchronized (FREE) {
            sizeBytes = bytes;
            FREE.clear();
            keptBytes = 0;
        }
    }

    /** As {@link #setSizeBytes}, of a snapshot: in the new process nobody has asked for another size yet. */
    public static void restoreSizeBytes(int bytes) {
        if (bytes != DEFAULT_BYTES) {
            setSizeBytes(bytes);
        }
    }

    /** The size that buffers begin with. */
    public static int sizeBytes() {
        return sizeBytes;
    }

    /**
     * Gives a buffer back, unless it is a small one of the size that is asked for now: who had it may keep that for the next
     * message.
     *
     * @return whether it is to be kept, emptied; else it was given back
     */
    static boolean keepOrGiveBack(SerializationBuffer buffer) {
        int capacity = buffer.capacityBytes();
        if (capacity <= DEFAULT_BYTES && capacity == sizeBytes) {
            buffer.clear();
            return true;
        }
        giveBack(buffer);
        return false;
    }

    static SerializationBuffer take() {
        synchronized (FREE) {
            SerializationBuffer buffer = FREE.pollLast();
            if (buffer == null) {
                return new SerializationBuffer(sizeBytes);
            }
            keptBytes -= buffer.capacityBytes();
            return buffer;
        }
    }

    static void giveBack(SerializationBuffer buffer) {
        buffer.clear();
        synchronized (FREE) {
            int capacity = buffer.capacityBytes();
            if (capacity > sizeBytes && buffer.isTooLarge()) {
                return;
            }
            if (FREE.size() < KEPT && (keptBytes + capacity <= KEPT_BYTES || capacity <= sizeBytes)) {
                FREE.addLast(buffer);
                keptBytes += capacity;
            }
        }
    }
}
