package org.gridmpj.capture.samples;

import java.util.ArrayList;
import java.util.List;
import mpj.Probe;

/** MPI calls in static initialisers: of one class below another, of superclasses, in a circle, and such as fail. */
public final class Initialised {
    static final StringBuilder OUT = new StringBuilder();

    private Initialised() {}

    static final class Constants {
        static final int PLAIN = 7;
        static final long CALLED = Probe.Call(1);
        static final List<Long> LIST = new ArrayList<>();

        static {
            for (int i = 0; i < 3; i++) {
                LIST.add(Probe.Call(i) + Deeper.VALUE);
            }
            LIST.forEach(each -> OUT.append(Probe.Call(each)).append(','));
        }

        private Constants() {}
    }

    static final class Deeper {
        static final long VALUE = compute();

        private Deeper() {}

        private static long compute() {
            return Probe.Call(Deepest.single.next());
        }
    }

    static final class Deepest {
        static Deepest single = new Deepest();

        private long state = Probe.Call(2);

        long next() {
            state += Probe.Call(state % 5);
            return state;
        }
    }

    static class Above {
        static final String NAME = "above" + Probe.Call(3);
        static int made;

        final String own = NAME + made++;
    }

    static class Between extends Above {}

    static final class Below extends Between {
        static final long LENGTH = NAME.length() + Probe.Call(4);

        static String describe() {
            return NAME + LENGTH;
        }
    }

    static final class Left {
        static long value = 1;
        static final long SUM = Right.value + Probe.Call(5);

        static {
            value = Probe.Call(6);
        }

        private Left() {}
    }

    static final class Right {
        static long value = 10;
        static final long SUM = Left.value + Probe.Call(7);

        static {
            value = Probe.Call(8);
        }

        private Right() {}
    }

    static final class Failing {
        static long value = Probe.Call(9);

        static {
            if (value > 0) {
                throw new IllegalStateException("failing " + Probe.Call(10));
            }
        }

        private Failing() {}
    }

    static final class Written {
        static long value = Probe.Call(11);

        private Written() {}
    }

    static final class Unused {
        static final long VALUE = Probe.Call(12);

        private Unused() {}
    }

    record Pair(long first, long second) {}

    public static void main(String[] args) {
        OUT.append(Constants.PLAIN).append('\n');
        OUT.append(Constants.LIST).append(Constants.CALLED).append('\n');
        OUT.append(new Below().own)
                .append(new Between().own)
                .append(Below.describe())
                .append('\n');
        OUT.append(new Pair(Left.SUM, Right.SUM + Probe.Call(Left.value) + Right.value))
                .append('\n');
        for (int i = 0; i < 3; i++) {
            fail(i);
        }
        Written.value = 3;
        OUT.append(Written.value).append(args.length > 0 ? Unused.VALUE : 0).append(Deeper.VALUE);
    }

    private static void fail(int time) {
        try {
            OUT.append(Failing.value);
        } catch (ExceptionInInitializerError e) {
            OUT.append(e.getCause()).append(Probe.Call(time)).append('\n');
        } catch (NoClassDefFoundError e) {
            OUT.append(e.getMessage()).append(Probe.Call(time)).append('\n');
        }
    }
}
