package org.gridmpj.capture.samples;

import java.lang.reflect.Field;
import mpj.Probe;

/** Keeps where the JVM has put a field, as lazy values of Scala do; here what another JVM would say. */
public final class Offsets {
    static final StringBuilder OUT = new StringBuilder();
    static final long OFFSET;

    static {
        try {
            OFFSET = getOffset(Held.class.getDeclaredField("value"));
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(e);
        }
    }

    private Offsets() {}

    /** Has a field. */
    public static final class Held {
        long first;
        long value;
    }

    static long getOffset(Field field) {
        return -field.getName().length();
    }

    public static void main(String[] args) {
        OUT.append(OFFSET).append(' ');
        Probe.Call(1);
        OUT.append(OFFSET);
    }
}
