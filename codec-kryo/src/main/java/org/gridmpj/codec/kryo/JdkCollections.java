package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Serializer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The collections that programs send most, made again through their public methods, as {@link JdkValues} are: so that no code of the
 * program runs, and iteration is in the order in which it is with java.io. The others are {@link JdkClass}es.
 */
final class JdkCollections {
    private static final Map<Class<?>, Supplier<Serializer<?>>> SERIALIZERS = serializers();

    private JdkCollections() {}

    /** In an order that is part of the format. */
    private static Map<Class<?>, Supplier<Serializer<?>>> serializers() {
        Map<Class<?>, Supplier<Serializer<?>>> serializers = new LinkedHashMap<>();
        serializers.put(ArrayList.class, SequenceSerializer::new);
        serializers.put(LinkedList.class, SequenceSerializer::new);
        serializers.put(ArrayDeque.class, SequenceSerializer::new);
        serializers.put(HashMap.class, MapSerializer::new);
        serializers.put(LinkedHashMap.class, MapSerializer::new);
        serializers.put(TreeMap.class, SortedSerializer::new);
        serializers.put(HashSet.class, () -> new HashSetSerializer(HashSet.class));
        serializers.put(LinkedHashSet.class, () -> new HashSetSerializer(LinkedHashSet.class));
        serializers.put(TreeSet.class, SortedSerializer::new);
        serializers.put(ImmutableListSerializer.SHORT, ImmutableListSerializer::new);
        serializers.put(ImmutableListSerializer.ANY_LENGTH, ImmutableListSerializer::new);
        return serializers;
    }

    /** All of them, always in the same order. */
    static Set<Class<?>> classes() {
        return SERIALIZERS.keySet();
    }

    /** A new one of exactly this class, for one GraphKryo, or null if it is none of them. */
    static @Nullable Serializer<?> serializer(Class<?> type) {
        Supplier<Serializer<?>> made = SERIALIZERS.get(type);
        return made == null ? null : made.get();
    }
}
