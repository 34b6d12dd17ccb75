package org.gridmpj.capture.samples;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import mpj.Probe;

/** Resources, exceptions in flight, iterators in flight, arrays of arrays, lambdas in lambdas, nested patterns, pending operands. */
@SuppressWarnings({"Finally", "UnnecessaryStringBuilder"}) // what programs do, also what they had better not
public final class Zoo {
    static final StringBuilder OUT = new StringBuilder();

    enum Op {
        PLUS("+") {
            @Override
            long apply(long a, long b) {
                return a + Probe.Call(b);
            }
        },
        TIMES("*") {
            @Override
            long apply(long a, long b) {
                return Probe.Call(a) * b;
            }
        };

        final String sign;

        Op(String sign) {
            this.sign = sign;
        }

        abstract long apply(long a, long b);
    }

    sealed interface Tree permits Leaf, Node {}

    record Leaf(long value) implements Tree {}

    record Node(Tree left, Op op, Tree right) implements Tree {}

    record Pair<A, B>(A first, B second) {
        static <A, B> Pair<A, B> of(Supplier<A> first, Supplier<B> second) {
            return new Pair<>(first.get(), second.get());
        }
    }

    /** A resource whose close makes calls and may fail. */
    static final class Door implements AutoCloseable {
        private final String name;
        private final boolean jams;

        Door(String name, boolean jams) {
            this.name = name + Probe.Call(name.length());
            this.jams = jams;
        }

        @Override
        public void close() {
            say("close " + name + Probe.Call(1));
            if (jams) {
                throw new IllegalStateException("jammed " + name);
            }
        }
    }

    /** A generic outer class, whose inner class is an iterator that calls. */
    static final class Ring<T extends Comparable<T>> implements Iterable<T> {
        private final List<T> values = new ArrayList<>();

        @SafeVarargs
        Ring(T... values) {
            for (T value : values) {
                Probe.Call(this.values.size());
                this.values.add(value);
            }
        }

        @Override
        public Iterator<T> iterator() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    return Probe.Call(next) < 31L * values.size() + 7;
                }

                @Override
                public T next() {
                    Probe.Call(next);
                    return values.get(next++);
                }
            };
        }

        T most() {
            T most = values.getFirst();
            for (T value : this) {
                most = value.compareTo(most) > 0 ? value : most;
            }
            return most;
        }
    }

    interface Left {
        default String who() {
            return "left" + Probe.Call(1);
        }
    }

    interface Right {
        default String who() {
            return "right" + Probe.Call(2);
        }
    }

    static final class Both implements Left, Right {
        @Override
        public String who() {
            return Left.super.who() + Right.super.who();
        }
    }

    private Zoo() {}

    public static void main(String[] args) {
        say("resources " + resources(false) + resources(true));
        say("thrown " + thrown(0) + thrown(1) + thrown(2));
        say("iterators " + iterators());
        say("tree " + value(new Node(new Node(new Leaf(2), Op.PLUS, new Leaf(3)), Op.TIMES, new Leaf(4))));
        say("pending " + pending(3L, 0.25));
        say("arrays " + arrays());
        say("lambdas " + lambdas());
        say("kinds " + kind(7) + kind("long text") + kind(new Pair<>("a", 2)) + kind(new int[] {1, 2}) + kind('c'));
        say("ring " + new Ring<>("b", "c", "a").most() + new Ring<>(3, 1).most());
        say("who " + new Both().who());
        say("even " + even(5) + even(4));
        say("streams " + streams());
        say("words " + words());
    }

    static void say(String line) {
        OUT.append(line).append('\n');
    }

    static String resources(boolean jams) {
        try (Door outer = new Door("outer", false);
                Door inner = new Door("in", jams)) {
            if (Probe.Call(3) > 0 && jams) {
                throw new IllegalArgumentException("inside " + inner.name);
            }
            return outer.name + inner.name;
        } catch (IllegalArgumentException | IllegalStateException e) {
            return e.getMessage() + Probe.Call(2) + e.getSuppressed().length + e.getSuppressed()[0].getMessage();
        } finally {
            say("after " + Probe.Call(9));
        }
    }

    static String thrown(int depth) {
        String said = "";
        retry:
        for (int i = 0; ; i++) {
            try {
                try {
                    said += Probe.Call(i);
                    fail(depth);
                    return said;
                } finally {
                    said += "f" + Probe.Call(depth);
                    if (i == 0) {
                        continue retry;
                    }
                }
            } catch (ArithmeticException e) {
                said += "a" + Probe.Call(4) + e.getMessage();
                break;
            } catch (RuntimeException e) {
                RuntimeException wrapped = new RuntimeException("w" + Probe.Call(5), e);
                said += wrapped.getMessage()
                        + Objects.requireNonNull(wrapped.getCause()).getMessage();
                break retry;
            }
        }
        return said;
    }

    private static void fail(int depth) {
        switch (depth) {
            case 1 -> throw new ArithmeticException("by zero" + Probe.Call(1));
            case 2 -> throw new UnsupportedOperationException("no" + Probe.Call(2));
            default -> Probe.Call(3);
        }
    }

    static String iterators() {
        StringBuilder said = new StringBuilder();
        Map<String, Long> ordered = new LinkedHashMap<>();
        for (String key : new String[] {"x", "y", "z"}) {
            ordered.put(key, Probe.Call(key.charAt(0)));
        }
        for (Map.Entry<String, Long> entry : ordered.entrySet()) {
            entry.setValue(entry.getValue() + Probe.Call(1));
            said.append(entry);
        }
        TreeMap<Integer, String> sorted = new TreeMap<>(Map.of(3, "three", 1, "one", 2, "two"));
        for (Iterator<Integer> keys = sorted.keySet().iterator(); keys.hasNext(); ) {
            int key = keys.next();
            if (Probe.Call(key) % 2 == 0) {
                keys.remove();
            }
        }
        said.append(sorted);
        ArrayDeque<Long> queue = new ArrayDeque<>(List.of(3L, 1L, 2L));
        PriorityQueue<Long> least = new PriorityQueue<>();
        while (!queue.isEmpty()) {
            least.add(queue.poll() * Probe.Call(0));
        }
        for (Long each : least) {
            said.append(each).append(Probe.Call(each % 10)).append(',');
        }
        EnumMap<Op, Long> counts = new EnumMap<>(Op.class);
        for (Op op : Op.values()) {
            counts.merge(op, op.apply(2, 3), Long::sum);
        }
        BitSet bits = new BitSet();
        for (int bit = 5; bit >= 0; bit -= 2) {
            bits.set(bit, Probe.Call(bit) > 40);
        }
        return said.append(counts).append(bits).toString();
    }

    static long value(Tree tree) {
        return switch (tree) {
            case Node(Leaf(long a), Op op, Leaf(long b)) when a < b -> op.apply(a, b);
            case Node(Tree left, Op op, Tree right) -> op.apply(value(left), value(right));
            case Leaf(long value) -> value + Probe.Call(value);
        };
    }

    /** Long and double values, arrays and objects that are half made wait on the operand stack. */
    static String pending(long a, double x) {
        long[] cells = {1, 2, 3};
        int i = 0;
        cells[i++] += Probe.Call(i) << cells[i];
        cells[i++] ^= a > 2 ? Probe.Call(a) : Probe.Call(-a);
        double sum = x + a * (Probe.Call(1) + x * (Probe.Call(2) - (float) a / Probe.Call(3)));
        char letter = 'a';
        letter += (char) (Probe.Call(0) % 5);
        byte small = 120;
        small += (byte) Probe.Call(1);
        Object[] made = {new StringBuilder("s").append(Probe.Call(1)), new long[] {a, Probe.Call(2)}[1], -cells[2]++};
        int chosen = Math.max(
                (int) Probe.Call(1),
                switch ((int) Probe.Call(2) % 3) {
                    case 0 -> 5;
                    case 1 -> {
                        try {
                            yield (int) Probe.Call(6);
                        } finally {
                            i += (int) Probe.Call(7);
                        }
                    }
                    default -> (int) -Probe.Call(8);
                });
        return cells[0] + ":" + cells[1] + ":" + cells[2] + " " + sum + letter + small + made[0] + made[1] + made[2]
                + chosen + i;
    }

    static String arrays() {
        double[][] grid = new double[3][];
        for (int row = 0; row < grid.length; row++) {
            grid[row] = new double[(int) (Probe.Call(row) % 4) + 1];
            for (int column = 0; column < grid[row].length; column++) {
                grid[row][column] = row + Probe.Call(column) * 0.5;
            }
        }
        long[][][] cube = {{{1}, {2, 3}}, {}, {{Probe.Call(4)}}};
        cube[(int) Probe.Call(0) % 2 - 1][1][0] *= Probe.Call(cube[2][0].length);
        StringBuilder said = new StringBuilder();
        for (double[] row : grid) {
            for (double cell : row) {
                said.append(cell).append(' ');
            }
        }
        return said.append(cube[0][1][0]).append(cube[2][0][0]).toString();
    }

    static String lambdas() {
        long base = Probe.Call(1);
        IntFunction<Function<Long, Supplier<String>>> nested =
                i -> x -> () -> "n" + i + x + base + Probe.Call(i) + ((Supplier<Long>) () -> Probe.Call(x)).get();
        BiFunction<Integer, Integer, Long> sum = Zoo::sum;
        Pair<Long, String> pair = Pair.of(() -> Probe.Call(3), nested.apply(2).apply(5L));
        Runnable[] each = new Runnable[2];
        for (int i = 0; i < each.length; i++) {
            int mine = i;
            each[i] = () -> say("runs " + mine + Probe.Call(mine));
        }
        for (Runnable run : each) {
            run.run();
        }
        return sum.apply(1, 2) + pair.second() + pair;
    }

    private static long sum(int... values) {
        long sum = 0;
        for (int value : values) {
            sum += Probe.Call(value);
        }
        return sum;
    }

    private static long sum(Integer a, Integer b) {
        return sum(new int[] {a, b}) + sum();
    }

    static String kind(Object thing) {
        if (thing instanceof String text && Probe.Call(text.length()) > 100 && !text.isEmpty()) {
            return "text" + text.length();
        }
        if (!(thing instanceof Pair<?, ?>(String first, Integer second))) {
            return switch (thing) {
                case Integer i when Probe.Call(i) > 1000 -> "large";
                case Integer i -> "int" + Probe.Call(i);
                case Character c -> "char" + (char) (c + Probe.Call(0) % 2);
                case int[] numbers -> "ints" + sum(numbers);
                default -> "other" + Probe.Call(0);
            };
        }
        return first + Probe.Call(second) + second;
    }

    private static synchronized boolean even(int n) {
        return n == 0 || (Probe.Call(n) > 0 && !even(n - 1));
    }

    /** Streams end before each call: what stands below one in a stream is library code. */
    static String streams() {
        List<Long> squares = IntStream.range(0, 4).mapToObj(i -> (long) i * i).collect(Collectors.toList());
        long total = squares.stream().mapToLong(x -> x).sum() + Probe.Call(squares.size());
        Map<Boolean, List<Long>> parts = squares.stream().collect(Collectors.partitioningBy(x -> x % 2 == 0));
        return total
                + Objects.requireNonNull(parts.get(true)).toString()
                + Probe.Call(Objects.requireNonNull(parts.get(false)).size())
                + Objects.requireNonNull(parts.get(false));
    }

    static String words() {
        String text = """
                one two
                  three\t%d
                """.formatted(Probe.Call(3));
        record Word(String text, int length) {}
        List<Word> words = new ArrayList<>();
        for (String word : text.split("\\s+", -1)) {
            words.add(new Word(word, (int) Probe.Call(word.length())));
        }
        StringBuilder said = new StringBuilder();
        words.removeIf(word -> word.text().isEmpty());
        for (Word word : words) {
            said.append(word).append(Probe.Call(word.length() % 7));
        }
        return said.toString();
    }
}
