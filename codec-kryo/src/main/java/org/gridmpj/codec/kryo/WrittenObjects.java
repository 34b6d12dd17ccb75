package org.gridmpj.codec.kryo;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The objects of the graph that is being written, by identity, in the order in which they were met: everything counts, since
 * java.io keeps the identity of boxes and strings too.
 *
 * <p>The first objects of a graph are compared one by one: a table asks each for its identity hash, which costs a call into the
 * JVM for an object that never had one, and objects of messages mostly are new. Once there are more, {@link ObjectIds} has them.
 *
 * <p>Those first ones stand in an array of their own for each graph: a reference that is stored into an object as old as this one
 * costs a full fence with some collectors (G1 before JDK 26).
 */
final class WrittenObjects {
    /** Of an object that was not met before. */
    static final int NEW = -1;

    private static final int FEW = 24;
    private @Nullable Object @Nullable [] few;
    /** With the first ones, once there are more. */
    private final ObjectIds all = new ObjectIds();

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
                int _ = all.getOrPut(one, i);
            }
        }
        int _ = all.getOrPut(object, met);
        return NEW;
    }

    private int meetAmongMany(Object object) {
        int id = all.getOrPut(object, count);
        if (id != NEW) {
            return complete(id, object);
        }
        count++;
        return NEW;
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
            all.clear();
        }
        few = null;
        count = 0;
        begunCount = 0;
    }
}
