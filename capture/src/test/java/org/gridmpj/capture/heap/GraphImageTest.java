package org.gridmpj.capture.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.LongBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.SimpleDateFormat;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Scanner;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import jdk.internal.misc.Unsafe;
import org.gridmpj.capture.samples.Colour;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What comes out of an image is what went in: values, identity, order, positions; and what cannot is refused by its path. */
@Timeout(120)
// programs have all of these, whatever one thinks of them
@SuppressWarnings({
    "JdkObsolete",
    "UnnecessaryStringBuilder",
    "LockNotBeforeTry",
    "IdentityHashMapUsage",
    "EnumOrdinal",
    "ThreadLocalUsage",
    "BooleanLiteral",
    "NullAway"
})
class GraphImageTest {
    @TempDir
    Path folder;

    record Point(int x, double y, String name, List<Object> others) {}

    static class Node {
        private final int value;
        private Node next;

        Node(int value) {
            this.value = value;
        }
    }

    private static class Base {
        private int secret = 1;

        int baseSecret() {
            return secret;
        }
    }

    private static final class Derived extends Base {
        private final String secret = new String(new char[] {'x', 'y'});
        private final long[] numbers = {1, Long.MIN_VALUE};
        private float f = -0.0F;
        private char c = '\uFFFF';
        private short s = -2;
        private byte b = -128;
        private boolean z = true;
        private double d = Double.longBitsToDouble(0x7ff8000000000001L);
    }

    static byte[] image(Object root, TokenRegistry tokens) throws IOException, UncapturableException {
        try (ImageMemory memory = new ImageMemory()) {
            new GraphWriter(tokens, memory).write(root);
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            memory.writeTo(buffer -> {
                byte[] part = new byte[buffer.remaining()];
                buffer.get(part);
                bytes.write(part);
            });
            assertThat(memory.lengthBytes()).isEqualTo(bytes.size());
            return bytes.toByteArray();
        }
    }

    static Object read(byte[] image, TokenRegistry tokens) throws IOException {
        GraphReader reader = new GraphReader(tokens, GraphImageTest.class.getClassLoader());
        Object root = reader.read(new ByteArrayInputStream(image));
        reader.settle();
        return root;
    }

    @SuppressWarnings("unchecked")
    static <T> T copy(T root) throws IOException, UncapturableException {
        TokenRegistry tokens = new TokenRegistry().withStandardStreams();
        byte[] image = image(root, tokens);
        GraphRehearsalTest.rehearse(image);
        return (T) read(image, tokens);
    }

    @Test
    void shouldKeepEveryKindOfFieldWhenAnObjectIsOfTheProgram() throws Exception {
        Derived original = new Derived();
        Derived copied = copy(original);
        assertThat(copied).isNotSameAs(original);
        assertThat(copied.baseSecret()).isEqualTo(1);
        assertThat(copied.secret).isEqualTo("xy");
        assertThat(copied.numbers).containsExactly(1, Long.MIN_VALUE);
        assertThat(Float.floatToRawIntBits(copied.f)).isEqualTo(Float.floatToRawIntBits(-0.0F));
        assertThat(copied.c).isEqualTo('\uFFFF');
        assertThat(copied.s).isEqualTo((short) -2);
        assertThat(copied.b).isEqualTo((byte) -128);
        assertThat(copied.z).isTrue();
        assertThat(Double.doubleToRawLongBits(copied.d)).isEqualTo(0x7ff8000000000001L);
    }

    @Test
    void shouldKeepArraysOfAllTypesWhenTheyAreLongerThanABuffer() throws Exception {
        int n = 3_000_001;
        boolean[] booleans = new boolean[n];
        booleans[n - 1] = true;
        double[] doubles = new double[n];
        Arrays.setAll(doubles, Math::sqrt);
        Object[] all = {
            booleans,
            new byte[] {1, -1},
            new char[] {'a', '\u1234'},
            new short[] {-3},
            new int[][] {{1}, {}, null, {2, 3}},
            new long[0],
            new float[] {1.5F},
            doubles,
            new String[] {"a", null},
            new Object[][][] {{{}}}
        };
        Object[] copied = copy(all);
        assertThat(Arrays.deepEquals(copied, all)).isTrue();
        for (int i = 0; i < all.length; i++) {
            assertThat(copied[i].getClass()).isSameAs(all[i].getClass());
        }
    }

    @Test
    void shouldKeepSharingAndCyclesWhenObjectsReferToEachOther() throws Exception {
        int[] shared = {7};
        List<Object> list = new ArrayList<>(List.of(shared, shared));
        list.add(list);
        Object[] root = {list, shared, new Point(1, 2.5, "p", list)};
        Object[] copied = copy(root);
        List<?> copiedList = (List<?>) copied[0];
        assertThat(copiedList.get(0)).isSameAs(copied[1]).isSameAs(copiedList.get(1));
        assertThat(copiedList.get(2)).isSameAs(copiedList);
        assertThat(((Point) copied[2]).others()).isSameAs(copiedList);
        assertThat(((Point) copied[2]).name()).isEqualTo("p");
    }

    @Test
    void shouldNeedNoDeepStackWhenAListHasAMillionNodes() throws Exception {
        Node first = new Node(0);
        Node last = first;
        for (int i = 1; i < 1_000_000; i++) {
            last.next = new Node(i);
            last = last.next;
        }
        Node copied = copy(first);
        for (int i = 0; i < 1_000_000; i++) {
            assertThat(copied.value).isEqualTo(i);
            copied = copied.next;
        }
        assertThat(copied).isNull();
    }

    private static <T, C extends java.util.Collection<T>> C with(C collection, List<T> elements) {
        collection.addAll(elements);
        return collection;
    }

    static Stream<Object> values() {
        List<String> words = List.of("one", "two", "three", "four", "ünïcödé", "\uD83D\uDE00");
        Map<String, Integer> numbers = new LinkedHashMap<>();
        words.forEach(word -> numbers.put(word, word.length()));
        LinkedHashMap<String, Integer> byAccess = new LinkedHashMap<>(16, 0.75F, true);
        byAccess.putAll(numbers);
        byAccess.get("one");
        EnumMap<TimeUnit, String> enumMap = new EnumMap<>(TimeUnit.class);
        enumMap.put(TimeUnit.DAYS, "d");
        return Stream.of(
                with(new ArrayList<>(), words),
                with(new LinkedList<>(), words),
                new HashMap<>(numbers),
                numbers,
                byAccess,
                new TreeMap<>(numbers),
                new Hashtable<>(numbers),
                with(new HashSet<>(), words),
                with(new LinkedHashSet<>(), words),
                with(new TreeSet<>(), words),
                enumMap,
                EnumSet.of(TimeUnit.DAYS, TimeUnit.HOURS),
                EnumSet.allOf(Character.UnicodeScript.class),
                new ConcurrentHashMap<>(numbers),
                new ConcurrentSkipListMap<>(numbers),
                new CopyOnWriteArrayList<>(words),
                List.of(),
                List.of("a"),
                List.of("a", "b"),
                words,
                Set.of(),
                Set.of("a"),
                Set.of("a", "b"),
                Set.copyOf(words),
                Map.of(),
                Map.of("k", 1),
                Map.copyOf(numbers),
                Arrays.asList("x", null),
                Collections.unmodifiableList(new ArrayList<>(words)),
                Collections.synchronizedMap(new HashMap<>(numbers)),
                Collections.emptyList(),
                Collections.singletonMap("a", "b"),
                Collections.nCopies(3, "n"),
                new ArrayList<>(words).subList(1, 3),
                BitSet.valueOf(new long[] {5, 1L << 63}),
                Optional.of("o"),
                Optional.empty(),
                UUID.fromString("01234567-89ab-cdef-0123-456789abcdef"),
                new BigInteger("123456789012345678901"),
                new BigDecimal("1.50"),
                1,
                1000,
                1L << 40,
                'c',
                1.5,
                true,
                (byte) 3,
                "text",
                Duration.ofMillis(1500),
                LocalDateTime.of(2026, 11, 21, 4, 5),
                ZonedDateTime.of(2026, 11, 21, 4, 5, 6, 7, ZoneId.of("Europe/Paris")),
                Locale.forLanguageTag("sr-Latn-RS"),
                StandardCharsets.UTF_16BE,
                URI.create("http://h:1/p?q#f"),
                Path.of("/a/b"),
                new File("c/d"),
                new File("\uD83D\uDE00/ä"),
                new File("half \uDE00\uD83D of a pair"),
                "half \uDE00\uD83D of a pair",
                "longer than what is interned, with half \uD83D of a pair",
                new DecimalFormat("#,##0.00"),
                new SimpleDateFormat("yyyy", Locale.ROOT),
                int.class,
                String[][].class,
                Colour.GREEN,
                TimeUnit.DAYS,
                new Point(1, 2, "n", List.of()));
    }

    @ParameterizedTest
    @MethodSource("values")
    void shouldBeEqualWhenItIsAValueOfTheJdk(Object value) throws Exception {
        Object copied = copy(new Object[] {value})[0];
        assertThat(copied).isEqualTo(value);
        assertThat(copied.getClass()).isSameAs(value.getClass());
        assertThat(copied.toString()).isEqualTo(value.toString());
    }

    @Test
    void shouldGoOnAsTheOriginalWhenItHasAState() throws Exception {
        Random random = new Random(42);
        random.nextGaussian();
        SplittableRandom splittable = new SplittableRandom(5);
        splittable.nextLong();
        ArrayDeque<Integer> deque = with(new ArrayDeque<>(), List.of(1, 2, 3));
        deque.poll();
        PriorityQueue<String> queue = new PriorityQueue<>(Collections.reverseOrder());
        queue.addAll(List.of("a", "ccc", "bb"));
        StringBuilder builder = new StringBuilder("ab");
        StringJoiner joiner = new StringJoiner(",").add("1");
        AtomicReference<Object> reference = new AtomicReference<>(deque);
        LongAdder adder = new LongAdder();
        adder.add(9);
        Object[] copied = copy(new Object[] {
            random,
            splittable,
            deque,
            queue,
            builder,
            joiner,
            new AtomicInteger(4),
            new AtomicLong(5),
            reference,
            adder,
            ByteBuffer.wrap(new byte[] {1, 2, 3}, 1, 2),
            with(new ConcurrentLinkedQueue<>(), List.of(1, 2))
        });
        assertThat(((Random) copied[0]).nextGaussian()).isEqualTo(random.nextGaussian());
        assertThat(((Random) copied[0]).nextInt()).isEqualTo(random.nextInt());
        assertThat(((SplittableRandom) copied[1]).nextLong()).isEqualTo(splittable.nextLong());
        assertThat(((ArrayDeque<?>) copied[2]).poll()).isEqualTo(2);
        assertThat(((PriorityQueue<?>) copied[3]).poll()).isEqualTo("ccc");
        assertThat(((StringBuilder) copied[4]).append('c').toString()).isEqualTo("abc");
        assertThat(((StringJoiner) copied[5]).add("2").toString()).isEqualTo("1,2");
        assertThat(((AtomicInteger) copied[6]).incrementAndGet()).isEqualTo(5);
        assertThat(((AtomicLong) copied[7]).incrementAndGet()).isEqualTo(6);
        assertThat(((AtomicReference<?>) copied[8]).get()).isSameAs(copied[2]);
        assertThat(((LongAdder) copied[9]).sum()).isEqualTo(9);
        assertThat(((ByteBuffer) copied[10]).get()).isEqualTo((byte) 2);
        assertThat(((ConcurrentLinkedQueue<?>) copied[11]).poll()).isEqualTo(1);
    }

    @Test
    void shouldLieOnTheCopiedArrayWhenItIsABufferOrSegment() throws Exception {
        long[] array = {1, 2, 3};
        MemorySegment segment = MemorySegment.ofArray(array).asSlice(Long.BYTES);
        CharBuffer text = CharBuffer.wrap("text", 1, 3);
        Object[] copied = copy(new Object[] {
            array, segment, LongBuffer.wrap(array, 1, 2).slice().asReadOnlyBuffer(), text
        });
        ((MemorySegment) copied[1]).set(ValueLayout.JAVA_LONG, 0, 7);
        assertThat((long[]) copied[0]).containsExactly(1, 7, 3);
        assertThat(((LongBuffer) copied[2]).compareTo(LongBuffer.wrap(new long[] {7, 3})))
                .isZero();
        assertThat(copied[3]).isEqualTo(text).hasToString("ex");
    }

    @Test
    void shouldLockAndMatchWhenTheProgramHasLocksAndPatterns() throws Exception {
        Object[] copied = copy(new Object[] {
            new ReentrantLock(true), new ReentrantReadWriteLock(), Pattern.compile("(a+)b", Pattern.CASE_INSENSITIVE)
        });
        ReentrantLock lock = (ReentrantLock) copied[0];
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        ((ReentrantReadWriteLock) copied[1]).writeLock().lock();
        assertThat(((Pattern) copied[2]).matcher("AAB").matches()).isTrue();
    }

    static Stream<Pattern> patterns() {
        return Stream.of(
                Pattern.compile("ab(?i)cd"),
                Pattern.compile("(?x)a b (?-x) c"),
                Pattern.compile("a(?-i)bc", Pattern.CASE_INSENSITIVE),
                Pattern.compile("(?U)\\w"),
                Pattern.compile("\\w", Pattern.UNICODE_CHARACTER_CLASS),
                Pattern.compile("[\uD83D]|x\uDE00"));
    }

    @ParameterizedTest
    @MethodSource("patterns")
    void shouldMatchTheSameWhenAPatternHasFlagsOrHalfPairs(Pattern pattern) throws Exception {
        Pattern copied = copy(pattern);
        assertThat(copied.pattern()).isEqualTo(pattern.pattern());
        assertThat(copied.flags()).isEqualTo(pattern.flags());
        for (String text : List.of("abCD", "ABcd", "ab c", "abc", "aBC", "Abc", "ABC", "ä", "\uD83D", "x\uDE00")) {
            assertThat(copied.matcher(text).matches())
                    .as("%s on %s", pattern, text)
                    .isEqualTo(pattern.matcher(text).matches());
        }
    }

    @Test
    void shouldGoOnIteratingWhenAnIteratorIsInFlight() throws Exception {
        HashMap<String, Integer> map = new HashMap<>();
        for (int i = 0; i < 1000; i++) {
            map.put("key" + i, i);
        }
        Iterator<Map.Entry<String, Integer>> iterator = map.entrySet().iterator();
        for (int i = 0; i < 400; i++) {
            iterator.next();
        }
        Object[] copied = copy(new Object[] {map, iterator});
        List<String> rest = new ArrayList<>();
        ((Iterator<?>) copied[1]).forEachRemaining(entry -> rest.add(entry.toString()));
        List<String> expected = new ArrayList<>();
        iterator.forEachRemaining(entry -> expected.add(entry.toString()));
        assertThat(rest).isEqualTo(expected).hasSize(600);
        assertThat(((Map<?, ?>) copied[0]).keySet().toArray())
                .isEqualTo(map.keySet().toArray());
    }

    @Test
    void shouldFindKeysWhenTheyHashByIdentity() throws Exception {
        Object[] keys = Stream.generate(Object::new).limit(500).toArray();
        Map<Object, Integer> hash = new HashMap<>();
        Map<Object, Integer> linked = new LinkedHashMap<>();
        Map<Object, Integer> concurrent = new ConcurrentHashMap<>();
        Map<Object, Integer> identity = new IdentityHashMap<>();
        Map<Object, Integer> table = new Hashtable<>();
        Set<Set<Object>> nested = new HashSet<>();
        for (int i = 0; i < keys.length; i++) {
            hash.put(keys[i], i);
            linked.put(keys[i], i);
            concurrent.put(keys[i], i);
            identity.put(keys[i], i);
            table.put(keys[i], i);
        }
        nested.add(new HashSet<>(List.of(keys[0], keys[1])));
        Object[] copied = copy(new Object[] {keys, hash, linked, concurrent, identity, table, nested, Set.of(keys)});
        Object[] copiedKeys = (Object[]) copied[0];
        for (int map = 1; map <= 5; map++) {
            Map<?, ?> each = (Map<?, ?>) copied[map];
            assertThat(each).hasSize(500);
            for (int i = 0; i < keys.length; i++) {
                assertThat(each.get(copiedKeys[i]))
                        .as("%s, key %s", each.getClass(), i)
                        .isEqualTo(i);
            }
        }
        assertThat(((Map<?, ?>) copied[2]).values().toArray())
                .isEqualTo(linked.values().toArray());
        assertThat(((Set<?>) copied[6]).contains(new HashSet<>(List.of(copiedKeys[0], copiedKeys[1]))))
                .isTrue();
        assertThat(((Set<?>) copied[7]).containsAll(Arrays.asList(copiedKeys))).isTrue();
    }

    @Test
    void shouldKeepHashCodesThatTheJvmHasInvented() throws Exception {
        Object[] objects = Stream.generate(Object::new).limit(1000).toArray();
        int[] hashes = Arrays.stream(objects).mapToInt(System::identityHashCode).toArray();
        Map<Object, Integer> table = new HashMap<>();
        for (int i = 0; i < objects.length; i++) {
            table.put(objects[i], i);
        }
        Iterator<Map.Entry<Object, Integer>> iterator = table.entrySet().iterator();
        List<Integer> order = new ArrayList<>(table.values());
        Map.Entry<Object, Integer> entry = iterator.next();

        Object[] copied = copy(new Object[] {objects, table, iterator, entry});

        assertThat(Arrays.stream((Object[]) copied[0])
                        .mapToInt(System::identityHashCode)
                        .toArray())
                .isEqualTo(hashes);
        assertThat(new ArrayList<Object>(((Map<?, ?>) copied[1]).values())).isEqualTo(order);
        @SuppressWarnings("unchecked")
        Map.Entry<Object, Integer> copiedEntry = (Map.Entry<Object, Integer>) copied[3];
        copiedEntry.setValue(-1);
        assertThat((Object) ((Map<?, ?>) copied[1]).get(copiedEntry.getKey())).isEqualTo(-1);
        List<Object> rest = new ArrayList<>();
        ((Iterator<?>) copied[2]).forEachRemaining(each -> rest.add(((Map.Entry<?, ?>) each).getValue()));
        assertThat(rest).isEqualTo(order.subList(1, order.size()));
    }

    @Test
    void shouldFindKeysThatHashOtherwiseInThisProcess() throws Exception {
        Object theirs = new Object();
        TokenRegistry written = new TokenRegistry();
        written.bind("engine", theirs);
        byte[] image = image(
                new Object[] {
                    new HashMap<>(Map.of(theirs, 1)),
                    new HashSet<>(Set.of(List.of(theirs))),
                    new IdentityHashMap<>(Map.of(theirs, 2)),
                    Set.of(theirs, "a", "b"),
                    Map.of(theirs, 3, "a", 4)
                },
                written);
        Object ours = new Object();
        TokenRegistry here = new TokenRegistry();
        here.bind("engine", ours);

        Object[] read = (Object[]) read(image, here);

        assertThat(((Map<?, ?>) read[0]).containsKey(ours)).isTrue();
        assertThat(((Set<?>) read[1]).contains(List.of(ours))).isTrue();
        assertThat(((Map<?, ?>) read[2]).containsKey(ours)).isTrue();
        assertThat(((Set<?>) read[3]).contains(ours)).isTrue();
        assertThat(((Map<?, ?>) read[4]).containsKey(ours)).isTrue();
    }

    /** An image says of the direction of immutable sets what the other process had. */
    private static Object[] readOfAProcessThatGoesTheOtherWay(Object[] root) throws Exception {
        TokenRegistry tokens = new TokenRegistry();
        byte[] image = image(root, tokens);
        image[12] ^= 1;
        return (Object[]) read(image, tokens);
    }

    @Test
    void shouldGiveEachOnceWhenImmutableSetsAreIteratedTheOtherWay() throws Exception {
        Unsafe unsafe = Unsafe.getUnsafe();
        for (int length = 3; length <= 12; length++) {
            Integer[] numbers =
                    Stream.iterate(1, number -> number + 1).limit(length).toArray(Integer[]::new);
            Set<Integer> set = Set.of(numbers);
            for (int seen = 0; seen < length; seen++) {
                Iterator<Integer> iterator = set.iterator();
                long elementsOffset = Shape.offset(set, "SetN.elements");
                Object[] places = (Object[]) unsafe.getReference(set, elementsOffset);
                long position = Shape.offset(iterator, "SetNIterator.idx");
                int at = unsafe.getInt(iterator, position);
                Set<Object> left = new HashSet<>(set);
                for (int gone = 0; gone < seen; ) {
                    // as the other process would
                    at = Math.floorMod(at + (ImmutableOrder.REVERSE ? -1 : 1), places.length);
                    if (places[at] != null) {
                        left.remove(places[at]);
                        gone++;
                    }
                }
                unsafe.putInt(iterator, position, at);
                unsafe.putInt(iterator, Shape.offset(iterator, "SetNIterator.remaining"), length - seen);

                Object[] read = readOfAProcessThatGoesTheOtherWay(new Object[] {set, iterator});

                List<Object> rest = new ArrayList<>();
                ((Iterator<?>) read[1]).forEachRemaining(rest::add);
                assertThat(rest)
                        .as("%s of %s seen", seen, length)
                        .hasSameElementsAs(left)
                        .hasSize(length - seen);
            }
        }
    }

    @Test
    void shouldKeepTheOrderOfAPairWhenImmutableSetsAreIteratedTheOtherWay() throws Exception {
        Set<String> pair = Set.of("x", "y");

        Object[] read = readOfAProcessThatGoesTheOtherWay(new Object[] {pair});

        assertThat(new ArrayList<>((Set<?>) read[0]))
                .isEqualTo(new ArrayList<Object>(pair).reversed())
                .hasSize(2);
    }

    interface SerializableSupplier<T> extends Supplier<T>, java.io.Serializable {}

    @Test
    void shouldCallTheSameWhenLambdasCaptureObjectsAndEachOther() throws Exception {
        int[] counter = {0};
        SerializableSupplier<Integer> inner = () -> ++counter[0];
        SerializableSupplier<String> outer = () -> "n" + inner.get();
        SerializableSupplier<Node> constructor = (SerializableSupplier<Node>) () -> new Node(3);
        Object[] copied = copy(new Object[] {counter, inner, outer, constructor});
        assertThat(((Supplier<?>) copied[2]).get()).isEqualTo("n1");
        assertThat(((Supplier<?>) copied[1]).get()).isEqualTo(2);
        assertThat((int[]) copied[0]).containsExactly(2);
        assertThat(counter).containsExactly(0);
        assertThat(((Node) ((Supplier<?>) copied[3]).get()).value).isEqualTo(3);
    }

    interface Marker {}

    interface ByType<T> {
        Object give(T of);
    }

    interface ByNumber {
        Object give(Integer of);
    }

    /** Neither method overrides the other: javac asks for a bridge in the lambda. */
    interface ByBoth extends ByType<Integer>, ByNumber, java.io.Serializable {}

    @Test
    void shouldBeOfAllTypesWhenALambdaHasMarkersOrBridges() throws Exception {
        int[] counter = {0};
        Runnable marked = (Runnable & java.io.Serializable & Marker) () -> counter[0]++;
        Runnable plain = (Runnable & java.io.Serializable) () -> counter[0]++;
        ByBoth bridged = of -> of + counter[0];
        // the copy of a copy too
        Object[] copied = copy(copy(new Object[] {counter, marked, plain, bridged}));
        assertThat(copied[1]).isInstanceOf(Marker.class).isInstanceOf(java.io.Serializable.class);
        assertThat(copied[2]).isNotInstanceOf(Marker.class).isInstanceOf(java.io.Serializable.class);
        ((Runnable) copied[1]).run();
        ((Runnable) copied[2]).run();
        assertThat((int[]) copied[0]).containsExactly(2);
        assertThat(((ByNumber) copied[3]).give(5)).isEqualTo(7);
        @SuppressWarnings("unchecked")
        ByType<Object> byType = (ByType<Object>) copied[3];
        assertThat(byType.give(6)).isEqualTo(8);
    }

    @Test
    void shouldKeepConstantsOfTheProcessWhenTheyAreComparedByIdentity() throws Exception {
        Object[] copied = copy(new Object[] {
            Colour.RED, Comparator.naturalOrder(), Collections.reverseOrder(), System.out, Boolean.TRUE, 127, "literal"
        });
        assertThat(copied[0]).isSameAs(Colour.RED);
        assertThat(copied[1]).isSameAs(Comparator.naturalOrder());
        assertThat(copied[2]).isSameAs(Collections.reverseOrder());
        assertThat(copied[3]).isSameAs(System.out);
        assertThat(copied[4]).isSameAs(Boolean.TRUE);
        assertThat(copied[5]).isSameAs(Integer.valueOf(127));
        assertThat(copied[6]).isSameAs("literal");
    }

    @Test
    void shouldKeepTraceAndTakeSuppressedOnesWhenAnExceptionIsInFlight() throws Exception {
        IllegalStateException[] thrown = new IllegalStateException[2];
        for (int i = 0; i < thrown.length; i++) {
            try {
                throw new IllegalStateException("planned " + i, new IOException("the cause"));
            } catch (IllegalStateException e) {
                thrown[i] = e;
            }
        }
        Object[] copied = copy(thrown.clone());
        for (int i = 0; i < thrown.length; i++) {
            IllegalStateException copy = (IllegalStateException) copied[i];
            assertThat(copy).hasMessage("planned " + i).hasCauseInstanceOf(IOException.class);
            assertThat(copy.getStackTrace()).isNotEmpty().isEqualTo(thrown[i].getStackTrace());
            copy.addSuppressed(new IOException("when it was closed"));
            assertThat(copy.getSuppressed()).hasSize(1);
            assertThat(copy.getCause().getSuppressed()).isEmpty();
        }
    }

    @Test
    void shouldRestoreWhatAnEnumConstantHoldsWhenItIsOfTheProgram() throws Exception {
        TokenRegistry tokens = new TokenRegistry();
        Colour.GREEN.count = 17;
        byte[] image = image(new Object[] {Colour.GREEN}, tokens);
        Colour.GREEN.count = 0;
        Object[] copied = (Object[]) read(image, tokens);
        assertThat(copied[0]).isSameAs(Colour.GREEN);
        assertThat(Colour.GREEN.count).isEqualTo(17);
        assertThat(Colour.GREEN.ordinal()).isEqualTo(1);
        Colour.GREEN.count = 0;
    }

    @Test
    void shouldGiveTheThreadItsValueWhenAThreadLocalHasOne() throws Exception {
        ThreadLocal<List<String>> local = new ThreadLocal<>();
        local.set(List.of("mine"));
        ThreadLocal<List<String>> empty = new ThreadLocal<>();
        Object[] copied = copy(new Object[] {local, empty});
        assertThat(((ThreadLocal<?>) copied[0]).get()).isEqualTo(List.of("mine"));
        assertThat(((ThreadLocal<?>) copied[1]).get()).isNull();
    }

    @Test
    void shouldReferWeaklyWhenAReferenceIsWeak() throws Exception {
        Object kept = new Node(1);
        Object[] copied = copy(new Object[] {kept, new WeakReference<>(kept), new WeakReference<>(null)});
        assertThat(((WeakReference<?>) copied[1]).get()).isSameAs(copied[0]);
        assertThat(((WeakReference<?>) copied[2]).get()).isNull();
    }

    @Test
    void shouldComeToItsQueueWhenAReferenceIsCleared() throws Exception {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Object kept = new Node(1);
        List<Reference<Object>> references = List.of(
                new WeakReference<>(kept, queue),
                new SoftReference<>(kept, queue),
                new PhantomReference<>(kept, queue),
                new WeakReference<>(kept));
        Object[] copied = copy(new Object[] {kept, queue, references.toArray()});
        Object[] again = (Object[]) copied[2];
        ReferenceQueue<?> copiedQueue = (ReferenceQueue<?>) copied[1];
        assertThat(copiedQueue.poll()).isNull();
        for (int i = 0; i < again.length; i++) {
            Reference<?> reference = (Reference<?>) again[i];
            assertThat(reference.getClass()).isSameAs(references.get(i).getClass());
            assertThat(refers(reference, copied[0])).isTrue();
            assertThat(reference.enqueue()).isEqualTo(i < 3);
            assertThat(copiedQueue.poll()).isSameAs(i < 3 ? reference : null);
        }
        assertThat(queue.poll()).isNull();
    }

    @SuppressWarnings("unchecked")
    private static boolean refers(Reference<?> reference, Object referent) {
        return ((Reference<Object>) reference).refersTo(referent);
    }

    @Test
    void shouldBeInItsQueueWhenAReferenceWasCleared() throws Exception {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Object kept = new Node(1);
        WeakReference<?>[] references = {
            new WeakReference<>(kept, queue), new WeakReference<>(kept, queue), new WeakReference<>(kept, queue)
        };
        for (WeakReference<?> reference : references) {
            reference.enqueue();
        }
        assertThat(queue.poll()).isSameAs(references[2]);
        Object[] copied = copy(new Object[] {references, queue});
        Object[] again = (Object[]) copied[0];
        ReferenceQueue<?> copiedQueue = (ReferenceQueue<?>) copied[1];
        assertThat(((Reference<?>) again[0]).enqueue()).isFalse();
        assertThat(copiedQueue.poll()).isSameAs(again[1]);
        assertThat(copiedQueue.remove(1)).isSameAs(again[0]);
        assertThat(copiedQueue.poll()).isNull();
        assertThat(((Reference<?>) again[2]).enqueue()).isFalse();
    }

    @Test
    void shouldAnswerWhenAProxyIsCopied() throws Exception {
        IntSupplier proxy = (IntSupplier) Proxy.newProxyInstance(
                GraphImageTest.class.getClassLoader(), new Class<?>[] {IntSupplier.class}, new Answer(6));
        Object[] copied = copy(new Object[] {proxy});
        assertThat(((IntSupplier) copied[0]).getAsInt()).isEqualTo(6);
    }

    private record Answer(int value) implements java.lang.reflect.InvocationHandler {
        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] arguments) {
            return value;
        }
    }

    @Test
    void shouldOpenFilesWhereTheyStoodWhenTheyAreReadAndWritten() throws Exception {
        Path text = Files.writeString(folder.resolve("in.txt"), "1 2 3 4 5 6");
        Path output = folder.resolve("out.txt");
        Path random = Files.write(folder.resolve("random"), new byte[] {0, 1, 2, 3, 4, 5});
        FileOutputStream stream = new FileOutputStream(output.toFile());
        PrintWriter writer = new PrintWriter(new java.io.OutputStreamWriter(stream, StandardCharsets.UTF_8));
        writer.print("before;");
        FileInputStream in = new FileInputStream(text.toFile());
        Scanner scanner = new Scanner(new InputStreamReader(in, StandardCharsets.UTF_8));
        assertThat(scanner.nextInt()).isEqualTo(1);
        RandomAccessFile access = new RandomAccessFile(random.toFile(), "rw");
        access.seek(3);
        TokenRegistry tokens = new TokenRegistry();
        byte[] image = image(new Object[] {writer, scanner, access}, tokens);
        writer.print("a future that is not");
        writer.close();
        access.write(99);
        access.close();
        scanner.close();
        Object[] copied = (Object[]) read(image, tokens);
        try (PrintWriter again = (PrintWriter) copied[0]) {
            again.print("after");
        }
        assertThat(Files.readString(output)).isEqualTo("before;after");
        try (Scanner again = (Scanner) copied[1]) {
            assertThat(again.nextInt()).isEqualTo(2);
        }
        try (RandomAccessFile again = (RandomAccessFile) copied[2]) {
            assertThat(again.getFilePointer()).isEqualTo(3);
        }
    }

    @Test
    void shouldGoOnInTheMiddleOfAFileAndCutOffWhatCameLater() throws Exception {
        Path output = folder.resolve("middle.txt");
        Path text = Files.writeString(folder.resolve("in.txt"), "0123456789");
        FileOutputStream out = new FileOutputStream(output.toFile());
        out.write("0123456789".getBytes(StandardCharsets.UTF_8));
        out.getChannel().position(4);
        FileInputStream in = new FileInputStream(text.toFile());
        assertThat(in.readNBytes(3)).hasSize(3);
        TokenRegistry tokens = new TokenRegistry();
        byte[] image = image(new Object[] {out, in}, tokens);
        out.getChannel().position(10);
        out.write("a future that is not".getBytes(StandardCharsets.UTF_8));
        out.close();
        in.close();
        Object[] copied = (Object[]) read(image, tokens);
        try (FileOutputStream again = (FileOutputStream) copied[0]) {
            again.write("ab".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(Files.readString(output)).isEqualTo("0123ab6789");
        try (FileInputStream again = (FileInputStream) copied[1]) {
            assertThat(again.read()).isEqualTo('3');
        }
    }

    static final class Holder {
        final Object[] things;
        final Map<String, Object> named = new HashMap<>();

        Holder(Object... things) {
            this.things = things;
        }
    }

    @Test
    void shouldCopyADirectBufferWithItsBytesAndWhereItStands() throws Exception {
        ByteBuffer direct = ByteBuffer.allocateDirect(200_001).order(ByteOrder.LITTLE_ENDIAN);
        new Random(1).longs(25_000).forEach(direct::putLong);
        direct.position(70).mark().position(90).limit(180_000);
        Object[] back = copy(new Object[] {direct, direct, ByteBuffer.allocateDirect(0)});
        ByteBuffer copy = (ByteBuffer) back[0];
        assertThat(copy).isSameAs(back[1]).isNotSameAs(direct);
        assertThat(copy.isDirect()).isTrue();
        assertThat(copy.order()).isEqualTo(ByteOrder.LITTLE_ENDIAN);
        assertThat(copy.position()).isEqualTo(90);
        assertThat(copy.limit()).isEqualTo(180_000);
        assertThat(copy.reset().position()).isEqualTo(70);
        assertThat(copy.clear()).isEqualTo(direct.clear());
        assertThat(((ByteBuffer) back[2]).isDirect()).isTrue();
    }

    @Test
    void shouldNameThePathWhenSomethingCannotBeCaptured() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            Holder holder = new Holder(1, socket);
            assertThatThrownBy(() -> copy(new Object[] {holder}))
                    .isInstanceOf(UncapturableException.class)
                    .hasMessageStartingWith(
                            "root[0] → Holder.things[1] (java.net.ServerSocket): an open socket ends with its"
                                    + " process");
        }
        ByteBuffer direct = ByteBuffer.allocateDirect(8);
        for (Buffer view :
                List.of(direct.slice(), direct.duplicate(), direct.asReadOnlyBuffer(), direct.asIntBuffer())) {
            assertThatThrownBy(() -> copy(new Object[] {view}))
                    .hasMessageMatching(
                            "root\\[0\\] \\(java\\.nio\\.Direct.*\\): a view of a direct buffer has the address of this"
                                    + " process's memory; make it anew after each MPI call, or use ByteBuffer.allocate");
        }
        CountDownLatch end = new CountDownLatch(1);
        Thread running = Thread.ofPlatform().start(() -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            assertThatThrownBy(() -> copy(new Object[] {running})).hasMessageContaining("a running thread");
        } finally {
            end.countDown();
        }
        Supplier<String> plain = () -> "not serializable";
        assertThatThrownBy(() -> copy(new Object[] {plain})).hasMessageContaining("was made at run time");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 16, 20})
    void shouldSaySoWhenAnImageIsOfAnotherKind(int at) throws Exception {
        TokenRegistry tokens = new TokenRegistry();
        byte[] image = image(new Object[] {"x"}, tokens);
        image[at] ^= 0x40;
        assertThatThrownBy(() -> read(image, tokens)).isInstanceOf(ImageMismatchException.class);
    }

    @Test
    void shouldSaySoWhenATokenIsMissing() throws Exception {
        Object engine = new Object();
        TokenRegistry tokens = new TokenRegistry();
        tokens.bind("engine", engine);
        byte[] image = image(new Object[] {engine, engine}, tokens);
        assertThat((Object[]) read(image, tokens)).containsExactly(engine, engine);
        assertThatThrownBy(() -> read(image, new TokenRegistry()))
                .isInstanceOf(ImageMismatchException.class)
                .hasMessageContaining("'engine'");
    }

    @Test
    void shouldUseItsMemoryAgainWhenAnotherSnapshotIsTaken() throws Exception {
        try (ImageMemory memory = new ImageMemory()) {
            GraphWriter writer = new GraphWriter(new TokenRegistry(), memory);
            writer.write(new Object[] {new double[3_000_000]});
            long first = memory.lengthBytes();
            memory.reset();
            assertThat(memory.lengthBytes()).isZero();
            writer.write(new Object[] {new double[3_000_000]});
            assertThat(memory.lengthBytes()).isEqualTo(first);
        }
    }

    static final class Counted extends Thread {
        private final int[] count;

        Counted(int[] count) {
            super("counted");
            this.count = count;
        }

        @Override
        public void run() {
            count[0]++;
        }
    }

    @Test
    void shouldMakeThreadsAnewWhenTheyHaveNotBegunOrHaveEnded() throws Exception {
        int[] count = {0};
        Thread toRun = new Counted(count);
        toRun.setDaemon(true);
        Thread ended = new Counted(count);
        ended.start();
        ended.join();

        Object[] copied = copy(new Object[] {toRun, ended, Thread.currentThread(), count});

        Thread again = (Thread) copied[0];
        assertThat(again.getState()).isEqualTo(Thread.State.NEW);
        assertThat(again.getName()).isEqualTo("counted");
        assertThat(again.isDaemon()).isTrue();
        again.start();
        again.join();
        assertThat((int[]) copied[3]).containsExactly(2);
        assertThat(((Thread) copied[1]).getState()).isEqualTo(Thread.State.TERMINATED);
        assertThat(copied[2]).isSameAs(Thread.currentThread());
    }

    @Test
    void shouldFindReflectedMembersAgain() throws Exception {
        Object[] members = {
            Counted.class.getDeclaredMethod("run"),
            Counted.class.getDeclaredConstructor(int[].class),
            Counted.class.getDeclaredField("count")
        };
        ((java.lang.reflect.AccessibleObject) members[2]).setAccessible(true);

        Object[] copied = copy(members);

        assertThat(copied).containsExactly(members);
        assertThat(((java.lang.reflect.Field) copied[2]).canAccess(new Counted(new int[1])))
                .isTrue();
    }

    static final VarHandle NEXT = handle(() -> MethodHandles.lookup().findVarHandle(Node.class, "next", Node.class));

    private interface Lookup<T> {
        T find() throws ReflectiveOperationException;
    }

    private static <T> T handle(Lookup<T> lookup) {
        try {
            return lookup.find();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static Stream<Object> handles() throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        return Stream.of(
                NEXT,
                lookup.findStaticVarHandle(GraphImageTest.class, "NEXT", VarHandle.class),
                MethodHandles.arrayElementVarHandle(long[].class),
                MethodHandles.arrayElementVarHandle(Node[].class),
                lookup.findStatic(Math.class, "max", MethodType.methodType(int.class, int.class, int.class)),
                lookup.findVirtual(Base.class, "baseSecret", MethodType.methodType(int.class)),
                lookup.findConstructor(Node.class, MethodType.methodType(void.class, int.class)),
                lookup.findGetter(Node.class, "value", int.class),
                lookup.findStatic(List.class, "of", MethodType.methodType(List.class, Object[].class)));
    }

    @ParameterizedTest
    @MethodSource("handles")
    void shouldFindHandlesAgainByWhatTheyAreOf(Object handle) throws Exception {
        Object copy = copy(handle);
        switch (handle) {
            case VarHandle variable ->
                assertThat(((VarHandle) copy).describeConstable()).isEqualTo(variable.describeConstable());
            case MethodHandle method -> {
                assertThat(copy.toString()).isEqualTo(method.toString());
                assertThat(((MethodHandle) copy).isVarargsCollector()).isEqualTo(method.isVarargsCollector());
            }
            default -> throw new AssertionError(handle);
        }
    }

    static final class Updated {
        volatile int number;
        volatile long large;
        volatile String text = "a";
    }

    @Test
    void shouldFindTheFieldsOfAtomicUpdatersAgain() throws Exception {
        Updated object = new Updated();
        AtomicIntegerFieldUpdater<Updated> number = AtomicIntegerFieldUpdater.newUpdater(Updated.class, "number");
        AtomicLongFieldUpdater<Updated> large = AtomicLongFieldUpdater.newUpdater(Updated.class, "large");
        AtomicReferenceFieldUpdater<Updated, String> text =
                AtomicReferenceFieldUpdater.newUpdater(Updated.class, String.class, "text");

        assertThat(copy(number)).isNotSameAs(number);
        copy(number).set(object, 1);
        copy(large).set(object, 2);
        copy(text).set(object, "b");

        assertThat(object.number + object.large + object.text).isEqualTo("3b");
    }

    @Test
    void shouldUseTheCopyOfAVariableHandle() throws Exception {
        Node first = new Node(1);
        Node second = new Node(2);
        VarHandle copy = copy(NEXT);
        assertThat(copy.compareAndSet(first, (Node) null, second)).isTrue();
        assertThat(first.next).isSameAs(second);
    }
}
