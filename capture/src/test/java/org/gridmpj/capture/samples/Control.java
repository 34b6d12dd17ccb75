package org.gridmpj.capture.samples;

import java.util.List;
import mpj.Probe;

/** Loops with labels, try and finally, switches, conditional expressions, numbers of two slots, recursion. */
public final class Control {
    static final StringBuilder OUT = new StringBuilder();
    static long total;

    private Control() {}

    public static void main(String[] args) throws Exception {
        say("args " + args.length);
        loops();
        say("try " + attempts());
        say("switch " + switches("two") + " " + switches("nine"));
        say("stack " + (total + 3L * Probe.Call(1) - (total > 5 ? Probe.Call(2) : Probe.Call(3)) * 2));
        int[] array = {1, (int) Probe.Call(4), 3};
        array[(int) (Probe.Call(0) % 3)] += (int) Probe.Call(5);
        say("array " + array[0] + " " + array[1] + " " + array[2]);
        say("recursion " + recursion(5, 0.5));
        double[] buffer = {1, 2};
        say("mixed " + Probe.Mixed(buffer, 1, 2.5f, "four", 1L << 40) + " " + buffer[1]);
        boolean flag = (Probe.Call(9) > 3 && Probe.Call(10) < 0) || Probe.Call(11) != 0;
        byte small = (byte) Probe.Call(100);
        char letter = (char) ('a' + Probe.Call(1) % 26);
        short word = (short) Probe.Call(3000);
        Probe.Call(0);
        say("small " + flag + small + letter + word);
        Object[] varargs = collect("none", Probe.Call(1), "x", Probe.Call(2));
        say("varargs " + List.of(varargs.length, varargs[1], varargs[3]) + varargs[0]);
        long i = 0;
        do {
            i += Probe.Call(i) % 5 + 1;
        } while (i < 12);
        say("end " + i + " " + total);
    }

    static void say(String line) {
        OUT.append(line).append('\n');
    }

    static Object[] collect(Object... values) {
        return values;
    }

    static void loops() {
        outer:
        for (int i = 0; i < 4; i++) {
            for (long j = 0; ; j++) {
                total += Probe.Call(i * 10L + j) % 17;
                if (j > i) {
                    continue outer;
                }
                if (i == 3) {
                    break outer;
                }
            }
        }
        for (String each : List.of("a", "b")) {
            total += each.length() * Probe.Call(2);
        }
    }

    static String attempts() {
        StringBuilder said = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            try {
                try {
                    said.append(Probe.Call(i));
                    if (i == 1) {
                        throw new IllegalStateException("planned " + i);
                    }
                } catch (IllegalStateException e) {
                    Probe.Call(1);
                    said.append(e.getMessage());
                    throw new RuntimeException("again", e);
                } finally {
                    said.append(" fin").append(Probe.Call(i));
                }
            } catch (RuntimeException e) {
                said.append(e.getMessage()).append(Probe.Call(8)).append(e.getCause());
            } catch (Throwable e) {
                said.append("must not see ").append(e);
            }
            if (i == 2) {
                try {
                    return said.append("!").toString();
                } finally {
                    total += Probe.Call(77);
                }
            }
        }
        return "never";
    }

    @SuppressWarnings("fallthrough") // on purpose
    static int switches(String name) {
        switch (name) {
            case "one":
                return 1;
            case "two":
                Probe.Call(2);
            case "three":
                return (int) Probe.Call(3);
            default:
                int other = switch ((int) (Probe.Call(1) % 3)) {
                    case 0 -> 10;
                    case 1 -> {
                        long x = Probe.Call(5);
                        yield (int) x;
                    }
                    default -> 30;
                };
                return other;
        }
    }

    static double recursion(int depth, double x) {
        if (depth == 0) {
            return Probe.Call(3) + x;
        }
        double before = depth * x;
        return before + recursion(depth - 1, x * 2) - recursion(depth / 3, x);
    }
}
