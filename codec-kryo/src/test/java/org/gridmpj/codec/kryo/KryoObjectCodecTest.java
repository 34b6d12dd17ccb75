package org.gridmpj.codec.kryo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.gridmpj.datatype.DataVector;
import org.gridmpj.datatype.ObjectCodec;
import org.gridmpj.datatype.SerializationBuffer;
import org.gridmpj.testkit.graph.GraphShape;
import org.gridmpj.testkit.graph.ObjectCodecContract;
import org.gridmpj.testkit.graph.RandomGraphs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages of objects with this codec on the class path. */
final class KryoObjectCodecTest extends ObjectCodecContract {
    /** Of a header, which grows. */
    private static final int FEW_BYTES = 16;

    private final KryoObjectCodec codec = new KryoObjectCodec();

    @Test
    void shouldBeFoundWhenOnTheClassPath() {
        assertThat(ServiceLoader.load(ObjectCodec.class)).hasAtLeastOneElementOfType(KryoObjectCodec.class);
    }

    @Test
    void shouldWriteItselfWhenGraphsArePlain() throws IOException, ClassNotFoundException {
        int written = 0;
        for (int seed = 0; seed < 200; seed++) {
            Object[] elements = RandomGraphs.elements(new Random(seed), 3, false);
            if (codec.handles(elements, 0, 3)) {
                assertThat(GraphShape.of(roundTrip(elements)))
                        .as("seed %d", seed)
                        .isEqualTo(GraphShape.of(elements));
                written++;
            }
        }
        assertThat(written).isGreaterThan(100);
    }

    @Test
    void shouldWriteItselfWhenGraphsAreOfTheLibrary() throws IOException {
        int written = 0;
        for (int seed = 0; seed < 300; seed++) {
            Object[] elements = RandomGraphs.libraryElements(new Random(seed), 3);
            // a new one, as refusals are remembered
            if (new KryoObjectCodec().write(elements, 0, 3, new SerializationBuffer(FEW_BYTES), new DataVector())) {
                written++;
            }
        }
        // the others hold a synchronized list, or a cycle through what is replaced
        assertThat(written).isGreaterThan(240);
    }

    @Test
    @SuppressWarnings({"JdkObsolete", "JavaUtilDate"}) // programs do send them
    void shouldWriteItselfWhenTheClassIsListed() throws IOException {
        LocalDateTime time = LocalDateTime.of(2026, 11, 24, 8, 0);
        for (Object listed : new Object[] {
            new HashSet<>(List.of("a", time)),
            new LinkedHashSet<>(List.of(1)),
            new LinkedList<>(List.of("a")),
            new ArrayDeque<>(List.of("a")),
            new Vector<>(List.of("a")),
            new CopyOnWriteArrayList<>(List.of("a")),
            new TreeMap<>(Map.of("a", 1)),
            new TreeSet<>(Comparator.<String>reverseOrder()),
            new ConcurrentHashMap<>(Map.of("a", 1)),
            new Hashtable<>(Map.of("a", 1)),
            new EnumMap<>(Map.of(Suit.SPADES, 1)),
            EnumSet.of(Suit.SPADES),
            List.of(1),
            List.of(1, 2, 3),
            Set.of(1),
            Set.of(1, 2, 3),
            Map.of(1, 2),
            Map.of(1, 2, 3, 4),
            Arrays.asList(1, null),
            Collections.emptyList(),
            Collections.singletonList(1),
            Collections.unmodifiableList(new ArrayList<>(List.of(1))),
            Collections.unmodifiableMap(new HashMap<>(Map.of(1, 2))),
            Collections.synchronizedMap(new HashMap<>(Map.of(1, 2))),
            Collections.newSetFromMap(new ConcurrentHashMap<>()),
            BigInteger.TEN,
            BigDecimal.TEN,
            new UUID(1, 2),
            new Date(3),
            BitSet.valueOf(new long[] {5}),
            time,
            time.toLocalDate(),
            time.toLocalTime(),
            time.atZone(ZoneId.of("Europe/Paris")),
            time.atOffset(ZoneOffset.UTC),
            Instant.EPOCH,
            Duration.ofDays(1),
            new AtomicInteger(1),
            new AtomicLong(1),
            new AtomicReference<Object>("a")
        }) {
            assertThat(codec.write(new Object[] {listed}, 0, 1, new SerializationBuffer(FEW_BYTES), new DataVector()))
                    .as("%s", listed.getClass())
                    .isTrue();
        }
    }

    private @Nullable Object[] roundTrip(@Nullable Object... elements) throws IOException, ClassNotFoundException {
        SerializationBuffer header = new SerializationBuffer(FEW_BYTES);
        DataVector sent = new DataVector();
        assertThat(codec.write(elements, 0, elements.length, header, sent)).isTrue();
        byte[] data = new byte[(int) sent.lengthBytes()];
        sent.read(0, MemorySegment.ofArray(data), 0, data.length);
        @Nullable Object[] back = new Object[elements.length];
        DataVector received = new DataVector();
        codec.read(header.toByteArray(), 0, header.length(), back, 0, back.length, received, null);
        assertThat(received.lengthBytes()).isEqualTo(data.length);
        received.write(0, MemorySegment.ofArray(data), 0, data.length);
        return back;
    }

    /** Reads a header of so many elements, without arrays of primitives. */
    private void read(byte[] header, int count) throws IOException, ClassNotFoundException {
        codec.read(header, 0, header.length, new Object[count], 0, count, new DataVector(), null);
    }

    @SuppressWarnings("UnusedVariable") // the codec reads them
    private static final class Link implements Serializable {
        private static final long serialVersionUID = 1L;

        final @Nullable Serializable next;
        final char[] text = {'\ud800', 'x'};
        final String lone = "\udc00 alone";

        Link(@Nullable Serializable next) {
            this.next = next;
        }
    }

    @Test
    @SuppressWarnings("UnnecessaryStringBuilder") // of its class, not for its text
    void shouldLeaveItToJavaIoWhenAnObjectIsDoubtful() throws IOException {
        Object[] elements = {new Link(new Link(new StringBuilder()))};
        assertThat(codec.handles(elements, 0, 1)).isTrue();
        assertThat(codec.write(elements, 0, 1, new SerializationBuffer(FEW_BYTES), new DataVector()))
                .isFalse();
        assertThat(codec.handles(elements, 0, 1)).as("remembered").isFalse();
        assertThat(codec.handles(new Object[] {new StringBuilder()}, 0, 1)).isFalse();
        assertThat(codec.handles(new Object[] {new Object()}, 0, 1)).isFalse();
    }

    @Test
    void shouldReadAfterAFailedWriteWhenInstancesAreReused() throws IOException, ClassNotFoundException {
        ArrayList<Object> list = new ArrayList<>(List.of(1, "a", 'c', 2L, 2.5f, (short) 3, (byte) 4, true));
        Object[] elements = {list, new Object[] {list, 1000, 1000}, new Link(list)};
        SerializationBuffer header = new SerializationBuffer(FEW_BYTES);
        assertThat(codec.write(elements, 0, 3, header, new DataVector())).isTrue();
        byte[] bytes = header.toByteArray();
        assertThat(GraphShape.of(roundTrip(elements))).isEqualTo(GraphShape.of(elements));
        Object[] failed = new Object[3];
        assertThatThrownBy(() -> codec.read(bytes, 0, bytes.length - 2, failed, 0, 3, new DataVector(), null))
                .isInstanceOf(StreamCorruptedException.class);
        assertThat(GraphShape.of(roundTrip(elements))).isEqualTo(GraphShape.of(elements));
    }

    @Test
    void shouldSaySoWhenTheSenderHasAnotherVersion() throws IOException {
        SerializationBuffer header = new SerializationBuffer(FEW_BYTES);
        assertThat(codec.write(new Object[] {"x"}, 0, 1, header, new DataVector()))
                .isTrue();
        byte[] bytes = header.toByteArray();
        bytes[0] = 99;
        assertThatThrownBy(() -> read(bytes, 1))
                .isInstanceOf(StreamCorruptedException.class)
                .hasMessageContaining("format 99")
                .hasMessageContaining("same jars");
    }

    private record Sample(
            int id,
            @Nullable String name,
            double weight,
            @Nullable Object more) implements Serializable {
        @Override
        @SuppressWarnings("UnusedMethod") // the codec must not call it
        public String name() {
            throw new IllegalStateException("java.io does not call it");
        }
    }

    private record Positive(int number) implements Serializable {
        private static boolean strict;
        private static int refused;

        Positive {
            if (strict) {
                throw new IllegalArgumentException("strict");
            }
            if (refused > 0 && number == refused) {
                throw new IllegalArgumentException(number + " is refused");
            }
        }
    }

    /** Every kind of component, primitives among references. */
    private record Mixed(
            byte small,
            float real,
            String text,
            double wide,
            char letter,
            Object other,
            boolean flag,
            long count,
            int number,
            short little)
            implements Serializable {}

    /** What is not Serializable in it runs its constructor. */
    private static class Base {
        @SuppressWarnings("UnusedVariable") // of no use but that the constructor runs
        private final int made;

        Base() {
            made = 7;
        }
    }

    @SuppressWarnings("UnusedVariable") // the codec reads them
    private static class Middle extends Base implements Serializable {
        private static final long serialVersionUID = 1L;
        private final long same;
        private final transient int lost = 5;

        Middle(long same) {
            this.same = same;
        }
    }

    /** Every kind of field, final and not, in two classes, with a name of the superclass's. */
    @SuppressWarnings("UnusedVariable") // the codec reads them
    private static final class Wide extends Middle {
        private static final long serialVersionUID = 1L;
        private final int same;
        private byte small;
        private final short little;
        private final char letter;
        private final float real;
        private double wide;
        private final boolean flag;
        private @Nullable String text;
        private final Serializable cell;
        private final Wide self;
        private final Suit suit = Suit.SPADES;
        private final int[] numbers;

        Wide(int i, Object[] cell) {
            super(i * 5L);
            same = i;
            small = (byte) i;
            little = (short) -i;
            letter = (char) i;
            real = i / 3.0f;
            wide = i / 7.0;
            flag = i % 3 == 0;
            text = i % 5 == 0 ? null : "text " + i;
            this.cell = cell;
            self = this;
            numbers = new int[] {i, -i};
        }
    }

    /** Its fields are read in the order c, d, e, whatever the order of the components. */
    private record Ordered(
            @Nullable Object e,
            @Nullable Object c,
            @Nullable Object d) implements Serializable {}

    private record Replaced(int number) implements Serializable {
        private Object writeReplace() {
            return number;
        }
    }

    private enum Suit {
        HEARTS,
        SPADES {
            @Override
            public String toString() {
                return "black";
            }
        }
    }

    private static final class Key implements Serializable {
        private static final long serialVersionUID = 1L;
        private final int number = 5;

        @Override
        public int hashCode() {
            return number;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key;
        }
    }

    private static @Nullable Object throughJavaIo(Object object) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    @Test
    @SuppressWarnings("ReferenceEquality") // identity is what is tested
    void shouldKeepWhatIsSharedWhenThereAreManyObjects() throws IOException, ClassNotFoundException {
        for (int count : new int[] {14, 15, 16, 17, 18, 64, 65, 5000}) {
            Object[] objects = new Object[count];
            for (int i = 0; i < count; i++) {
                objects[i] = i % 7 == 6 ? objects[i / 2] : new Sample(i, null, i, null);
            }
            Object[] back = (Object[]) Objects.requireNonNull(roundTrip((Object) objects)[0]);
            for (int i = 0; i < count; i++) {
                assertThat(back[i] == back[i / 2]).as("%d of %d", i, count).isEqualTo(objects[i] == objects[i / 2]);
            }
            assertThat(GraphShape.of(back)).isEqualTo(GraphShape.of(objects));
        }
    }

    /** Some equal and the same, some equal and not the same, more of them than are kept by value, some alike by hash. */
    @Test
    void shouldKeepIdentityWhenThereAreManyBoxesAndStrings() throws IOException, ClassNotFoundException {
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            int values = seed % 3 == 0 ? 3 : 2000;
            ArrayList<Object> list = new ArrayList<>();
            for (int i = random.nextInt(3000); i > 0; i--) {
                int value = 1000 + random.nextInt(values);
                list.add(
                        !list.isEmpty() && random.nextInt(4) == 0
                                ? list.get(random.nextInt(list.size()))
                                : switch (random.nextInt(6)) {
                                    case 0 -> Long.valueOf(value);
                                    case 1 -> Double.valueOf(value);
                                    case 2 -> "text " + value;
                                    case 3 -> Short.valueOf((short) value);
                                    case 4 -> Integer.valueOf(value << 16);
                                    default -> Integer.valueOf(value);
                                });
            }
            assertThat(GraphShape.of(roundTrip(list))).as("seed %d", seed).isEqualTo(GraphShape.of(new Object[] {list
            }));
        }
    }

    @Test
    void shouldEqualJavaIoWhenRecordsAreInACycle() throws IOException, ClassNotFoundException {
        Object[] holder = new Object[3];
        Sample sample = new Sample(1, "two", 3, holder);
        holder[0] = sample;
        holder[1] = "two";
        holder[2] = holder;
        assertThat(GraphShape.of(roundTrip(sample)[0])).isEqualTo(GraphShape.of(throughJavaIo(sample)));
        Object[] cell = new Object[1];
        cell[0] = new Ordered(cell, null, null);
        for (Object root : new Object[] {
            new Ordered(cell[0], cell, null), new Ordered(cell, cell[0], null), new Ordered(cell, null, cell[0]), cell
        }) {
            assertThat(GraphShape.of(roundTrip(root)[0])).isEqualTo(GraphShape.of(throughJavaIo(root)));
        }
    }

    @Test
    void shouldNameTheCauseWhenARecordRefuses() throws IOException {
        SerializationBuffer header = new SerializationBuffer(FEW_BYTES);
        assertThat(codec.write(new Object[] {new Positive(1)}, 0, 1, header, new DataVector()))
                .isTrue();
        Positive.strict = true;
        try {
            assertThatThrownBy(() -> read(header.toByteArray(), 1))
                    .isInstanceOf(InvalidObjectException.class)
                    .hasMessageContaining("strict");
        } finally {
            Positive.strict = false;
        }
    }

    /** As reflection does it at first, and as code that was made for the class does it then. */
    @Test
    void shouldEqualJavaIoWhenCodeWasMadeForAClass() throws IOException, ClassNotFoundException {
        for (int i = 0; i < 2500; i++) {
            Object[] cell = new Object[1];
            Wide wide = new Wide(i, cell);
            Mixed mixed =
                    new Mixed((byte) i, i, "mixed " + i, i * 0.5, (char) i, wide, i % 2 == 0, i * 3L, i, (short) i);
            cell[0] = mixed;
            for (Object root : new Object[] {wide, mixed}) {
                assertThat(GraphShape.of(roundTrip(root)[0])).as("%d", i).isEqualTo(GraphShape.of(throughJavaIo(root)));
            }
        }
        assertThat(FieldCode.of(Wide.class)).isNotNull();
        assertThat(FieldCode.of(Mixed.class)).isNotNull();
        assertThat(FieldCode.of(String.class)).isNull();
    }

    /** Its superclass runs its constructor. */
    private static class Failing {
        private static int left = Integer.MAX_VALUE;

        Failing() {
            left--;
            if (left < 0) {
                throw new IllegalStateException("none is left");
            }
        }
    }

    private static final class Failed extends Failing implements Serializable {
        private static final long serialVersionUID = 1L;
    }

    /** More than there are instances that are kept, and now and then one fails. */
    @Test
    void shouldKeepMessagesApartWhenManyThreadsSend() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(12)) {
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < 12; thread++) {
                int own = thread;
                running.add(threads.submit(() -> {
                    for (int i = 0; i < 300; i++) {
                        String same = "of " + own;
                        List<Object> list = new ArrayList<>(List.of(own, i, same, 0.5 * i, same));
                        List<?> back = (List<?>) Objects.requireNonNull(roundTrip(list)[0]);
                        assertThat(back).isEqualTo(list);
                        assertThat(back.get(2)).isSameAs(back.get(4));
                        if (i % 50 == own) {
                            list.add(new Object());
                            Object[] elements = {list};
                            assertThat(codec.write(
                                            elements, 0, 1, new SerializationBuffer(FEW_BYTES), new DataVector()))
                                    .isFalse();
                        }
                    }
                    return true;
                }));
            }
            for (Future<?> one : running) {
                one.get();
            }
        }
    }

    @Test
    void shouldNameTheCauseWhenAConstructorFailsInCode() throws IOException {
        Object[] many = new Object[2500];
        Arrays.setAll(many, i -> new Failed());
        SerializationBuffer header = new SerializationBuffer(FEW_BYTES);
        assertThat(codec.write(many, 0, many.length, header, new DataVector())).isTrue();
        Failing.left = 2400;
        assertThatThrownBy(() -> read(header.toByteArray(), many.length))
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining("Failing")
                .hasMessageContaining("none is left");
    }

    /** A value of the JDK whose bytes are no such value. */
    @Test
    void shouldSayThatAHeaderIsDamagedWhateverByteOfAValueIs() throws IOException {
        ArrayList<Object> values = new ArrayList<>(List.of(
                LocalDateTime.of(2026, 11, 24, 8, 0).atOffset(ZoneOffset.UTC),
                new BigDecimal("1e-70"),
                BigInteger.ONE.shiftLeft(100)));
        SerializationBuffer header = new SerializationBuffer(FEW_BYTES);
        assertThat(codec.write(new Object[] {values}, 0, 1, header, new DataVector()))
                .isTrue();
        assertThat(damaged(header)).isGreaterThan(header.length());
    }

    @Test
    @SuppressWarnings("JdkObsolete") // programs do send linked lists
    void shouldSayThatAHeaderIsDamagedWhateverByteOfACollectionIs() throws IOException {
        for (Object collection : List.of(
                new ArrayDeque<>(List.of("one", 2)),
                new LinkedList<>(List.of("one", 2)),
                List.of("one", 2, 3L),
                Arrays.asList("one", null).stream().toList(),
                new TreeMap<>(Map.of("one", 1, "two", 2)),
                new TreeSet<>(Set.of("one", "two")),
                new HashSet<>(Set.of("one", 2)))) {
            SerializationBuffer header = new SerializationBuffer(FEW_BYTES);
            assertThat(codec.write(new Object[] {collection}, 0, 1, header, new DataVector()))
                    .isTrue();
            assertThat(damaged(header)).isGreaterThan(0);
        }
    }

    /** Turns each bit of a header of one element, and counts where that is said. Nothing else is thrown. */
    private int damaged(SerializationBuffer header) {
        int damaged = 0;
        for (int at = 0; at < header.length(); at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] bytes = header.toByteArray();
                bytes[at] ^= (byte) (1 << bit);
                try {
                    read(bytes, 1);
                } catch (IOException | ClassNotFoundException e) {
                    damaged++;
                }
            }
        }
        return damaged;
    }

    /** The message is that of a record that was made by reflection. */
    @Test
    void shouldNameTheCauseWhenARecordRefusesItsCode() throws IOException {
        Object[] many = new Object[2500];
        Arrays.setAll(many, i -> new Positive(i));
        SerializationBuffer header = new SerializationBuffer(FEW_BYTES);
        assertThat(codec.write(many, 0, many.length, header, new DataVector())).isTrue();
        Positive.refused = 2400;
        try {
            assertThatThrownBy(() -> read(header.toByteArray(), many.length))
                    .isInstanceOf(InvalidObjectException.class)
                    .hasMessageContaining("Positive refused it")
                    .hasMessageContaining("2400");
        } finally {
            Positive.refused = 0;
        }
    }

    @Test
    void shouldIterateAsJavaIoWhenMapsAreSent() throws IOException, ClassNotFoundException {
        for (int size : new int[] {0, 1, 11, 12, 13, 24, 100, 1000}) {
            for (HashMap<Object, Object> map :
                    List.of(new HashMap<Object, Object>(4096), new LinkedHashMap<Object, Object>())) {
                for (int i = size - 1; i >= 0; i--) {
                    map.put(i % 2 == 0 ? "key " + i : Integer.valueOf(i << 16), i);
                }
                map.put(null, map.size());
                map.put(Suit.HEARTS, Suit.SPADES);
                map.put(Suit.SPADES, "black");
                Map<?, ?> expected = (Map<?, ?>) Objects.requireNonNull(throughJavaIo(map));
                Map<?, ?> back = (Map<?, ?>) Objects.requireNonNull(roundTrip(map)[0]);
                assertThat(back).hasSameClassAs(map);
                assertThat(new ArrayList<Object>(back.entrySet()))
                        .as("%d", size)
                        .isEqualTo(new ArrayList<Object>(expected.entrySet()));
            }
        }
    }

    @Test
    @SuppressWarnings("CollectionIncompatibleType") // a map that holds itself
    void shouldKeepTheCycleWhenAMapHoldsItself() throws IOException, ClassNotFoundException {
        Map<Object, Object> map = new HashMap<>();
        map.put("self", map);
        Map<?, ?> back = (Map<?, ?>) Objects.requireNonNull(roundTrip(map)[0]);
        assertThat(back.get("self")).isSameAs(back);
    }

    @Test
    void shouldTakeNullsWhenTheListThatWasSentDoes() throws IOException, ClassNotFoundException {
        for (int size : new int[] {0, 1, 2, 3, 10}) {
            List<Object> some = new ArrayList<>(Collections.nCopies(size, "one"));
            List<?> taking =
                    (List<?>) Objects.requireNonNull(roundTrip(some.stream().toList())[0]);
            assertThat(taking).isEqualTo(some).hasSameClassAs(some.stream().toList());
            assertThat(taking.contains(null)).isFalse();
            List<?> refusing = (List<?>) Objects.requireNonNull(roundTrip(List.copyOf(some))[0]);
            assertThat(refusing).isEqualTo(some).hasSameClassAs(List.copyOf(some));
            assertThatThrownBy(() -> refusing.contains(null)).isInstanceOf(NullPointerException.class);
        }
    }

    /** Compared where it is sent, and nowhere else. */
    private record Ranked(int rank) implements Serializable, Comparable<Ranked> {
        private static int compared;

        @Override
        public int compareTo(Ranked other) {
            compared++;
            return Integer.compare(rank, other.rank);
        }
    }

    @Test
    void shouldCompareNothingWhenTreesAreRead() throws IOException, ClassNotFoundException {
        for (int size : new int[] {0, 1, 2, 3, 100}) {
            TreeMap<Ranked, Object> map = new TreeMap<>();
            for (int i = 0; i < size; i++) {
                map.put(new Ranked((i * 37) % 101), i);
            }
            Object[] sent = {map, new TreeSet<>(map.keySet())};
            Ranked.compared = 0;
            @Nullable Object[] back = roundTrip(sent);
            assertThat(Ranked.compared).isZero();
            assertThat(List.copyOf(((TreeMap<?, ?>) Objects.requireNonNull(back[0])).entrySet()))
                    .isEqualTo(List.copyOf(map.entrySet()));
            assertThat(List.copyOf((TreeSet<?>) Objects.requireNonNull(back[1])))
                    .isEqualTo(List.copyOf(map.keySet()));
        }
    }

    /** Goes by how the keys of a map that it knows are ordered there. */
    private static final class ByMap implements Comparator<String>, Serializable {
        private static final long serialVersionUID = 1L;

        @Nullable
        TreeMap<String, Object> map;

        @Override
        public int compare(String one, String other) {
            return one.compareTo(other) * (map == null ? 1 : 2);
        }
    }

    @Test
    void shouldLeaveItToJavaIoWhenAComparatorRefersToItsMap() throws IOException {
        ByMap comparator = new ByMap();
        TreeMap<String, Object> map = new TreeMap<>(comparator);
        map.put("a", 1);
        assertThat(new KryoObjectCodec()
                        .write(new Object[] {map}, 0, 1, new SerializationBuffer(FEW_BYTES), new DataVector()))
                .isTrue();
        comparator.map = map;
        assertThat(new KryoObjectCodec()
                        .write(new Object[] {map}, 0, 1, new SerializationBuffer(FEW_BYTES), new DataVector()))
                .isFalse();
    }

    @Test
    void shouldLeaveItToJavaIoWhenTheResultCouldDiffer() throws IOException {
        assertThat(codec.handles(new Object[] {new Replaced(1)}, 0, 1)).isFalse();
        for (Object refused : List.of(
                new HashMap<>(Map.of(new Key(), 1)),
                new HashSet<>(Set.of(new Key())),
                Set.of(new Key()),
                Map.of(new Key(), 1),
                new TreeMap<>(Map.of(1, new StringBuilder())),
                new HashMap<>(16, 0.5f),
                new LinkedHashMap<>(16, 0.5f),
                new LinkedHashMap<>(16, 0.75f, true))) {
            assertThat(new KryoObjectCodec()
                            .write(new Object[] {refused}, 0, 1, new SerializationBuffer(FEW_BYTES), new DataVector()))
                    .as("%s", refused)
                    .isFalse();
        }
    }

    @Test
    void shouldReadOnWhenAnEarlierHeaderWasCut() throws IOException, ClassNotFoundException {
        SerializationBuffer header = new SerializationBuffer(FEW_BYTES);
        Object[] elements = {
            new Sample(1, "x", 2, new HashMap<>(Map.of("a", List.of().toArray())))
        };
        assertThat(codec.write(elements, 0, 1, header, new DataVector())).isTrue();
        byte[] bytes = header.toByteArray();
        for (int length = 0; length < bytes.length; length++) {
            int cut = length;
            assertThatThrownBy(() -> codec.read(bytes, 0, cut, new Object[1], 0, 1, new DataVector(), null))
                    .as("%d bytes", length)
                    .isInstanceOf(StreamCorruptedException.class);
        }
        assertThat(roundTrip(7)).containsExactly(7);
    }

    @Test
    void shouldKeepEachCharacterWhateverLengthAStringHas() throws IOException, ClassNotFoundException {
        List<Object> texts = new ArrayList<>();
        for (int length : new int[] {1, 3, 4, 15, 16, 17, 18, 19, 20, 23, 24, 25, 40, 511, 512, 513, 1030}) {
            // a question mark is also what stands for a character that Latin-1 has not
            for (String two : List.of("\u00ff~", "a?")) {
                String latin = two.repeat(length).substring(0, length);
                texts.add(latin);
                for (int at : new int[] {0, length / 2, length - 1}) {
                    for (char other : new char[] {'\u0100', '\u2013', '\ud800', '?'}) {
                        texts.add(latin.substring(0, at) + other + latin.substring(at + 1));
                    }
                }
            }
            texts.add("\ud83d\ude00".repeat(length));
        }
        assertThat(roundTrip(texts.toArray())).containsExactlyElementsOf(texts);
    }

    private static final KryoObjectCodec WITHIN = new KryoObjectCodec();

    /** Sends something while it is made. */
    private record Sending(String text) implements Serializable {
        Sending {
            try {
                SerializationBuffer header = new SerializationBuffer(FEW_BYTES);
                assertThat(WITHIN.write(new Object[] {text, text}, 0, 2, header, new DataVector()))
                        .isTrue();
                Object[] back = new Object[2];
                WITHIN.read(header.toByteArray(), 0, header.length(), back, 0, 2, new DataVector(), null);
                assertThat(back).containsExactly(text, text);
            } catch (IOException | ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Test
    void shouldKeepGraphsApartWhenAnObjectSendsWhileItIsMade() throws IOException, ClassNotFoundException {
        String shared = "shared";
        Object[] elements = {shared, new Sending("a"), List.of(new Sending("b"), shared), shared};
        for (int i = 0; i < 3; i++) {
            SerializationBuffer header = new SerializationBuffer(FEW_BYTES);
            assertThat(WITHIN.write(elements, 0, elements.length, header, new DataVector()))
                    .isTrue();
            Object[] back = new Object[elements.length];
            WITHIN.read(header.toByteArray(), 0, header.length(), back, 0, back.length, new DataVector(), null);
            assertThat(GraphShape.of(back)).isEqualTo(GraphShape.of(elements));
        }
    }
}
