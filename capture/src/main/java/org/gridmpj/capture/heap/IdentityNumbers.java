package org.gridmpj.capture.heap;

import java.util.Arrays;

/** Numbers objects by identity in the order of their coming: an open-addressing table. Confined to one thread. */
final class IdentityNumbers {
    private Object[] keys = new Object[1 << 12];
    private int[] numbers = new int[1 << 12];
    private int size;

    /** The number of an object, or ~number if it is new. */
    int number(Object object) {
        int mask = keys.length - 1;
        int at = spread(System.identityHashCode(object)) & mask;
        Object key;
        while ((key = keys[at]) != null) {
            if (same(key, object)) {
                return numbers[at];
            }
            at = at + 1 & mask;
        }
        keys[at] = object;
        numbers[at] = size;
        int number = size++;
        if (size * 2L > keys.length) {
            grow();
        }
        return ~number;
    }

    int size() {
        return size;
    }

    void clear() {
        Arrays.fill(keys, null);
        size = 0;
    }

    // identity is the point
    @SuppressWarnings("ReferenceEquality")
    private static boolean same(Object a, Object b) {
        return a == b;
    }

    private static int spread(int hash) {
        return hash ^ hash >>> 15;
    }

    private void grow() {
        Object[] oldKeys = keys;
        int[] oldNumbers = numbers;
        keys = new Object[oldKeys.length * 2];
        numbers = new int[oldKeys.length * 2];
        int mask = keys.length - 1;
        for (int i = 0; i < oldKeys.length; i++) {
            Object key = oldKeys[i];
            if (key != null) {
                int at = spread(System.identityHashCode(key)) & mask;
                while (keys[at] != null) {
                    at = at + 1 & mask;
                }
                keys[at] = key;
                numbers[at] = oldNumbers[i];
            }
        }
    }
}
