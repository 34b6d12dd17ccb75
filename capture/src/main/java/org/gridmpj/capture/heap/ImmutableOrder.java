package org.gridmpj.capture.heap;

import java.util.Map;
import java.util.Set;
import jdk.internal.misc.Unsafe;

/**
 * The direction in which {@code Set.of} and {@code Map.of} are iterated, which each JVM chooses when it starts. In one that has
 * chosen otherwise than that of an image, sets of two change their places, so that their order stays; iterators of longer
 * ones are turned round, so that they give what is left of theirs, once each, in the other order.
 */
final class ImmutableOrder {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final Class<?> COLLECTIONS;

    /** Of this process. */
    static final boolean REVERSE;

    private static final Object EMPTY;
    private static final Class<?> PAIR = HashTables.classOf(Set.of(1, 2));
    private static final Class<?> SET_ITERATOR =
            HashTables.classOf(Set.of(1, 2, 3).iterator());
    private static final Class<?> MAP_ITERATOR =
            HashTables.classOf(Map.of(1, 1, 2, 2).entrySet().iterator());

    static {
        try {
            COLLECTIONS = Class.forName("java.util.ImmutableCollections");
            REVERSE = UNSAFE.getBoolean(COLLECTIONS, UNSAFE.staticFieldOffset(COLLECTIONS.getDeclaredField("REVERSE")));
            EMPTY = UNSAFE.getReference(COLLECTIONS, UNSAFE.staticFieldOffset(COLLECTIONS.getDeclaredField("EMPTY")));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "this JDK does not show the order of its immutable sets: it is another than JDK 25", e);
        }
    }

    private ImmutableOrder() {}

    /** Adapts an object of an image whose process had the other direction. */
    static void turn(Object object) {
        Class<?> type = object.getClass();
        if (type == PAIR) {
            swap(object);
        } else if (type == SET_ITERATOR) {
            turn(object, "SetNIterator.", (Object[]) field(field(object, "SetNIterator.this$0"), "SetN.elements"), 1);
        } else if (type == MAP_ITERATOR) {
            turn(object, "MapNIterator.", (Object[]) field(field(object, "MapNIterator.this$0"), "MapN.table"), 2);
        }
    }

    @SuppressWarnings("ReferenceEquality") // the JDK's mark of an empty place
    private static void swap(Object pair) {
        long first = Shape.offset(pair, "Set12.e0");
        long second = Shape.offset(pair, "Set12.e1");
        Object other = UNSAFE.getReference(pair, second);
        if (other != EMPTY) {
            UNSAFE.putReference(pair, second, UNSAFE.getReference(pair, first));
            UNSAFE.putReference(pair, first, other);
        }
    }

    /** Lets an iterator begin at the other end of what was before it: just behind the last place that it would have come to. */
    private static void turn(Object iterator, String prefix, Object[] places, int step) {
        int remaining = UNSAFE.getInt(iterator, Shape.offset(iterator, prefix + "remaining"));
        long position = Shape.offset(iterator, prefix + "idx");
        int at = UNSAFE.getInt(iterator, position);
        int forward = REVERSE ? -step : step;
        for (int left = remaining; left > 0; ) {
            at = Math.floorMod(at + forward, places.length);
            if (places[at] != null) {
                left--;
            }
        }
        if (remaining > 0) {
            UNSAFE.putInt(iterator, position, Math.floorMod(at + forward, places.length));
        }
    }

    private static Object field(Object object, String name) {
        return UNSAFE.getReference(object, Shape.offset(object, name));
    }
}
