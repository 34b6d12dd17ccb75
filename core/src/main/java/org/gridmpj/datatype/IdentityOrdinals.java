package org.gridmpj.datatype;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Numbers objects in the order in which they are first met, by identity. Open addressing, no object per entry. */
final class IdentityOrdinals {
    private @Nullable Object[] keys = new Object[64];
    private int[] ordinals = new int[64];
    private int size;

    /** The number of an object met before, or −1: it is new and has the next number now. */
    @SuppressWarnings("ReferenceEquality") // identity is what is asked for
    int ordinalOrAdd(Object object) {
        int mask = keys.length - 1;
        int slot = slotOf(object, mask);
        while (keys[slot] != null) {
            if (keys[slot] == object) {
                return ordinals[slot];
            }
            slot = (slot + 1) & mask;
        }
        keys[slot] = object;
        ordinals[slot] = size++;
        if (size * 2 > keys.length) {
            grow();
        }
        return -1;
    }

    private void grow() {
        @Nullable Object[] oldKeys = keys;
        int[] oldOrdinals = ordinals;
        int mask = oldKeys.length * 2 - 1;
        keys = new Object[oldKeys.length * 2];
        ordinals = Arrays.copyOf(ordinals, oldKeys.length * 2);
        for (int i = 0; i < oldKeys.length; i++) {
            Object key = oldKeys[i];
            if (key != null) {
                int slot = slotOf(key, mask);
                while (keys[slot] != null) {
                    slot = (slot + 1) & mask;
                }
                keys[slot] = key;
                ordinals[slot] = oldOrdinals[i];
            }
        }
    }

    private static int slotOf(Object object, int mask) {
        int hash = System.identityHashCode(object) * 0x9E3779B9;
        return (hash ^ hash >>> 15) & mask;
    }
}
