package org.gridmpj.capture.frames;

import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;

/**
 * The virtual threads of this process, which {@link Thread#getAllStackTraces} leaves out: from the containers that the JDK
 * keeps for thread dumps.
 */
final class VirtualThreads {
    private VirtualThreads() {}

    static List<Thread> all() {
        try {
            Class<?> containers = Class.forName("jdk.internal.vm.ThreadContainers");
            Class<?> container = Class.forName("jdk.internal.vm.ThreadContainer");
            Object root = containers.getMethod("root").invoke(null);
            return in(root, container.getMethod("threads"), container.getMethod("children"))
                    .filter(Thread::isVirtual)
                    .toList();
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException(
                    "this JDK does not show its virtual threads: java.base is not open, or is another than JDK 25's",
                    e);
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
}
