package org.gridmpj.testkit.graph;

import java.io.Serializable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.Stack;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Random objects of the JDK's classes: collections of any objects, keys that are hashed, values. */
@SuppressWarnings({"JdkObsolete", "JavaUtilDate"}) // programs do send them
final class LibraryObjects {
    /** More constants than a long has bits. */
    enum Many {
        A0,
        A1,
        A2,
        A3,
        A4,
        A5,
        A6,
        A7,
        A8,
        A9,
        B0,
        B1,
        B2,
        B3,
        B4,
        B5,
        B6,
        B7,
        B8,
        B9,
        C0,
        C1,
        C2,
        C3,
        C4,
        C5,
        C6,
        C7,
        C8,
        C9,
        D0,
        D1,
        D2,
        D3,
        D4,
        D5,
        D6,
        D7,
        D8,
        D9,
        E0,
        E1,
        E2,
        E3,
        E4,
        E5,
        E6,
        E7,
        E8,
        E9,
        F0,
        F1,
        F2,
        F3,
        F4,
        F5,
        F6,
        F7,
        F8,
        F9,
        G0,
        G1,
        G2,
        G3,
        G4,
        G5,
        G6,
        G7,
        G8,
        G9
    }

    /** An order that the program made. */
    static final class ByLength implements Comparator<Object>, Serializable {
        private static final long serialVersionUID = 1L;

        private final int sign;

        ByLength(int sign) {
            this.sign = sign;
        }

        @Override
        public int compare(Object a, Object b) {
            String left = a.toString();
            String right = b.toString();
            return sign
                    * Comparator.comparingInt(String::length)
                            .thenComparing(Comparator.naturalOrder())
                            .compare(left, right);
        }
    }

    private final Random random;
    private final Supplier<@Nullable Serializable> any;
    private final Consumer<Serializable> begun;

    /** With what makes any other object, and who is told of a collection before it is filled. */
    LibraryObjects(Random random, Supplier<@Nullable Serializable> any, Consumer<Serializable> begun) {
        this.random = random;
        this.any = any;
        this.begun = begun;
    }

    Serializable one() {
        return switch (random.nextInt(4)) {
            case 0 -> value();
            case 1 -> collection();
            case 2 -> map();
            default -> fixed();
        };
    }

    /** What refers to nothing. */
    private Serializable value() {
        return switch (random.nextInt(8)) {
            case 0 -> new AtomicInteger(random.nextInt());
            case 1 -> new AtomicLong(random.nextLong());
            case 2 -> new AtomicBoolean(random.nextBoolean());
            case 3 -> bits();
            default -> key();
        };
    }

    private BitSet bits() {
        BitSet bits = random.nextBoolean() ? new BitSet() : new BitSet(random.nextInt(300));
        for (int i = random.nextInt(5); i > 0; i--) {
            bits.set(random.nextInt(400));
        }
        return bits;
    }

    /** What has a hash code of its own and an order of its own. */
    private Serializable key() {
        LocalDate date = LocalDate.ofEpochDay(random.nextInt(40_000));
        LocalTime time = LocalTime.of(random.nextInt(24), random.nextBoolean() ? 0 : random.nextInt(60));
        return switch (random.nextInt(24)) {
            case 0 -> new BigInteger(random.nextInt(300), random).negate();
            case 1 -> BigInteger.valueOf(random.nextInt(3));
            case 2 -> new BigDecimal(new BigInteger(random.nextInt(150), random), random.nextInt(9));
            case 3 -> BigDecimal.valueOf(random.nextInt(5), 2);
            case 4 -> new UUID(random.nextLong(), random.nextLong());
            case 5 -> new Date(random.nextLong());
            case 6 -> Duration.ofSeconds(random.nextInt(3), random.nextInt(3));
            case 7 -> Instant.ofEpochSecond(random.nextInt(3), random.nextInt(3));
            case 8 -> date;
            case 9 -> time;
            case 10 -> LocalDateTime.of(date, time);
            case 11 -> LocalDateTime.of(date, time).atZone(ZoneId.of("Europe/Paris"));
            case 12 -> OffsetDateTime.of(date, time, ZoneOffset.ofHours(random.nextInt(5)));
            case 13 -> OffsetTime.of(time, ZoneOffset.ofTotalSeconds(random.nextInt(900)));
            case 14 -> ZoneOffset.ofHours(random.nextInt(5));
            case 15 -> (Serializable) ZoneId.of("America/New_York");
            case 16 -> Year.of(random.nextInt(3000));
            case 17 -> YearMonth.of(random.nextInt(3000), 2);
            case 18 -> MonthDay.of(2, 1 + random.nextInt(28));
            case 19 -> Period.ofDays(random.nextInt(2));
            case 20 -> oneOf(TimeUnit.values());
            case 21 -> random.nextInt();
            case 22 -> random.nextLong();
            default -> "key " + random.nextInt(1000);
        };
    }

    private <C extends Collection<Object> & Serializable> C filled(C collection) {
        begun.accept(collection);
        for (int i = random.nextInt(6); i > 0; i--) {
            Object element = any.get();
            // not all take null
            collection.add(element == null ? "null" : element);
        }
        return collection;
    }

    private <C extends Collection<Object> & Serializable> C keys(C collection) {
        for (int i = random.nextInt(random.nextInt(4) == 0 ? 60 : 6); i > 0; i--) {
            collection.add(key());
        }
        return collection;
    }

    private <C extends Collection<Object> & Serializable> C names(C collection) {
        for (int i = random.nextInt(20); i > 0; i--) {
            collection.add("key " + random.nextInt(1000));
        }
        return collection;
    }

    private @Nullable Comparator<Object> order() {
        @SuppressWarnings({"unchecked", "rawtypes"}) // of strings only
        Comparator<Object> natural = (Comparator) Comparator.naturalOrder();
        @SuppressWarnings({"unchecked", "rawtypes"}) // of strings only
        Comparator<Object> ignoringCase = (Comparator) String.CASE_INSENSITIVE_ORDER;
        return switch (random.nextInt(8)) {
            case 0, 1 -> null;
            case 2 -> natural;
            case 3 -> natural.reversed();
            case 4 -> ignoringCase;
            case 5 -> ignoringCase.reversed();
            case 6 -> Comparator.nullsFirst(natural);
            default -> new ByLength(random.nextBoolean() ? 1 : -1);
        };
    }

    private Serializable collection() {
        return switch (random.nextInt(12)) {
            case 0 -> filled(new LinkedList<>());
            case 1 -> filled(new ArrayDeque<>());
            case 2 -> filled(new Vector<>(3, 5));
            case 3 -> filled(new Stack<>());
            case 4 -> filled(new CopyOnWriteArrayList<>());
            case 5 -> keys(new HashSet<>());
            case 6 -> keys(new HashSet<>(500, random.nextBoolean() ? 0.1f : 3));
            case 7 -> keys(new LinkedHashSet<>());
            case 8, 9 -> names(new TreeSet<>(order()));
            case 10 -> EnumSet.copyOf(List.of(RandomGraphs.Colour.GREEN, RandomGraphs.Colour.RED));
            default -> EnumSet.of(Many.values()[random.nextInt(70)], Many.G9);
        };
    }

    private Serializable map() {
        return switch (random.nextInt(7)) {
            case 0, 1 -> entries(new TreeMap<>(order()), () -> "key " + random.nextInt(1000));
            case 2 -> entries(new Hashtable<>(random.nextInt(50), 0.6f), this::key);
            case 3 -> entries(new ConcurrentHashMap<>(), this::key);
            case 4 -> entries(new HashMap<>(), this::key);
            case 5 -> entries(new EnumMap<>(Many.class), () -> Many.values()[random.nextInt(70)]);
            default -> entries(new EnumMap<>(RandomGraphs.Colour.class), () -> oneOf(RandomGraphs.Colour.values()));
        };
    }

    private <E> E oneOf(E[] values) {
        return values[random.nextInt(values.length)];
    }

    private <K, M extends Map<K, Object> & Serializable> M entries(M map, Supplier<K> key) {
        begun.accept(map);
        for (int i = random.nextInt(6); i > 0; i--) {
            Object value = any.get();
            map.put(key.get(), value == null ? "null" : value);
        }
        return map;
    }

    private Serializable fromMap() {
        Set<Object> set = Collections.newSetFromMap(new ConcurrentHashMap<>());
        set.add(key());
        return (Serializable) set;
    }

    /** What is made when all that it refers to is there. */
    private Serializable fixed() {
        Object one = Arrays.asList(any.get());
        return (Serializable)
                switch (random.nextInt(24)) {
                    case 0 -> List.of(one);
                    case 1 -> List.of(one, "two");
                    case 2 -> List.of(one, 2, "three", one);
                    case 3 -> Arrays.asList(one, null, one).stream().toList();
                    case 4 -> Set.of(key());
                    case 5 -> Set.copyOf(keys(new ArrayList<>()));
                    case 6 -> Map.of(key(), one);
                    case 7 -> Map.of("a", one, random.nextInt(), one, 1.5, "c");
                    case 8 -> Arrays.asList("a", "b");
                    case 9 -> Collections.unmodifiableList(filled(new ArrayList<>()));
                    case 10 -> Collections.unmodifiableList(filled(new LinkedList<>()));
                    case 11 -> Collections.unmodifiableSet(keys(new HashSet<>()));
                    case 12 -> Collections.unmodifiableSortedSet(names(new TreeSet<>()));
                    case 13 -> Collections.unmodifiableMap(entries(new HashMap<>(), this::key));
                    case 14 -> Collections.unmodifiableNavigableMap(entries(new TreeMap<>(), () -> "only"));
                    case 15 -> Collections.unmodifiableCollection(filled(new ArrayDeque<>()));
                    case 16 -> Collections.synchronizedMap(entries(new HashMap<>(), this::key));
                    case 17 -> Collections.synchronizedList(filled(new ArrayList<>()));
                    case 18 -> random.nextBoolean() ? Collections.emptyList() : Collections.emptyMap();
                    case 19 -> Collections.singletonList(one);
                    case 20 -> Collections.singletonMap("only", one);
                    case 21 -> new AtomicReference<>(one);
                    case 22 -> new AbstractMap.SimpleEntry<>("key", one);
                    default -> fromMap();
                };
    }
}
