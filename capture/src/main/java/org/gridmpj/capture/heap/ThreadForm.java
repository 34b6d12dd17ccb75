package org.gridmpj.capture.heap;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import jdk.internal.misc.Unsafe;
import org.gridmpj.capture.frames.CapturePoint;
import org.jspecify.annotations.Nullable;

/**
 * A thread in an image: its class, name and kind, what it is to do, and the fields that subclasses have. Those of Thread itself
 * belong to the process; a thread that is read gets the ones of a fresh thread. The thread that copies, and the one that reads,
 * is that of main.
 *
 * <p>Thread locals of threads other than main are not in images.
 */
record ThreadForm(int state, String name, boolean daemon, int priority) {
    /** The thread that copies, and the one that reads: nothing follows in the content. */
    static final int MAIN = 0;

    private static final int TO_RUN = 1;
    private static final int ENDED = 2;

    /** JVMTI_THREAD_STATE_TERMINATED. */
    private static final int TERMINATED = 2;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** How a thread is to stand in an image; null if it cannot be captured. */
    static @Nullable ThreadForm of(Thread thread) {
        if (thread.equals(Thread.currentThread())) {
            return new ThreadForm(MAIN, thread.getName(), false, thread.getPriority());
        }
        if (thread.isVirtual()) {
            return null;
        }
        Thread.State state = thread.getState();
        if (state == Thread.State.TERMINATED) {
            return new ThreadForm(ENDED, thread.getName(), thread.isDaemon(), thread.getPriority());
        }
        return state == Thread.State.NEW || CapturePoint.isProgramThread(thread)
                ? new ThreadForm(TO_RUN, thread.getName(), thread.isDaemon(), thread.getPriority())
                : null;
    }

    /** Whether nothing follows in the content. */
    static boolean isMain(Object thread) {
        return thread.equals(Thread.currentThread());
    }

    /** A thread of that class, which has not been started. */
    @SuppressWarnings("ThreadPriorityCheck") // as the program has set it
    Thread make(Class<?> type) throws InstantiationException {
        if (state == MAIN) {
            // the steps of its MPI call are known by its name
            Thread main = Thread.currentThread();
            main.setName(name);
            main.setPriority(priority);
            return main;
        }
        Thread fresh =
                Thread.ofPlatform().name(name).daemon(daemon).priority(priority).unstarted(() -> {});
        Thread made = (Thread) UNSAFE.allocateInstance(type);
        for (Field field : Thread.class.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                copy(field, fresh, made);
            }
        }
        if (state == ENDED) {
            Object holder = holder(made);
            UNSAFE.putInt(holder, offset(holder.getClass(), "threadStatus"), TERMINATED);
        }
        return made;
    }

    private static void copy(Field field, Thread from, Thread to) {
        long offset = UNSAFE.objectFieldOffset(field);
        switch (field.getType().descriptorString().charAt(0)) {
            case 'Z', 'B' -> UNSAFE.putByte(to, offset, UNSAFE.getByte(from, offset));
            case 'C', 'S' -> UNSAFE.putShort(to, offset, UNSAFE.getShort(from, offset));
            case 'I', 'F' -> UNSAFE.putInt(to, offset, UNSAFE.getInt(from, offset));
            case 'J', 'D' -> UNSAFE.putLong(to, offset, UNSAFE.getLong(from, offset));
            default -> UNSAFE.putReference(to, offset, UNSAFE.getReference(from, offset));
        }
    }

    /** What has the thread's task. */
    static Object holder(Thread thread) {
        return UNSAFE.getReference(thread, offset(Thread.class, "holder"));
    }

    static long taskOffset(Object holder) {
        return offset(holder.getClass(), "task");
    }

    static long handlerOffset() {
        return offset(Thread.class, "uncaughtExceptionHandler");
    }

    private static long offset(Class<?> type, String field) {
        return UNSAFE.objectFieldOffset(type, field);
    }
}
