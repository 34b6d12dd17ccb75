package org.gridmpj.capture.frames;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import jdk.internal.misc.Unsafe;

/**
 * The virtual threads of this process, which {@link Thread#getAllStackTraces} leaves out: from the containers that the JDK
 * keeps for thread dumps.
 */
final class VirtualThreads {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private VirtualThreads() {}

    /** Whether this is the thread that ends the waits of all virtual threads that have a limit of time. */
    static boolean areWokenBy(Thread delayScheduler) {
        try {
            Field scheduler = Class.forName("java.lang.VirtualThread").getDeclaredField("DEFAULT_SCHEDULER");
            Field delays = ForkJoinPool.class.getDeclaredField("delayScheduler");
            Object pool = UNSAFE.getReference(UNSAFE.staticFieldBase(scheduler), UNSAFE.staticFieldOffset(scheduler));
            return delayScheduler.equals(UNSAFE.getReferenceVolatile(pool, UNSAFE.objectFieldOffset(delays)));
        } catch (ReflectiveOperationException e) {
            throw unlike(e);
        }
    }

    static List<Thread> all() {
        try {
            Class<?> containers = Class.forName("jdk.internal.vm.ThreadContainers");
            Class<?> container = Class.forName("jdk.internal.vm.ThreadContainer");
            Object root = containers.getMethod("root").invoke(null);
            return in(root, container.getMethod("threads"), container.getMethod("children"))
                    .filter(Thread::isVirtual)
                    .toList();
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw unlike(e);
        }
    }

    private static Stream<Thread> in(Object container, Method threads, Method children) {
        try {
            Stream<?> own = (Stream<?>) threads.invoke(container);
            Stream<?> below = (Stream<?>) children.invoke(container);
            return Stream.concat(own.map(Thread.class::cast), below.flatMap(each -> in(each, threads, children)));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static IllegalStateException unlike(Exception cause) {
        return new IllegalStateException(
                "this JDK does not show its virtual threads: java.base is not open, or is another than JDK 25's",
                cause);
    }
}
