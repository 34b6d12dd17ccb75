package org.gridmpj.capture.samples;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import mpj.Probe;
import org.jspecify.annotations.Nullable;

/** Classes inside classes, lambdas, records, enums, patterns, generics, interfaces, monitors, pending objects. */
public final class Objects {
    static final StringBuilder OUT = new StringBuilder();
    static final Map<String, Integer> COUNTS = new HashMap<>();
    static final int SIZE = Integer.parseInt("3");
    static final Object LOCK = new Object();

    static {
        OUT.append("initialised once\n");
    }

    enum Colour {
        RED,
        GREEN {
            @Override
            long value() {
                return Probe.Call(5);
            }
        };

        static int asked;

        long value() {
            asked++;
            return 1;
        }
    }

    record Point(int x, double y, String name) {
        Point {
            assert x >= 0;
        }

        long area() {
            return x * Probe.Call(x) + (long) y;
        }
    }

    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(double side) implements Shape {}

    interface Greeter<T> {
        String greet(T whom);

        default String twice(T whom) {
            return greet(whom) + secret(1) + greet(whom);
        }

        private long secret(long x) {
            return Probe.Call(x);
        }

        static long common(long x) {
            return Probe.Call(x) + 1;
        }
    }

    static final class English implements Greeter<String> {
        private final String prefix;

        English(String prefix) {
            this.prefix = prefix;
        }

        @Override
        public String greet(String whom) {
            return prefix + whom + Probe.Call(whom.length());
        }
    }

    abstract static class Base {
        long state = 4;

        abstract long step(long x);

        long run(long x) {
            return step(x) + state;
        }
    }

    static class Derived extends Base {
        @Override
        long step(long x) {
            state += Probe.Call(x);
            return state;
        }

        @Override
        long run(long x) {
            return super.run(x) + super.run(x + 1);
        }
    }

    class Inner {
        int hits;

        long go(long big, double d) {
            hits++;
            return (long) (big + d + work(hits)) + mine;
        }
    }

    private long mine = 6;

    long work(int hits) {
        mine += Probe.Call(hits);
        return mine;
    }

    static synchronized long locked(long x) {
        return Probe.Call(x) + 1;
    }

    static String describe(@Nullable Object thing) {
        return switch (thing) {
            case Point(int x, double y, String name) when x > Probe.Call(0) -> "far " + name + y;
            case Point p -> "point " + p.area();
            case Colour c -> "colour " + c + c.value();
            case null -> "null" + Probe.Call(1);
            default -> "thing " + Probe.Call(2);
        };
    }

    static double size(Shape shape) {
        return switch (shape) {
            case Circle c -> c.radius() * Probe.Call(1);
            case Square s -> s.side() + Probe.Call(2);
        };
    }

    static StringBuilder builder(String text) {
        Probe.Call(text.length());
        return new StringBuilder(text);
    }

    public static void main(String[] args) {
        Objects me = new Objects();
        Inner inner = me.new Inner();
        List<String> log = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            say("inner " + inner.go(1L << 40, i * 0.5));
            say("locked " + locked(i));
            synchronized (LOCK) {
                long inside = Probe.Call(i);
                synchronized (log) {
                    log.add("in" + inside + Probe.Call(inside));
                }
                if (i == 1) {
                    continue;
                }
            }
            COUNTS.merge("round", 1, Integer::sum);
        }
        double factor = 1.25;
        long[] cell = {0};
        Function<Integer, Double> scaled = k -> k * factor + Probe.Call(k);
        LongSupplier counting = () -> cell[0] += Probe.Call(cell[0] % 100);
        Supplier<StringBuilder> made = () -> builder("lambda");
        IntBinaryOperator max = Math::max;
        Greeter<String> english = new English("hello ");
        Greeter<Integer> anonymous = new Greeter<>() {
            int greeted;

            @Override
            public String greet(Integer whom) {
                greeted += whom;
                return "#" + greeted + Probe.Call(whom) + me.mine;
            }
        };
        say("lambda " + scaled.apply(3) + scaled.apply(4) + counting.getAsLong() + counting.getAsLong());
        say("made "
                + made.get()
                        .append(builder("B"))
                        .append(new String(builder("C").toString().toCharArray(), 0, 1)));
        say("pending " + new English(builder("p").toString()).greet("x")
                + new Point((int) Probe.Call(1), Probe.Call(2), "q"));
        say("greet " + english.twice("world") + anonymous.twice(3) + Greeter.common(8));
        say("max " + max.applyAsInt(3, 4));
        Base base = new Derived();
        say("base " + base.run(2) + base.run(3));
        say("describe " + describe(new Point(3, 2.5, "p")) + describe(Colour.GREEN) + describe(null) + describe("s"));
        say("size " + size(new Circle(2)) + size(new Square(3)));
        say("enum " + Colour.RED.value() + Colour.asked);
        class Local {
            long twice() {
                return (long) (Probe.Call(1) * factor) + Probe.Call(2);
            }
        }
        say("local " + new Local().twice());
        ByteBuffer bytes = ByteBuffer.allocate(64).position(8).slice();
        LongBuffer longs = bytes.asLongBuffer();
        LongBuffer own = LongBuffer.wrap(new long[] {1, 2, 3}, 1, 2).slice();
        bytes.putLong(16, Probe.Call(7));
        longs.put(1, Probe.Call(8));
        say("buffers " + bytes.getLong(8) + longs.get(2) + longs.compareTo(own) + own.mismatch(longs) + Probe.Call(9)
                + own.get(1));
        say("log " + log + COUNTS + inner.hits);
    }

    static void say(String line) {
        OUT.append(line).append('\n');
    }
}
