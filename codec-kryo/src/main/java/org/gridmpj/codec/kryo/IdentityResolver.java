package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.util.MapReferenceResolver;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * References for everything, since java.io keeps the identity of boxes and strings too.
 *
 * <p>The first objects of a graph are compared one by one: Kryo's table asks each for its identity hash, which costs a
 * call into the JVM for an object that never had one, and objects of messages mostly are new. Of the others, boxes and strings
 * are found by their values ({@link ValueIds}).
 */
final class IdentityResolver extends MapReferenceResolver {
    private static final int FEW = 16;

    private final @Nullable Object[] few = new Object[FEW];
    private final ValueIds values = new ValueIds((object, id) -> writtenObjects.put(object, id));
    private int written;
    /** The ids of those that are begun; others cannot refer to them. */
    private int[] begun = new int[4];

    private int begunCount;

    /** What was added last is to be complete before anything refers to it. */
    void begin() {
        if (begunCount == begun.length) {
            begun = Arrays.copyOf(begun, begunCount * 2);
        }
        begun[begunCount++] = written - 1;
    }

    /** Ends what was begun last. */
    void end() {
        begunCount--;
    }

    @Override
    public int getWrittenId(Object object) {
        int id = find(object);
        for (int i = 0; i < begunCount; i++) {
            if (begun[i] == id) {
                throw new RefusedException(object.getClass());
            }
        }
        return id;
    }

    @SuppressWarnings("ReferenceEquality") // identity is what is asked for
    private int find(Object object) {
        if (written > FEW) {
            if (ValueIds.takes(object)) {
                int id = values.get(object);
                if (id >= 0 || !values.hasTurnedAway()) {
                    return id;
                }
            }
            return writtenObjects.get(object, -1);
        }
        for (int i = 0; i < written; i++) {
            if (few[i] == object) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public int addWrittenObject(Object object) {
        int id = written++;
        if (id < FEW) {
            few[id] = object;
            return id;
        }
        if (id == FEW) {
            for (int i = 0; i < FEW; i++) {
                keep(few[i], i);
            }
        }
        keep(object, id);
        return id;
    }

    private void keep(Object object, int id) {
        if (ValueIds.takes(object)) {
            values.put(object, id);
        } else {
            writtenObjects.put(object, id);
        }
    }

    @Override
    public void reset() {
        if (written > FEW || readObjects.size() > FEW) {
            // these also shrink tables that have grown
            super.reset();
            values.clear();
        } else {
            readObjects.clear();
        }
        Arrays.fill(few, 0, Math.min(written, FEW), null);
        written = 0;
        begunCount = 0;
    }

    @Override
    @SuppressWarnings("rawtypes") // Kryo's signature
    public boolean useReferences(Class type) {
        return type != Class.class && !Enum.class.isAssignableFrom(type);
    }
}
