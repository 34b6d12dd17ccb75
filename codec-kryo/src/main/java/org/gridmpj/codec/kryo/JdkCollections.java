package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Serializer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The collections that programs send most, made again through their public methods, as {@link JdkValues} are: so that no code of the
 * program runs, and iteration is in the order in which it is with java.io. The others are {@link JdkClass}es.
 */
final class JdkCollections {
    private static final List<Class<?>> CLASSES = List.of(
            ArrayList.class,
            LinkedList.class,
            ArrayDeque.class,
            HashMap.class,
            LinkedHashMap.class,
            TreeMap.class,
            HashSet.class,
            LinkedHashSet.class,
            TreeSet.class,
            ImmutableListSerializer.SHORT,
            ImmutableListSerializer.ANY_LENGTH);

    private JdkCollections() {}

    /** All of them, always in the same order. */
    static List<Class<?>> classes() {
        return CLASSES;
    }

    /** A new one of exactly this class, for one GraphKryo, or null if it is none of them. */
    static @Nullable Serializer<?> serializer(Class<?> type) {
        if (type == ArrayList.class || type == LinkedList.class || type == ArrayDeque.class) {
            return new SequenceSerializer();
        }
        if (type == HashMap.class || type == LinkedHashMap.class) {
            return new MapSerializer();
        }
        if (type == HashSet.class || type == LinkedHashSet.class) {
            return new HashSetSerializer(type);
        }
        if (type == TreeMap.class || type == TreeSet.class) {
            return new SortedSerializer();
        }
        return CLASSES.contains(type) ? new ImmutableListSerializer() : null;
    }
}
