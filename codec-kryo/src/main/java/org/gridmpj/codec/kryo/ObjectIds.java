package org.gridmpj.codec.kryo;

import org.jspecify.annotations.Nullable;

/**
 * The ids of the objects of one graph, by identity. Boxes and strings are found by the hash codes of their values: the first
 * identity hash of an object is a call into the JVM, 30 ns, and boxes in messages mostly are new. Of equal ones that are not
 * the same only as many are found so as stand within reach of one place; the others stand where their identity hash says.
 *
 * <p>The arrays are new with each graph of many objects: see {@link WrittenObjects}.
 */
final class ObjectIds {
    private static final int LEAST = 128;
    /** The next table is not made larger at once, whatever the last one was. */
    private static final int MOST_AT_ONCE = 8192;
    /** Places that an object may stand at that is found by its value. */
    private static final int REACH = 8;
    /** The hash of a longer string takes longer than its identity. */
    private static final int LONGEST_STRING = 128;

    private static final int GOLDEN = 0x9E3779B9;
    private static final @Nullable Object[] NONE = {};

    /** Nothing is taken away before all is: what stood beyond full places still does. */
    private @Nullable Object[] objects = NONE;

    private int[] ids = new int[LEAST];
    private int size;
    private int expectedSize;

    private static boolean hasValue(Object object) {
        return object instanceof Number
                ? object.getClass() == Integer.class || object instanceof Long || object instanceof Double
                : object instanceof String text && text.length() <= LONGEST_STRING;
    }

    private int place(int hash) {
        return (hash * GOLDEN) >>> Integer.numberOfLeadingZeros(objects.length - 1);
    }

    /** The id of an object; if it has none, −1, and it has this one now. */
    @SuppressWarnings("ReferenceEquality") // identity is what is asked for
    int getOrPut(Object object, int id) {
        if (size * 2 >= objects.length) {
            grow();
        }
        // places to look at before that of its identity
        int left = hasValue(object) ? REACH : 0;
        int slot = place(left > 0 ? object.hashCode() : System.identityHashCode(object));
        while (true) {
            Object there = objects[slot];
            if (there == null) {
                objects[slot] = object;
                ids[slot] = id;
                size++;
                return -1;
            }
            if (there == object) {
                return ids[slot];
            }
            left--;
            slot = left == 0 ? place(System.identityHashCode(object)) : (slot + 1) & (objects.length - 1);
        }
    }

    private void grow() {
        @Nullable Object[] before = objects;
        int[] idsBefore = ids;
        int length = Math.max(LEAST, before.length * 2);
        while (length < MOST_AT_ONCE && length < expectedSize * 2) {
            length *= 2;
        }
        objects = new Object[length];
        if (before.length > 0 || ids.length < length) {
            ids = new int[length];
        }
        size = 0;
        for (int i = 0; i < before.length; i++) {
            Object object = before[i];
            if (object != null) {
                int _ = getOrPut(object, idsBefore[i]);
            }
        }
    }

    /** Lets go of all. */
    void clear() {
        expectedSize = size;
        objects = NONE;
        if (ids.length > MOST_AT_ONCE) {
            ids = new int[LEAST];
        }
        size = 0;
    }
}
