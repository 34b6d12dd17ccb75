package org.gridmpj.capture.heap;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** What Thread and ThreadLocal say only to each other. */
final class ThreadLocals {
    private ThreadLocals() {}

    /** Whether the calling thread has a value, without making one. */
    static boolean isPresent(ThreadLocal<?> local) {
        try {
            Field field = Thread.class.getDeclaredField("threadLocals");
            field.setAccessible(true);
            return isIn(field.get(Thread.currentThread()), local);
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(
                    "this JDK does not show a thread's values: java.base is not open, or is another than JDK 25's", e);
        }
    }

    private static boolean isIn(@Nullable Object map, ThreadLocal<?> local)
            throws NoSuchMethodException, IllegalAccessException, InvocationTargetException {
        if (map == null) {
            return false;
        }
        Method entry = map.getClass().getDeclaredMethod("getEntry", ThreadLocal.class);
        entry.setAccessible(true);
        return entry.invoke(map, local) != null;
    }
}
