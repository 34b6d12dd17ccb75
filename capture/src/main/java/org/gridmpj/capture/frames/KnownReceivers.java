package org.gridmpj.capture.frames;

import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/** Of which classes it is known that a method that calls back does so in a plain loop over the elements. */
public final class KnownReceivers {
    private static final Set<String> LOOPS = Set.of(
            "java.lang.Iterable",
            "java.util.Iterator",
            "java.util.AbstractMap$ViewCollection",
            "java.util.ArrayList",
            "java.util.ArrayList$Itr",
            "java.util.ArrayDeque",
            "java.util.Arrays$ArrayList",
            "java.util.Arrays$ArrayItr",
            "java.util.HashMap$EntrySet",
            "java.util.HashMap$KeySet",
            "java.util.HashMap$Values",
            "java.util.ImmutableCollections$List12",
            "java.util.ImmutableCollections$Set12",
            "java.util.LinkedHashMap$LinkedEntrySet",
            "java.util.LinkedHashMap$LinkedKeySet",
            "java.util.LinkedHashMap$LinkedValues",
            "java.util.LinkedList$ListItr",
            "java.util.PriorityQueue",
            "java.util.ReverseOrderListView",
            "java.util.Collections$EmptyList",
            "java.util.Collections$EmptySet",
            "java.util.Collections$SetFromMap",
            "java.util.Collections$SingletonList",
            "java.util.Collections$SingletonSet",
            "java.util.Collections$UnmodifiableCollection",
            "java.util.Collections$UnmodifiableMap$UnmodifiableEntrySet",
            "java.util.concurrent.ConcurrentHashMap$EntrySetView",
            "java.util.concurrent.ConcurrentHashMap$KeySetView",
            "java.util.concurrent.ConcurrentHashMap$ValuesView",
            "java.util.concurrent.ConcurrentLinkedDeque",
            "java.util.concurrent.ConcurrentLinkedQueue",
            "java.util.concurrent.CopyOnWriteArrayList",
            "java.util.concurrent.CopyOnWriteArraySet");

    private static final Set<String> MAPS = Set.of(
            "java.util.Map",
            "java.util.HashMap",
            "java.util.IdentityHashMap",
            "java.util.ImmutableCollections$Map1",
            "java.util.LinkedHashMap",
            "java.util.TreeMap",
            "java.util.WeakHashMap",
            "java.util.Collections$EmptyMap",
            "java.util.Collections$SingletonMap",
            "java.util.Collections$UnmodifiableMap",
            "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentMap",
            "java.util.concurrent.ConcurrentSkipListMap");

    private static final Set<String> COMPUTING =
            Set.of("java.util.Map", "java.util.HashMap", "java.util.TreeMap", "java.util.LinkedHashMap");

    private static final ClassValue<Boolean> ITERATES = known(LOOPS, "forEach", Consumer.class);
    private static final ClassValue<Boolean> ITERATORS = known(LOOPS, "forEachRemaining", Consumer.class);
    private static final ClassValue<Boolean> MAP_ITERATES = known(MAPS, "forEach", BiConsumer.class);
    private static final ClassValue<Boolean> COMPUTES =
            known(COMPUTING, "computeIfAbsent", Object.class, Function.class);

    /** Whose stream() is the default's: elements as an iterator gives them. */
    private static final ClassValue<Boolean> STREAMS = known(
            Set.of("java.util.Collection", "java.util.Arrays$ArrayList", "java.util.AbstractMap$ViewCollection"),
            "stream");

    private KnownReceivers() {}

    /** Whether stream() has the elements that an iterator gives. */
    public static boolean streamsPlainly(Collection<?> receiver) {
        return STREAMS.get(receiver.getClass());
    }

    /** Whether forEach calls back for each element that an iterator gives. */
    public static boolean iterates(Iterable<?> receiver) {
        return ITERATES.get(receiver.getClass());
    }

    /** Whether forEachRemaining calls back for each element that is left. */
    public static boolean iterates(Iterator<?> receiver) {
        return ITERATORS.get(receiver.getClass());
    }

    /** Whether forEach calls back for each entry of the entry set. */
    public static boolean iterates(Map<?, ?> receiver) {
        return MAP_ITERATES.get(receiver.getClass());
    }

    /** Whether computeIfAbsent is a get, a call back and a put. */
    public static boolean computesPlainly(Map<?, ?> receiver) {
        return COMPUTES.get(receiver.getClass());
    }

    private static ClassValue<Boolean> known(Set<String> classes, String method, Class<?>... parameters) {
        return new ClassValue<>() {
            @Override
            protected Boolean computeValue(Class<?> type) {
                try {
                    return classes.contains(type.getMethod(method, parameters)
                            .getDeclaringClass()
                            .getName());
                } catch (NoSuchMethodException e) {
                    return false;
                }
            }
        };
    }
}
