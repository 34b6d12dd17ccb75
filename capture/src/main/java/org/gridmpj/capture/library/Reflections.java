package org.gridmpj.capture.library;

import java.lang.reflect.InvocationTargetException;
import org.gridmpj.capture.frames.ReflectiveTarget;
import org.jspecify.annotations.Nullable;

/** Reflective calls of the program's methods, by the {@link ReflectiveTarget} that goes to the method itself. */
public final class Reflections {
    private Reflections() {}

    /** As {@link java.lang.reflect.Method#invoke} and {@link java.lang.reflect.Constructor#newInstance}. */
    public static @Nullable Object invoke(
            ReflectiveTarget target, @Nullable Object receiver, @Nullable Object @Nullable [] arguments)
            throws InvocationTargetException {
        try {
            return target.call(receiver, arguments);
        } catch (Throwable e) {
            throw new InvocationTargetException(e);
        }
    }

    /** As {@code Class.newInstance}: what the constructor throws comes through as it is. */
    public static @Nullable Object make(ReflectiveTarget target) throws Throwable {
        return target.call(null, null);
    }
}
