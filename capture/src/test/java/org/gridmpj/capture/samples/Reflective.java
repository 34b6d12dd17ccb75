package org.gridmpj.capture.samples;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import mpj.Probe;

/** Methods and constructors that are called by reflection. */
public final class Reflective {
    static final StringBuilder OUT = new StringBuilder();

    private Reflective() {}

    interface Step {
        long step(long from) throws Exception;
    }

    abstract static class Base implements Step {
        protected abstract long inner(long from);

        @Override
        public long step(long from) {
            return inner(from) + Probe.Call(1);
        }
    }

    static final class Made extends Base {
        private final long value;

        Made() {
            value = Probe.Call(2);
        }

        Made(int value, String text) {
            this.value = Probe.Call(value) + text.length();
        }

        @Override
        protected long inner(long from) {
            return Probe.Call(from) + value;
        }

        @SuppressWarnings("UnusedMethod") // by reflection
        private double mixed(double[] array, int at, float by, boolean up, char letter, byte small, short word) {
            return Probe.Mixed(array, at, by, up + "" + letter, small + word);
        }
    }

    static void testOne() {
        say("one " + Probe.Call(1));
    }

    static void testTwo() {
        say("two " + Probe.Call(2));
        throw new IllegalStateException("failed " + Probe.Call(3));
    }

    static long overloaded(long value) {
        return Probe.Call(value);
    }

    static long overloaded(Object value) {
        return Probe.Call(value.hashCode());
    }

    @SuppressWarnings({"deprecation", "ClassNewInstance"}) // programs of then do so
    public static void main(String[] args) throws Throwable {
        List<Method> tests = new ArrayList<>();
        for (Method each : Reflective.class.getDeclaredMethods()) {
            if (each.getName().startsWith("test")) {
                tests.add(each);
            }
        }
        tests.sort(Comparator.comparing(Method::getName));
        say("tests " + tests.size());
        for (Method each : tests) {
            try {
                each.invoke(null);
                say("passed " + Probe.Call(7));
            } catch (InvocationTargetException e) {
                say("thrown " + e.getTargetException().getMessage() + Probe.Call(8));
            }
        }
        Step step = Made.class.newInstance();
        Constructor<Made> constructor = Made.class.getDeclaredConstructor(int.class, String.class);
        Base other = constructor.newInstance(5, "five");
        for (Step each : new Step[] {step, other}) {
            say("step " + Step.class.getMethod("step", long.class).invoke(each, 3L));
            say("inner " + Base.class.getDeclaredMethod("inner", long.class).invoke(each, 4L));
        }
        Method mixed = Made.class.getDeclaredMethod(
                "mixed", double[].class, int.class, float.class, boolean.class, char.class, byte.class, short.class);
        double[] array = {1, 2};
        say("mixed " + mixed.invoke(other, array, 1, 0.5f, true, 'x', (byte) 1, (short) 2) + array[1]);
        say("overloaded "
                + Reflective.class.getDeclaredMethod("overloaded", long.class).invoke(null, 6L)
                + Reflective.class.getDeclaredMethod("overloaded", Object.class).invoke(null, "text"));
        wrong();
    }

    private static void wrong() throws Exception {
        Method overloaded = Reflective.class.getDeclaredMethod("overloaded", long.class);
        // widened by reflection itself
        say("widened " + Probe.Call(1));
        try {
            overloaded.invoke(null, "text");
        } catch (IllegalArgumentException e) {
            say("wrong argument " + Probe.Call(2));
        }
        try {
            Base.class.getDeclaredMethod("inner", long.class).invoke("text", 1L);
        } catch (IllegalArgumentException e) {
            say("wrong object " + Probe.Call(3));
        }
        try {
            Made.class.getDeclaredMethod("inner", long.class).invoke(null, 1L);
        } catch (NullPointerException e) {
            say("no object " + Probe.Call(4));
        }
        try {
            Base.class.getDeclaredConstructor().newInstance();
        } catch (InstantiationException e) {
            say("abstract " + Probe.Call(5));
        }
    }

    private static void say(String text) {
        OUT.append(text).append('\n');
    }
}
