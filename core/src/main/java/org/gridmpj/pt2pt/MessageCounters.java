package org.gridmpj.pt2pt;

/**
 * Counts the messages to one peer, by context: message ids in program order. An open-addressed map with a one-entry
 * memory, since most messages follow one of the same context. Guarded by the progress lock.
 */
final class MessageCounters {
    private static final int FIRST_CAPACITY = 8;

    private long[] contexts = new long[FIRST_CAPACITY];
    private long[] nextIds = new long[FIRST_CAPACITY];
    private int size;
    private int lastSlot;

    /** The next id of a context, from 1. */
    long next(long contextId) {
        int slot = lastSlot;
        if (nextIds[slot] == 0 || contexts[slot] != contextId) {
            slot = slotOf(contextId);
            if (nextIds[slot] == 0) {
                slot = insert(contextId);
            }
            lastSlot = slot;
        }
        return nextIds[slot]++;
    }

    /** The last one that {@link #next} has given was not used after all. */
    void takeBack(long contextId) {
        nextIds[slotOf(contextId)]--;
    }

    /** Whether a message with this number has been counted. */
    boolean hasCounted(long contextId, long messageId) {
        return nextIds[slotOf(contextId)] > messageId;
    }

    /** Takes over the counter of a snapshot. */
    void set(long contextId, long nextId) {
        int slot = slotOf(contextId);
        if (nextIds[slot] == 0) {
            slot = insert(contextId);
        }
        nextIds[slot] = nextId;
    }

    /** Becomes what another one is. */
    void adopt(MessageCounters other) {
        contexts = other.contexts;
        nextIds = other.nextIds;
        size = other.size;
        lastSlot = 0;
    }

    int size() {
        return size;
    }

    /** Sees each counter. */
    interface Visitor {
        void counter(long contextId, long nextId);
    }

    void forEach(Visitor visitor) {
        for (int slot = 0; slot < contexts.length; slot++) {
            if (nextIds[slot] != 0) {
                visitor.counter(contexts[slot], nextIds[slot]);
            }
        }
    }

    private int insert(long contextId) {
        if (2 * (size + 1) > contexts.length) {
            grow();
        }
        int slot = slotOf(contextId);
        contexts[slot] = contextId;
        nextIds[slot] = 1;
        size++;
        return slot;
    }

    private void grow() {
        long[] oldContexts = contexts;
        long[] oldIds = nextIds;
        contexts = new long[2 * oldContexts.length];
        nextIds = new long[contexts.length];
        for (int i = 0; i < oldContexts.length; i++) {
            if (oldIds[i] != 0) {
                int slot = slotOf(oldContexts[i]);
                contexts[slot] = oldContexts[i];
                nextIds[slot] = oldIds[i];
            }
        }
        lastSlot = 0;
    }

    /** The slot of a context, or the free one where it belongs. */
    private int slotOf(long contextId) {
        int mask = contexts.length - 1;
        int slot = Long.hashCode(contextId * 0x9E3779B97F4A7C15L) & mask;
        while (nextIds[slot] != 0 && contexts[slot] != contextId) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }
}
