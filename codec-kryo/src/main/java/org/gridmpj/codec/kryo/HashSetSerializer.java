package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Exactly HashSet and LinkedHashSet, with {@link Keys} as elements. Their load factor shows in what they write themselves alone ({@link
 * JdkClass}): capacity, load factor and size, then the elements. That is read without them.
 */
final class HashSetSerializer extends Serializer<Object> {
    private static final int MAXIMUM_CAPACITY = 1 << 30;
    private static final float LEAST_LOAD_FACTOR = 0.25f;
    private static final float MOST_LOAD_FACTOR = 4;

    private final @Nullable JdkClass type;

    HashSetSerializer(Class<?> type) {
        this.type = JdkClass.of(type);
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        if (type == null) {
            throw new RefusedException(object.getClass());
        }
        ((GraphKryo) kryo).jdkOutput().write(type, object, output);
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> exactly) {
        int _ = input.readInt();
        float loadFactor = input.readFloat();
        int size = input.readInt();
        if (!(loadFactor > 0) || size < 0 || size > input.limit() - input.position()) {
            throw new KryoException("a set of " + size + " with load factor " + loadFactor);
        }
        loadFactor = Math.clamp(loadFactor, LEAST_LOAD_FACTOR, MOST_LOAD_FACTOR);
        // java.io's, since the order of iteration depends on it
        int capacity = (int) Math.min(size * Math.min(1 / loadFactor, MOST_LOAD_FACTOR), MAXIMUM_CAPACITY);
        Set<Object> set = exactly == LinkedHashSet.class
                ? new LinkedHashSet<>(capacity, loadFactor)
                : new HashSet<>(capacity, loadFactor);
        kryo.reference(set);
        for (int i = 0; i < size; i++) {
            Object key = kryo.readClassAndObject(input);
            Keys.require(key, exactly);
            set.add(key);
        }
        return set;
    }
}
