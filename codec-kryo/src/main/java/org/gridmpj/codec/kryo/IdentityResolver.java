package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.util.MapReferenceResolver;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * References for everything, since java.io keeps the identity of boxes and strings too.
 *
 * <p>The first objects of a graph are compared one by one: Kryo's table asks each for its identity hash, which costs a
 * call into the JVM for an object that never had one, and objects of messages mostly are new.
 */
final class IdentityResolver extends MapReferenceResolver {
    private static final int FEW = 16;

    private final @Nullable Object[] few = new Object[FEW];
    private int written;

    @Override
    @SuppressWarnings("ReferenceEquality") // identity is what is asked for
    public int getWrittenId(Object object) {
        if (written > FEW) {
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
                writtenObjects.put(few[i], i);
            }
        }
        writtenObjects.put(object, id);
        return id;
    }

    @Override
    public void reset() {
        if (written > FEW || readObjects.size() > FEW) {
            // these also shrink tables that have grown
            super.reset();
        } else {
            readObjects.clear();
        }
        Arrays.fill(few, 0, Math.min(written, FEW), null);
        written = 0;
    }

    @Override
    @SuppressWarnings("rawtypes") // Kryo's signature
    public boolean useReferences(Class type) {
        return !Enum.class.isAssignableFrom(type);
    }
}
