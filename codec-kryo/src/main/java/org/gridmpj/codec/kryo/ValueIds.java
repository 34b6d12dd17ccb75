package org.gridmpj.codec.kryo;

import java.util.Arrays;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The ids of boxes and strings, by identity, found by the hash codes of their values: the first identity hash of an object
 * is a call into the JVM, 30 ns, and boxes in messages mostly are new. Of equal ones that are not the same only as many are
 * kept as stand within reach of one place.
 */
final class ValueIds {
    private static final int LEAST = 64;
    /** Larger ones are left to the collector. */
    private static final int KEPT = 8192;
    /** Places that an object may stand at. */
    private static final int REACH = 8;
    /** The hash of a longer string takes longer than its identity. */
    private static final int LONGEST_STRING = 128;

    private static final int GOLDEN = 0x9E3779B9;

    private final ObjIntConsumer<Object> others;
    private @Nullable Object[] objects = new Object[LEAST];
    private int[] ids = new int[LEAST];
    private int size;
    private boolean turnedAway;

    /** With where those go that are turned away. */
    ValueIds(ObjIntConsumer<Object> others) {
        this.others = others;
    }

    /** Whether an object may be kept here. */
    static boolean takes(Object object) {
        return object instanceof Number
                ? object.getClass() == Integer.class || object instanceof Long || object instanceof Double
                : object instanceof String text && text.length() <= LONGEST_STRING;
    }

    /** Whether any was turned away since the last clear, and so is to be looked up elsewhere. */
    boolean hasTurnedAway() {
        return turnedAway;
    }

    private static int place(Object object, int length) {
        return (object.hashCode() * GOLDEN) >>> Integer.numberOfLeadingZeros(length - 1);
    }

    /** The id of an object, or −1. */
    @SuppressWarnings("ReferenceEquality") // identity is what is asked for
    int get(Object object) {
        int at = place(object, objects.length);
        for (int i = 0; i < REACH; i++) {
            int slot = (at + i) & (objects.length - 1);
            Object there = objects[slot];
            if (there == null) {
                return -1;
            }
            if (there == object) {
                return ids[slot];
            }
        }
        return -1;
    }

    /** Keeps an object that is not there yet, or turns it away. */
    void put(Object object, int id) {
        if (size * 2 >= objects.length) {
            grow();
        }
        insert(object, id);
    }

    private void insert(Object object, int id) {
        int at = place(object, objects.length);
        for (int i = 0; i < REACH; i++) {
            int slot = (at + i) & (objects.length - 1);
            if (objects[slot] == null) {
                objects[slot] = object;
                ids[slot] = id;
                size++;
                return;
            }
        }
        turnedAway = true;
        others.accept(object, id);
    }

    private void grow() {
        @Nullable Object[] before = objects;
        int[] idsBefore = ids;
        objects = new Object[before.length * 2];
        ids = new int[objects.length];
        size = 0;
        for (int i = 0; i < before.length; i++) {
            Object object = before[i];
            if (object != null) {
                insert(object, idsBefore[i]);
            }
        }
    }

    void clear() {
        if (size > 0) {
            if (objects.length > KEPT) {
                objects = new Object[LEAST];
                ids = new int[LEAST];
            } else {
                Arrays.fill(objects, null);
            }
            size = 0;
        }
        turnedAway = false;
    }
}
