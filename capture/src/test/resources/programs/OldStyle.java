package old;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import mpj.Probe;

/**
 * The language before it had lambdas, for what javac makes of it in class files of then: accessors of private members, tables
 * for switches, builders for strings, copies of finally blocks.
 */
public class OldStyle {
    static final StringBuilder OUT = new StringBuilder();

    private static long counter;

    private long state;

    private OldStyle(long state) {
        this.state = state + Probe.Call(state);
    }

    private String named(String name) {
        return name + state + Probe.Call(name.length());
    }

    /** Initialised by the program's first use. */
    private static final class Settings {
        static final long START = Probe.Call(1);

        private Settings() {}
    }

    public static void main(String[] args) throws Exception {
        counter = Settings.START;
        inner();
        privateConstructors();
        anonymous();
        superOfOuter();
        generics();
        enumSwitches();
        stringSwitches();
        asserts();
        boxes();
        varargs();
        strings();
        say("finally", finallyBlocks(0) + " " + finallyBlocks(1) + " " + finallyBlocks(2) + " " + overridden());
        resources();
        monitors();
        loops();
        say("classes", classLiterals());
        say("recursion", recursion(4, 0.5));
        say("counter", counter);
    }

    static void say(String what, Object value) {
        OUT.append(what).append(": ").append(value).append('\n');
    }

    /** Private members of each other, by access$ methods. */
    private class Inner {
        private long own = Probe.Call(2);

        private Inner() {
            state += own;
        }

        private long step(long by) {
            state += Probe.Call(by) % 100 + own++;
            counter++;
            return state;
        }

        private class Innermost {
            private final long sum = state + own + Probe.Call(state % 7);
        }
    }

    private static void inner() {
        OldStyle outer = new OldStyle(3);
        OldStyle.Inner inner = outer.new Inner();
        inner.own += Probe.Call(4) + inner.own--;
        long step = inner.step(inner.own++ % 5) + Probe.Call(inner.own % 5);
        say("inner", step + " " + outer.state + " " + inner.own + " " + inner.new Innermost().sum);
    }

    /** Made by constructors with an argument more. */
    private static class Base {
        final long first;
        long block;

        {
            block = Probe.Call(5) % 10;
        }

        private Base() {
            this(6);
            block += Probe.Call(block);
        }

        private Base(long first) {
            this.first = first + Probe.Call(first % 3);
        }

        private long twice(long value) {
            return 2 * Probe.Call(value);
        }
    }

    private static final class Derived extends Base {
        private final long[] values = {Probe.Call(7), first};

        private Derived(long value) {
            super(value + 1);
            block += Probe.Call(value);
        }

        private Derived() {}
    }

    private static void privateConstructors() {
        Derived one = new Derived(2);
        Derived other = new Derived();
        say("private", one.first + " " + one.values[0] + " " + other.values[1] + " " + one.block);
        say("accessor", new Base(Probe.Call(1)).twice(Probe.Call(2)) + other.block);
    }

    private static void anonymous() {
        final long captured = Probe.Call(3);
        final List<String> seen = new ArrayList<String>();
        Comparator<Integer> order = new Comparator<Integer>() {
            private long compared;

            @Override
            public int compare(Integer a, Integer b) {
                compared += Probe.Call(a) % 3 + captured;
                seen.add(a + "<" + b + "?" + compared % 10);
                return b - a;
            }
        };
        say("anonymous", order.compare(1, 2) + order.compare(4, 3) + " " + seen);
        class Local implements Runnable {
            long result;

            @Override
            public void run() {
                result = captured + Probe.Call(seen.size());
            }
        }
        Local local = new Local();
        local.run();
        say("local", local.result);
    }

    @Override
    public String toString() {
        return "old" + Probe.Call(state % 9);
    }

    private static class Shown extends OldStyle {
        private Shown() {
            super(3);
        }

        @Override
        public String toString() {
            return "shown " + new Object() {
                @Override
                public String toString() {
                    return Shown.super.toString() + Probe.Call(1);
                }
            }.toString();
        }
    }

    private static void superOfOuter() {
        say("super", new Shown().toString() + " " + ((OldStyle) new Shown()).named("n"));
    }

    private interface Source<T> extends Iterable<T> {
        Long LIMIT = Long.valueOf(3);

        T at(long index);
    }

    /** With bridge methods. */
    private static final class Numbers implements Source<Long>, Comparable<Numbers> {
        @Override
        public Long at(long index) {
            return Probe.Call(index);
        }

        @Override
        public int compareTo(Numbers other) {
            return (int) (Probe.Call(1) % 2) - 1;
        }

        @Override
        public Iterator<Long> iterator() {
            return new Iterator<Long>() {
                private long next;

                @Override
                public boolean hasNext() {
                    return next < LIMIT;
                }

                @Override
                public Long next() {
                    return at(next++);
                }

                @Override
                public void remove() {
                    throw new UnsupportedOperationException();
                }
            };
        }
    }

    private static <T extends Comparable<T>> T larger(Source<? extends T> from) {
        T largest = null;
        for (T each : from) {
            largest = largest == null || each.compareTo(largest) > 0 ? each : largest;
        }
        return largest;
    }

    private static void generics() {
        Source<Long> source = new Numbers();
        Comparable<Numbers> raw = new Numbers();
        say("generics", larger(source) + source.at(Probe.Call(2)) + " " + raw.compareTo(new Numbers()));
    }

    private enum Colour {
        RED(1) {
            @Override
            long of(long value) {
                return Probe.Call(value) + weight;
            }
        },
        GREEN(2) {
            @Override
            long of(long value) {
                return RED.of(Probe.Call(value)) * weight;
            }
        },
        BLUE(3);

        final int weight;

        Colour(int weight) {
            this.weight = weight;
        }

        long of(long value) {
            return weight;
        }
    }

    @SuppressWarnings("fallthrough")
    private static long enumSwitch(Colour colour) {
        long result = 0;
        switch (colour) {
            case RED:
                return Probe.Call(1);
            case GREEN:
                result += Probe.Call(2);
            case BLUE:
                result += Probe.Call(result);
                break;
            default:
                throw new IllegalStateException();
        }
        return result + colour.of(3);
    }

    private static void enumSwitches() {
        for (Colour colour : Colour.values()) {
            say(colour.name(), enumSwitch(colour) + " " + enumSwitch(Colour.values()[(int) (Probe.Call(3) % 3)]));
        }
    }

    private static void stringSwitches() {
        for (String each : new String[] {"Aa", "BB", "none"}) { // the first two with the same hash code
            switch (each + (Probe.Call(1) > 0 ? "" : "x")) {
                case "Aa":
                    say(each, Probe.Call(1));
                    continue;
                case "BB":
                    say(each, Probe.Call(2));
                    break;
                default:
                    say("default", Probe.Call(3));
            }
        }
    }

    /** They are on or off where the program began. */
    private static void asserts() {
        assert Probe.Call(1) > 0 : "never " + Probe.Call(2);
        try {
            assert Probe.Call(3) < 0 : "said " + Probe.Call(4);
            say("asserts", "off");
        } catch (AssertionError e) {
            say("asserts", e.getMessage() + Probe.Call(5));
        }
    }

    private static void boxes() {
        Long boxed = Probe.Call(1);
        boxed += Probe.Call(boxed++ % 4);
        Integer small = 5;
        Map<String, Long> counts = new TreeMap<String, Long>();
        for (String each : Arrays.asList("a", "b", "a")) {
            counts.put(each, (counts.containsKey(each) ? counts.get(each) : 0L) + Probe.Call(each.length()));
        }
        Character letter = (char) ('a' + Probe.Call(2) % 26);
        Boolean flag = Probe.Call(3) > 3 && letter < 'z';
        double mixed = flag ? boxed : small * Probe.Call(1) * 0.5;
        boolean sameBox = small == (Object) Integer.valueOf((int) (Probe.Call(0) - 2));
        say("boxes", boxed + " " + small + counts + letter + flag + mixed + sameBox);
    }

    private static long sum(String name, Long... values) {
        long sum = name.length();
        for (long each : values) {
            sum += Probe.Call(each % 10);
        }
        return sum;
    }

    private static void varargs() {
        say("varargs", sum("none") + sum("two", Probe.Call(1), sum("inner", 5L)) + sum("array", new Long[] {1L, 2L}));
        say("format", String.format("%d %s %.1f", Probe.Call(1), "x" + Probe.Call(2), Probe.Call(3) / 2.0));
    }

    private static void strings() {
        String text = "a" + Probe.Call(1) + 'c' + 2.5f + Probe.Call(2) + null + true;
        text += Probe.Call(text.length());
        String[] words = {"x", "y"};
        words[(int) (Probe.Call(1) % 2)] += "+" + Probe.Call(3) + words[(int) (Probe.Call(2) % 2)];
        say("strings", text + words[0] + words[1] + new char[] {'q', (char) ('a' + Probe.Call(4) % 26)}.length);
    }

    private static String finallyBlocks(int mode) {
        StringBuilder said = new StringBuilder();
        try {
            try {
                said.append(Probe.Call(mode) / mode);
                if (mode == 1) {
                    return said.append(" returned").toString();
                }
            } catch (ArithmeticException e) {
                said.append(Probe.Call(1)).append(e.getMessage());
                throw new IllegalStateException("again" + Probe.Call(2), e);
            } finally {
                try {
                    said.append(" first").append(Probe.Call(3));
                } finally {
                    said.append(" second").append(Probe.Call(4));
                }
            }
        } catch (IllegalStateException e) {
            said.append(' ').append(e.getMessage()).append(e.getCause().getMessage().length());
        } finally {
            counter += Probe.Call(said.length()) % 11;
            say("in finally", said);
        }
        return said.append(Probe.Call(5)).toString();
    }

    @SuppressWarnings("finally")
    private static long overridden() {
        for (int i = 0; ; i++) {
            try {
                Probe.Call(i);
                throw new IllegalStateException();
            } finally {
                if (i < 2) {
                    counter += Probe.Call(i);
                    continue;
                }
                return Probe.Call(i);
            }
        }
    }

    private static final class Resource implements AutoCloseable {
        private final String name;

        Resource(String name) {
            this.name = name + Probe.Call(name.length());
        }

        @Override
        public void close() {
            say("close", name);
            throw new IllegalArgumentException(name + Probe.Call(2));
        }
    }

    private static void resources() {
        try (Resource first = new Resource("r");
                Resource second = new Resource(first.name + "s")) {
            say("body", Probe.Call(1));
            throw new IllegalStateException("body" + Probe.Call(second.name.length()));
        } catch (IllegalStateException e) {
            say("suppressed", e.getMessage() + e.getSuppressed()[0].getMessage() + e.getSuppressed()[1].getMessage());
        }
    }

    private static synchronized long locked(Object lock, long value) {
        synchronized (lock) {
            synchronized (OUT) {
                value += Probe.Call(value);
            }
            if (value > 50) {
                return Probe.Call(value % 6);
            }
        }
        return value + Probe.Call(1);
    }

    private static void monitors() {
        Object lock = new Object();
        say("monitors", locked(lock, 1) + " " + locked(lock, 9) + Thread.holdsLock(lock) + Thread.holdsLock(OUT));
    }

    private static void loops() {
        long total = 0;
        int[][] table = {{1, 2, 3}, {4, 5}, {}};
        rows:
        for (int[] row : table) {
            int column = 0;
            do {
                if (row.length == 0) {
                    break rows;
                }
                total += Probe.Call(row[column]) % 13;
                if (total % 2 == 0) {
                    continue rows;
                }
            } while (++column < row.length);
        }
        block:
        {
            if (Probe.Call(total % 3) > 0) {
                break block;
            }
            total = -1;
        }
        table[(int) (Probe.Call(1) % 2)][1] <<= Probe.Call(0) % 4;
        say("loops", total + Arrays.deepToString(table));
    }

    private static String classLiterals() {
        Map<Class<?>, Long> byClass = new HashMap<Class<?>, Long>();
        byClass.put(Inner.class, Probe.Call(1));
        byClass.put(int[].class, Probe.Call(2));
        byClass.put(long.class, Probe.Call(3));
        return byClass.get(OldStyle.Inner.class) + " " + byClass.get(int[].class) + " "
                + byClass.get(Collections.singletonMap(long.class, Probe.Call(4)).keySet().iterator().next());
    }

    private static double recursion(int depth, double x) {
        return depth == 0 ? Probe.Call(3) + x : depth * x + recursion(depth - 1, x * 2) - recursion(depth / 3, -x);
    }
}
