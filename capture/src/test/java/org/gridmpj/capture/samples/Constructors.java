package org.gridmpj.capture.samples;

import java.util.ArrayList;
import java.util.List;
import mpj.Probe;

/** MPI calls in constructors, in initialisers of fields, and below constructors that are pending themselves. */
public final class Constructors {
    static final StringBuilder OUT = new StringBuilder();

    static class Application {
        final int size;
        final List<String> log = new ArrayList<>();
        long sum = Probe.Call(1);

        Application(String[] args, long scale, double x) {
            size = args.length + (int) Probe.Call(2);
            for (int i = 0; i < 3; i++) {
                sum += Probe.Call(i) * scale;
                log.add(i + ":" + sum);
            }
            try {
                if (scale > 2) {
                    throw new IllegalStateException("planned");
                }
                sum++;
            } catch (IllegalStateException e) {
                log.add(e.getMessage() + Probe.Call(4));
            } finally {
                sum -= Probe.Call(3);
            }
            log.add("x" + x);
        }
    }

    class Inner {
        private final long inside;

        Inner(long x) {
            inside = outer + Probe.Call(x);
        }
    }

    private final long outer = 5;

    record Checked(long value, String name) {
        Checked {
            value = Probe.Call(value);
        }
    }

    static class Base {
        final long base;
        final String name;

        Base(long x, String name) {
            base = Probe.Call(x);
            this.name = name + step(2);
        }

        Base() {
            this(4, "default");
            OUT.append("base ").append(Probe.Call(base % 7)).append(name).append('\n');
        }

        long step(long x) {
            return Probe.Call(x);
        }
    }

    static class Derived extends Base {
        private final double half;
        private long steps;

        Derived(double half, int n) {
            super(n * 2L, "derived" + n);
            this.half = half + Probe.Call(n);
        }

        Derived(int n) {
            this(0.5, n);
            steps += 1000;
        }

        Derived() {
            half = 3;
        }

        @Override
        long step(long x) {
            steps++;
            return super.step(x) + Probe.Call(steps);
        }
    }

    static class Failing extends Base {
        Failing(int n) {
            super(n, "failing");
            if (n > 0) {
                throw new IllegalStateException("planned " + Probe.Call(n));
            }
        }
    }

    static class Catching extends Base {
        private final String seen;

        Catching() {
            super(new int[] {1, 2}.length, "catching");
            String text;
            try {
                text = new Failing(3).name;
            } catch (IllegalStateException e) {
                text = e.getMessage() + Probe.Call(6);
            }
            seen = text;
        }
    }

    public static void main(String[] args) {
        Derived derived = new Derived(3);
        OUT.append(derived.half)
                .append(derived.steps)
                .append(derived.base)
                .append(derived.name)
                .append('\n');
        derived = new Derived(0.25, (int) (new Derived(1, 2).steps + Probe.Call(1)));
        OUT.append(derived.half)
                .append(derived.steps)
                .append(derived.base)
                .append(new Derived().half)
                .append('\n');
        OUT.append(new Catching().seen).append('\n');
        Application first = new Application(args, 3, 0.5);
        OUT.append(first.size).append(first.log).append(first.sum).append('\n');
        OUT.append("nested ")
                .append(new Application(
                                new String[(int) (new Constructors().new Inner(2).inside % 3)], Probe.Call(1), 2)
                        .log)
                .append('\n');
        Runnable anonymous = new Runnable() {
            final long made = Probe.Call(8);

            @Override
            public void run() {
                OUT.append("made ").append(made).append(Probe.Call(made)).append('\n');
            }
        };
        anonymous.run();
        OUT.append(new Checked(4, "four")).append('\n');
        new Application(args, 1, 1);
        OUT.append("sum ")
                .append(first.sum + new Application(args, 2, 1).sum + Probe.Call(1))
                .append('\n');
        OUT.append("both ")
                .append(both(new Checked(1, "one"), new Checked(2, "two")))
                .append('\n');
        for (int i = 0; i < 3; i++) {
            OUT.append(new Checked(i == 1 ? Probe.Call(i) : i, i > 0 ? "many" + Probe.Call(i) : "none"));
        }
    }

    private static String both(Checked first, Checked second) {
        return first + " and " + second;
    }
}
