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
 * <p>New for each graph: a reference that is stored into an old object, which a permanent one would be, costs a full fence with some
 * collectors (G1 before JDK 26).
 */
final class WrittenObjects {
    /** Of an object that was not met before. */
    static final int NEW = -1;

    private static final int FIRST = 8;
    private static final int FEW = 24;
    private static final int[] NONE = {};

    private @Nullable Object[] few = new Object[FIRST];
    /** With the first ones, once there are more. */
    private final ObjectIds all;

    private int count;
    /** The ids of those that are begun; others cannot refer to them. */
    private int[] begun = NONE;

    private int begunCount;

    /** @param all empty */
    WrittenObjects(ObjectIds all) {
        this.all = all;
    }

    /** What was met last is to be complete before anything refers to it. */
    void begin() {
        if (begunCount == begun.length) {
            begun = Arrays.copyOf(begun, begunCount * 2 + 1);
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
        for (int i = 0; i < met; i++) {
            if (first[i] == object) {
                return complete(i, object);
            }
        }
        count = met + 1;
        if (met < FEW) {
            if (met == FIRST) {
                first = Arrays.copyOf(first, FEW);
                few = first;
            }
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

    /** Leaves the table of many objects to the next graph. */
    void clear() {
        if (count > FEW) {
            all.clear();
        }
    }
}
