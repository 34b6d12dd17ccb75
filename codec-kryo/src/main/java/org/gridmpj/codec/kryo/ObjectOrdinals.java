package org.gridmpj.codec.kryo;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers the objects of a graph in the order in which they are met, by identity. A few are compared one by one: an
 * identity hash is a call into the JVM for an object that never had one. Reused; confined to its owner.
 */
final class ObjectOrdinals {
    private static final int FEW = 24;
    private static final int MOST_SLOTS = 1 << 14;

    private @Nullable Object[] met = new Object[FEW];
    private int size;
    /** Open addressing: ordinal + 1; 0: free. Empty while there are few objects. */
    private int[] slots = {};

    private boolean hashed;

    /** The number of an object met before, or −1: it is new and has the next number now. */
    @SuppressWarnings("ReferenceEquality") // identity is what is asked for
    int ordinalOrAdd(Object object) {
        if (!hashed) {
            for (int i = 0; i < size; i++) {
                if (met[i] == object) {
                    return i;
                }
            }
            append(object);
            if (size == FEW) {
                hashAll();
            }
            return -1;
        }
        int mask = slots.length - 1;
        int slot = slotOf(object, mask);
        for (int there = slots[slot]; there != 0; there = slots[slot]) {
            if (met[there - 1] == object) {
                return there - 1;
            }
            slot = (slot + 1) & mask;
        }
        append(object);
        slots[slot] = size;
        if (size * 2 > slots.length) {
            hashAll();
        }
        return -1;
    }

    private void append(Object object) {
        if (size == met.length) {
            met = Arrays.copyOf(met, size * 2);
        }
        met[size++] = object;
    }

    private void hashAll() {
        hashed = true;
        if (slots.length < size * 4) {
            slots = new int[Integer.highestOneBit(size * 8 - 1)];
        }
        int mask = slots.length - 1;
        for (int i = 0; i < size; i++) {
            int slot = slotOf(met[i], mask);
            while (slots[slot] != 0) {
                slot = (slot + 1) & mask;
            }
            slots[slot] = i + 1;
        }
    }

    /** Forgets all; large tables are left to the collector. */
    void clear() {
        if (met.length > MOST_SLOTS) {
            met = new Object[FEW];
            slots = new int[0];
        } else {
            Arrays.fill(met, 0, size, null);
            if (hashed) {
                Arrays.fill(slots, 0);
            }
        }
        hashed = false;
        size = 0;
    }

    private static int slotOf(@Nullable Object object, int mask) {
        int hash = System.identityHashCode(object) * 0x9E3779B9;
        return (hash ^ hash >>> 15) & mask;
    }
}
