package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Exactly TreeMap and TreeSet. They are in order when they are written, so nothing is compared when they are read, as with
 * java.io: both take what comes from another one of the same comparator as it is, and {@link ArrivingMap} is such a one.
 *
 * <pre>
 *   comparator, or null | entries (varint) | key, and of a map value, of each
 * </pre>
 *
 * <p>The comparator is known before there is a map or set, so a graph in which it refers to that is refused.
 */
final class SortedSerializer extends Serializer<Object> {
    @Override
    public void write(Kryo kryo, Output output, Object object) {
        if (object instanceof TreeSet<?> set) {
            begin(kryo, output, set.comparator(), set.size());
            for (Object key : set) {
                kryo.writeClassAndObject(output, key);
            }
            return;
        }
        TreeMap<?, ?> map = (TreeMap<?, ?>) object;
        begin(kryo, output, map.comparator(), map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            kryo.writeClassAndObject(output, entry.getKey());
            kryo.writeClassAndObject(output, entry.getValue());
        }
    }

    private static void begin(Kryo kryo, Output output, @Nullable Comparator<?> comparator, int size) {
        WrittenObjects written = ((GraphOutput) output).written();
        written.begin();
        kryo.writeClassAndObject(output, comparator);
        written.end();
        output.writeVarInt(size, true);
    }

    @Override
    @SuppressWarnings("unchecked") // it was the comparator of these keys
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
        Comparator<Object> comparator = (Comparator<Object>) kryo.readClassAndObject(input);
        if (type == TreeSet.class) {
            TreeSet<Object> set = new TreeSet<>(comparator);
            kryo.reference(set);
            int size = ((GraphInput) input).readCount(1, type);
            set.addAll(new ArrivingMap.ArrivingKeys(kryo, input, comparator, size));
            return set;
        }
        TreeMap<Object, Object> map = new TreeMap<>(comparator);
        kryo.reference(map);
        // each entry takes two bytes at least
        map.putAll(new ArrivingMap(kryo, input, comparator, ((GraphInput) input).readCount(2, type)));
        return map;
    }
}
