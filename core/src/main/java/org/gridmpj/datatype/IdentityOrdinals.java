package org.gridmpj.datatype;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Numbers objects in the order in which they are first met, by identity. No object per entry; reused; confined to its
 * owner.
 *
 * <p>An identity hash costs a call into the JVM when an object is asked for the first time, and rows that were just
 * received or made never were. So a few objects are compared one by one; and a process remembers, weakly, the objects of
 * one message of which it knows that all differ: as long as the objects met are those, one after the other, each is new.
 */
final class IdentityOrdinals {
    /** Up to so many objects are compared one by one. */
    private static final int FEW = 8;

    private static final int LEAST_SLOTS = 64;
    /** A table that is larger than its use by this factor, or than this, is left to the collector. */
    private static final int LAVISH = 16;

    private static final int MOST_SLOTS = 1 << 16;

    /** Objects of which all differ. Its elements never change once they are there; absent ones are null. */
    private static volatile @Nullable WeakReference<@Nullable Object[]> lastDistinct;

    private @Nullable Object[] met = new Object[FEW];
    private int size;
    /** While this is there, the objects met are its first ones, and met has none. */
    private @Nullable Object @Nullable [] expected;

    private boolean hashed;
    private @Nullable Object[] keys = {};
    private int[] ordinals = {};

    /** These objects all differ: perhaps they are sent next. What is null now may be put there later. */
    static void remember(@Nullable Object[] distinct) {
        if (distinct.length > FEW) {
            lastDistinct = new WeakReference<>(distinct);
        }
    }

    void begin() {
        WeakReference<@Nullable Object[]> reference = lastDistinct;
        expected = reference == null ? null : reference.get();
    }

    /** Lets go of all objects. */
    void end() {
        if (expected == null) {
            if (size > FEW) {
                remember(Arrays.copyOf(met, size));
            }
            Arrays.fill(met, 0, size, null);
        }
        expected = null;
        if (hashed) {
            hashed = false;
            if (keys.length > MOST_SLOTS || keys.length > Math.max(LEAST_SLOTS, size * LAVISH)) {
                met = new Object[FEW];
                keys = new Object[0];
                ordinals = new int[0];
            } else {
                Arrays.fill(keys, null);
            }
        }
        size = 0;
    }

    /** The number of an object met before, or −1: it is new and has the next number now. */
    @SuppressWarnings("ReferenceEquality") // identity is what is asked for
    int ordinalOrAdd(Object object) {
        @Nullable Object[] known = expected;
        if (known != null) {
            if (size < known.length && known[size] == object) {
                size++;
                return -1;
            }
            expected = null;
            met = Arrays.copyOf(known, Math.max(FEW, size * 2));
            Arrays.fill(met, size, met.length, null);
        }
        if (!hashed) {
            if (size < FEW) {
                return ordinalOrAddToFew(object);
            }
            hashAll();
        }
        int mask = keys.length - 1;
        int slot = slotOf(object, mask);
        while (keys[slot] != null) {
            if (keys[slot] == object) {
                return ordinals[slot];
            }
            slot = (slot + 1) & mask;
        }
        keys[slot] = object;
        ordinals[slot] = size;
        append(object);
        if (size * 2 > keys.length) {
            hashAll();
        }
        return -1;
    }

    @SuppressWarnings("ReferenceEquality")
    private int ordinalOrAddToFew(Object object) {
        for (int i = 0; i < size; i++) {
            if (met[i] == object) {
                return i;
            }
        }
        append(object);
        return -1;
    }

    private void append(Object object) {
        if (size == met.length) {
            met = Arrays.copyOf(met, size * 2);
        }
        met[size++] = object;
    }

    private void hashAll() {
        int slots = Math.max(LEAST_SLOTS, keys.length);
        while (slots < size * 4) {
            slots *= 2;
        }
        if (slots > keys.length) {
            keys = new Object[slots];
            ordinals = new int[slots];
        }
        hashed = true;
        int mask = keys.length - 1;
        for (int i = 0; i < size; i++) {
            Object object = met[i];
            if (object == null) {
                throw new IllegalStateException("object " + i + " of " + size + " is lost");
            }
            int slot = slotOf(object, mask);
            while (keys[slot] != null) {
                slot = (slot + 1) & mask;
            }
            keys[slot] = object;
            ordinals[slot] = i;
        }
    }

    private static int slotOf(Object object, int mask) {
        int hash = System.identityHashCode(object) * 0x9E3779B9;
        return (hash ^ hash >>> 15) & mask;
    }
}
