package org.gridmpj.capture.heap;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * What is done when a stream of {@code Files.lines} is closed: in the place of lambdas of the JDK's, which have no name in another
 * process. One that only gives back memory, of a mapped file, has nothing to do here: no image has such memory.
 */
final class FileClosing implements Runnable {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    static final long CLOSED = UNSAFE.objectFieldOffset(FileClosing.class, "closed");

    private @Nullable Closeable closed;

    /** Whether an object is such a lambda. */
    static boolean isOne(Object object) {
        Class<?> type = object.getClass();
        return type.isHidden()
                && object instanceof Runnable
                && type.getName().startsWith("java.nio.file.Files$$Lambda")
                && field(object) != null;
    }

    private static @Nullable Field field(Object lambda) {
        Field[] fields = lambda.getClass().getDeclaredFields();
        return fields.length == 1 && !fields[0].getType().isPrimitive() ? fields[0] : null;
    }

    /** What such a lambda closes, or null. */
    static @Nullable Object closed(Object lambda) {
        Field field = field(lambda);
        Object held = field == null ? null : UNSAFE.getReference(lambda, UNSAFE.objectFieldOffset(field));
        return held instanceof Closeable ? held : null;
    }

    @Override
    public void run() {
        if (closed != null) {
            try {
                closed.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
