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

    public static void main(String[] args) {
        Application first = new Application(args, 3, 0.5);
        OUT.append(first.size).append(first.log).append(first.sum).append('\n');
        OUT.append("nested ")
                .append(new Application(new String[(int) (new Constructors().new Inner(2).inside % 3)], Probe.Call(1), 2)
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
        OUT.append("sum ").append(first.sum + new Application(args, 2, 1).sum + Probe.Call(1)).append('\n');
    }
}
