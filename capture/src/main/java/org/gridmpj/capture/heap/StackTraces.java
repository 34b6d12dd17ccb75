package org.gridmpj.capture.heap;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Where an exception was thrown is known to the JVM alone until somebody asks; then it is in the exception's fields. */
final class StackTraces {
    private StackTraces() {}

    /** Moves the trace into the fields. Not by getStackTrace(), which a program may have overridden. */
    static void settle(Throwable thrown) {
        try {
            Method trace = Throwable.class.getDeclaredMethod("getOurStackTrace");
            trace.setAccessible(true);
            trace.invoke(thrown);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException | RuntimeException e) {
            throw new IllegalStateException(
                    "this JDK does not show an exception's trace: java.base is not open, or is another than JDK 25's",
                    e);
        }
    }
}
