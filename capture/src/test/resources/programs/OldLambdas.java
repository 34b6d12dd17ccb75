package old;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import mpj.Probe;

/** What Java 8 brought: lambdas, references to methods, interfaces with code, streams. */
public final class OldLambdas {
    static final StringBuilder OUT = new StringBuilder();

    private final long own;

    private OldLambdas(long own) {
        this.own = own + Probe.Call(own);
    }

    interface Stepping {
        long LENGTH = 2;

        long step(long by);

        default long twice(long by) {
            return step(by) + step(Probe.Call(by) % LENGTH);
        }

        static Stepping of(long first) {
            long called = Probe.Call(first);
            return by -> called + Probe.Call(by);
        }
    }

    interface Striding extends Stepping {
        @Override
        default long twice(long by) {
            return Stepping.super.twice(by) + Probe.Call(3);
        }
    }

    private interface Kept extends Supplier<Long>, Serializable {}

    public static void main(String[] args) {
        long captured = Probe.Call(1);
        LongUnaryOperator add = value -> Probe.Call(value) + captured;
        LongSupplier none = () -> Probe.Call(2);
        say("lambdas", add.applyAsLong(3) + none.getAsLong());
        say("default", Stepping.of(1).twice(2));
        Striding striding = by -> by + Probe.Call(by);
        say("super", striding.twice(4));
        references();
        nested(captured % 5);
        streams();
        Kept kept = () -> Probe.Call(captured % 3);
        Runnable both = (Runnable & Serializable) () -> say("both", Probe.Call(6));
        both.run();
        say("kept", kept.get() + Probe.Call(7) + kept.get());
    }

    static void say(String what, Object value) {
        OUT.append(what).append(": ").append(value).append('\n');
    }

    private long plus(long value) {
        return own + Probe.Call(value);
    }

    private static void references() {
        Function<Long, OldLambdas> make = value -> new OldLambdas(value);
        OldLambdas made = make.apply(2L);
        BiFunction<OldLambdas, Long, Long> unbound = OldLambdas::plus;
        LongUnaryOperator bound = made::plus;
        say("references", unbound.apply(made, 1L) + bound.applyAsLong(2));
        Function<Integer, long[]> array = long[]::new;
        say("array", array.apply((int) (Probe.Call(1) % 7)).length);
    }

    private static void nested(long depth) {
        Supplier<Supplier<Long>> outer = () -> {
            long here = Probe.Call(depth);
            return () -> {
                try {
                    return here + Probe.Call(1);
                } finally {
                    say("finally", Probe.Call(here % 4));
                }
            };
        };
        Supplier<Long> inner = outer.get();
        say("nested", inner.get() + Probe.Call(2));
    }

    private static void streams() {
        List<String> seen = new ArrayList<>();
        List<Long> called = Arrays.asList(3L, 1L, 2L).stream()
                .peek(each -> seen.add("p" + Probe.Call(each)))
                .map(Probe::Call)
                .filter(each -> Probe.Call(each) % 2 == 0 || each > 40)
                .sorted(Comparator.comparing((Long each) -> -each))
                .collect(Collectors.toList());
        say("streams", called + " " + seen);
        say("reduced", called.stream().reduce(Probe.Call(1), (a, b) -> a % 10 + Probe.Call(b % 10)));
        say("matched", called.stream().anyMatch(each -> Probe.Call(each) < 0));
        say("range", LongStream.range(0, 3).map(each -> Probe.Call(each)).sum());
        List<LongSupplier> kept = new ArrayList<>();
        LongStream.rangeClosed(1, 6).forEach(each -> kept.add(() -> Probe.Call(each)));
        kept.forEach(each -> say("kept", each.getAsLong()));
        called.forEach(each -> say("each", Probe.Call(each % 10) + Probe.Call(1)));
        say("optional", Optional.of(4L).map(Probe::Call).orElseGet(() -> 0L));
    }
}
