package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Exactly HashMap and LinkedHashMap, with the settings of {@code new HashMap()} and with {@link Keys} as keys. The others
 * are refused.
 */
final class MapSerializer extends Serializer<Object> {
    private static final int LEAST_CAPACITY = 16;
    private static final float LOAD_FACTOR = 0.75f;

    private final MapSettings settings;

    MapSerializer() {
        try {
            settings = new MapSettings();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        Map<?, ?> map = (Map<?, ?>) object;
        if (!settings.areDefault(map)) {
            throw new RefusedException(map.getClass());
        }
        output.writeVarInt(map.size(), true);
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            Object key = entry.getKey();
            if (!Keys.include(key)) {
                throw new RefusedException(map.getClass());
            }
            kryo.writeClassAndObject(output, key);
            kryo.writeClassAndObject(output, entry.getValue());
        }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
        // each entry takes two bytes at least
        int size = ((GraphInput) input).readCount(2, type);
        // java.io's, since the order of iteration depends on it
        int capacity = Math.max(LEAST_CAPACITY, (int) (size / LOAD_FACTOR + 1.0f));
        Map<Object, Object> map = type == LinkedHashMap.class ? new LinkedHashMap<>(capacity) : new HashMap<>(capacity);
        kryo.reference(map);
        for (int i = 0; i < size; i++) {
            Object key = kryo.readClassAndObject(input);
            Keys.require(key, type);
            map.put(key, kryo.readClassAndObject(input));
        }
        return map;
    }
}
