package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.util.IdentityObjectIntMap;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The objects of the graph that is being written, by identity, in the order in which they were met: everything counts, since
 * java.io keeps the identity of boxes and strings too.
 *
 * <p>The first objects of a graph are compared one by one: a table asks each for its identity hash, which costs a call into the
 * JVM for an object that never had one, and objects of messages mostly are new. Of the others, boxes and strings are found by
 * their values ({@link ValueIds}).
 *
 * <p>Those first ones stand in an array of their own for each graph: a reference that is stored into an object as old as this one
 * costs a full fence with some collectors (G1 before JDK 26).
 */
final class WrittenObjects {
    /** Of an object that was not met before. */
    static final int NEW = -1;

    private static final int FEW = 24;
    /** Places of a table that is kept for the next graph. */
    private static final int KEPT = 2048;

    private @Nullable Object @Nullable [] few;
    private final IdentityObjectIntMap<Object> others = new IdentityObjectIntMap<>();
    private final ValueIds values = new ValueIds(others::put);
    private int count;
    /** The ids of those that are begun; others cannot refer to them. */
    private int[] begun = new int[4];

    private int begunCount;

    /** What was met last is to be complete before anything refers to it. */
    void begin() {
        if (begunCount == begun.length) {
            begun = Arrays.copyOf(begun, begunCount * 2);
        }
        begun[begunCount++] = count - 1;
    }

    /** Ends what was begun last. */
    void end() {
        begunCount--;
    }

    /**
     * The number of an object that was met before; else {@link #NEW}, and it has the next number.
     *
     * @throws RefusedException if it is begun
     */
    @SuppressWarnings("ReferenceEquality") // identity is what is asked for
    int meet(Object object) {
        int met = count;
        if (met > FEW) {
            return meetAmongMany(object);
        }
        @Nullable Object[] first = few;
        if (first == null) {
            first = new Object[FEW];
            few = first;
        }
        for (int i = 0; i < met; i++) {
            if (first[i] == object) {
                return complete(i, object);
            }
        }
        count = met + 1;
        if (met < FEW) {
            first[met] = object;
            return NEW;
        }
        for (int i = 0; i < FEW; i++) {
            Object one = first[i];
            if (one != null) {
                keep(one, i);
            }
        }
        keep(object, met);
        return NEW;
    }

    private int meetAmongMany(Object object) {
        int id = find(object);
        if (id != NEW) {
            return complete(id, object);
        }
        keep(object, count++);
        return NEW;
    }

    private int find(Object object) {
        if (ValueIds.takes(object)) {
            int id = values.get(object);
            if (id >= 0 || !values.hasTurnedAway()) {
                return id;
            }
        }
        return others.get(object, NEW);
    }

    private void keep(Object object, int id) {
        if (ValueIds.takes(object)) {
            values.put(object, id);
        } else {
            others.put(object, id);
        }
    }

    private int complete(int id, Object object) {
        for (int i = 0; i < begunCount; i++) {
            if (begun[i] == id) {
                throw new RefusedException(object.getClass());
            }
        }
        return id;
    }

    /** Lets go of all. */
    void clear() {
        if (count > FEW) {
            // a table that has grown shrinks
            others.clear(KEPT);
            values.clear();
        }
        few = null;
        count = 0;
        begunCount = 0;
    }
}
