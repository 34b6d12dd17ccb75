package org.gridmpj.testkit.graph;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** Seeded random graphs of everything that java.io treats in a way of its own. */
public final class RandomGraphs {
    enum Colour {
        RED,
        GREEN {
            @Override
            int shade() {
                return 2;
            }
        };

        int shade() {
            return 1;
        }
    }

    /** Plain, with every kind of field. */
    static class Node implements Serializable {
        private static final long serialVersionUID = 1L;

        int number;
        long big;
        double real;
        boolean flag;
        char letter;

        @Nullable
        String text;

        double @Nullable [] vector;
        float @Nullable [] @Nullable [] matrix;

        @Nullable
        Serializable left;

        @Nullable
        Serializable right;

        @Nullable
        Colour colour;
    }

    /** A subclass, to be found where a Node is declared. */
    static final class Leaf extends Node {
        private static final long serialVersionUID = 1L;

        byte[] bytes = new byte[100];
        final int fixed = 7;
    }

    /** Its superclass is not Serializable: its constructor runs. */
    static class Unserializable {
        int fromConstructor = 42;
    }

    static final class Half extends Unserializable implements Serializable {
        private static final long serialVersionUID = 1L;

        transient int lost = 5;
        transient int[] lostArray = {1};
        int kept = 6;
    }

    /** Looks into its array while it is read. */
    static final class Hooked implements Serializable {
        private static final long serialVersionUID = 1L;

        int[] values = new int[50];
        transient long sum;

        @Nullable
        Serializable other;

        private void writeObject(ObjectOutputStream out) throws IOException {
            out.defaultWriteObject();
            out.writeObject(values);
            out.writeUnshared(values);
            out.writeObject(values);
            out.writeInt(17);
        }

        @SuppressWarnings("ReferenceEquality") // identity is what is tested
        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            int[] again = (int[]) in.readObject();
            int[] copy = (int[]) in.readUnshared();
            int[] third = (int[]) in.readObject();
            sum = Arrays.stream(values).asLongStream().sum()
                    + (again == values ? 1000 : 0)
                    + Arrays.stream(copy).asLongStream().sum() * 3
                    + (third == values ? 10_000 : 0)
                    + in.readInt();
        }
    }

    static final class External implements Externalizable {
        private static final long serialVersionUID = 1L;

        private long[] values = new long[20];

        /** For java.io. */
        public External() {}

        External(long[] values) {
            this.values = values;
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeObject(values);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException, ClassNotFoundException {
            values = (long[]) in.readObject();
            values[0]++;
        }
    }

    /** Travels as something else. */
    static final class Replaced implements Serializable {
        private static final long serialVersionUID = 1L;

        final double[] values;

        Replaced(double[] values) {
            this.values = values;
        }

        private Object writeReplace() {
            return new Stand(values);
        }
    }

    static final class Stand implements Serializable {
        private static final long serialVersionUID = 1L;

        private final double[] values;

        Stand(double[] values) {
            this.values = values;
        }

        private Object readResolve() {
            return new Replaced(values);
        }
    }

    static final class Unshared implements Serializable {
        private static final long serialVersionUID = 1L;

        @SuppressWarnings("UnusedVariable") // read by java.io
        private static final ObjectStreamField[] serialPersistentFields = {
            new ObjectStreamField("first", byte[].class, true), new ObjectStreamField("second", byte[].class)
        };

        byte[] first = new byte[80];
        byte[] second = first;
    }

    /** A key whose hash is that of its array. */
    @SuppressWarnings("ArrayRecordComponent") // the very point
    record Key(byte[] bytes, int number) implements Serializable {
        private static final long serialVersionUID = 1L;

        Key {
            if (bytes[0] != bytes.length) {
                throw new IllegalArgumentException("checked by the constructor");
            }
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key key && Arrays.equals(bytes, key.bytes);
        }
    }

    public interface Step extends IntUnaryOperator, Serializable {}

    /** How many of the kinds of {@link #any} are used. */
    private static final int PLAIN = 16;

    private static final int LIBRARY = 26;
    private static final int HOOKS = 37;

    private final Random random;
    private final int kinds;
    private final List<Serializable> made = new ArrayList<>();

    private RandomGraphs(Random random, int kinds) {
        this.random = random;
        this.kinds = kinds;
    }

    /** Elements of a message, which share objects; with hooks: classes that java.io treats in a way of its own. */
    public static Object[] elements(Random random, int count, boolean hooks) {
        return elements(random, count, hooks ? HOOKS : PLAIN);
    }

    /** Elements of plain classes and of the JDK's collections and values. */
    public static Object[] libraryElements(Random random, int count) {
        return elements(random, count, LIBRARY);
    }

    private static Object[] elements(Random random, int count, int kinds) {
        RandomGraphs graphs = new RandomGraphs(random, kinds);
        Object[] elements = new Object[count];
        for (int i = 0; i < count; i++) {
            elements[i] = graphs.any(4);
        }
        return elements;
    }

    private @Nullable Serializable any(int depth) {
        if (!made.isEmpty() && random.nextInt(4) == 0) {
            return made.get(random.nextInt(made.size()));
        }
        return remember(
                switch (depth <= 0 ? random.nextInt(7) : random.nextInt(kinds)) {
                    case 0 -> null;
                    case 1 -> random.nextInt();
                    case 2 -> "text " + random.nextInt(5);
                    case 3 -> random.doubles(random.nextInt(40)).toArray();
                    case 4 -> bytes(random.nextInt(200));
                    case 5 -> Colour.values()[random.nextInt(2)];
                    case 6 -> random.nextBoolean();
                    case 7, 8 -> node(new Node(), depth);
                    case 9 -> node(new Leaf(), depth);
                    case 10 -> matrix();
                    case 11 -> array(depth);
                    case 12 -> new boolean[][][] {{{true, false}, null}, {}, null};
                    case 13 -> cyclic();
                    case 14 -> new Node[] {node(new Node(), depth - 1), node(new Leaf(), depth - 1)};
                    case 15 -> random.nextLong();
                    case 16 -> map(new HashMap<>(), depth);
                    case 17 -> map(new LinkedHashMap<>(), depth);
                    case 18 -> list(depth);
                    case 19, 20, 21, 22, 23, 24, 25 ->
                        new LibraryObjects(random, () -> any(depth - 1), made::add).one();
                    case 26 -> hooked(depth);
                    case 27 -> new External(random.longs(30).toArray());
                    case 28 -> new Replaced(random.doubles(30).toArray());
                    case 29 -> new Unshared();
                    case 30 -> new Half();
                    case 31 -> new HashSet<>(List.of(key(100), key(101), key(3)));
                    case 32 -> text();
                    case 33 -> key(100);
                    case 34 -> new HashMap<>(Map.of("rows", random.doubles(30).toArray(), 5, key(50)));
                    case 35 -> new LinkedHashSet<>(List.of(key(20), "a"));
                    default -> Integer.class;
                });
    }

    private @Nullable Serializable remember(@Nullable Serializable object) {
        if (object != null) {
            made.add(object);
        }
        return object;
    }

    private static Serializable text() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            text.append(i);
        }
        return text;
    }

    private Key key(int length) {
        byte[] bytes = bytes(length);
        bytes[0] = (byte) length;
        return new Key(bytes, length);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private Serializable hooked(int depth) {
        Hooked hooked = new Hooked();
        made.add(hooked);
        Arrays.setAll(hooked.values, i -> random.nextInt());
        hooked.other = any(depth - 1);
        return hooked;
    }

    private <T extends Node> T node(T node, int depth) {
        made.add(node);
        node.number = random.nextInt();
        node.big = random.nextLong();
        node.real = random.nextGaussian();
        node.flag = random.nextBoolean();
        node.letter = (char) random.nextInt(65_536);
        node.text = random.nextBoolean() ? "ä€" + random.nextInt() : null;
        node.vector = random.nextBoolean() ? random.doubles(random.nextInt(30)).toArray() : null;
        node.matrix = random.nextBoolean() ? matrix() : null;
        if (node.vector != null) {
            made.add(node.vector);
        }
        node.left = any(depth - 1);
        node.right = any(depth - 1);
        node.colour = random.nextBoolean() ? Colour.GREEN : null;
        return node;
    }

    private float[][] matrix() {
        float[][] matrix = new float[random.nextInt(6)][];
        for (int i = 0; i < matrix.length; i++) {
            if (i > 0 && random.nextInt(3) == 0) {
                matrix[i] = matrix[random.nextInt(i)];
            } else if (random.nextInt(5) > 0) {
                matrix[i] = new float[random.nextInt(30)];
                Arrays.fill(matrix[i], random.nextFloat());
                made.add(matrix[i]);
            }
        }
        return matrix;
    }

    private Serializable array(int depth) {
        Object[] array = new Object[random.nextInt(5)];
        made.add(array);
        for (int i = 0; i < array.length; i++) {
            array[i] = any(depth - 1);
        }
        return array;
    }

    private static Serializable cyclic() {
        Object[] self = new Object[3];
        self[0] = self;
        self[1] = new Object[] {self, new long[20]};
        return self;
    }

    private <M extends Map<Object, Object> & Serializable> Serializable map(M map, int depth) {
        made.add(map);
        for (int i = random.nextInt(5); i > 0; i--) {
            map.put("key " + i, any(depth - 1));
        }
        return map;
    }

    private Serializable list(int depth) {
        ArrayList<Object> list = new ArrayList<>();
        made.add(list);
        for (int i = random.nextInt(5); i > 0; i--) {
            list.add(any(depth - 1));
        }
        return list;
    }
}
