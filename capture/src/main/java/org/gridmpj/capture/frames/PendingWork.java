package org.gridmpj.capture.frames;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Predicate;
import jdk.internal.misc.Unsafe;
import org.gridmpj.capture.heap.ForkJoinPools;
import org.jspecify.annotations.Nullable;

/**
 * Work of the program's that threads of the JDK have before them, or have just begun or done, without being in its code: tasks
 * of timers and pools. Nobody may refer to a timer or a pool whose tasks are still to run; an image without it would lose them.
 *
 * <p>Idle timers and pools without tasks are no matter, nor are those of the JDK, of GridMPJ, or of whoever is not the program.
 */
final class PendingWork {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** Who has more than this between him and the program's code is taken for the program's. */
    private static final int REACH = 2000;

    private static final Set<String> JDK_THREADS =
            Set.of("jdk.internal.misc.InnocuousThread", "jdk.internal.misc.CarrierThread");

    private static final String AT_WORK =
            " is at work or has tasks to come, as those of CompletableFuture and of parallel streams: wait for their results"
                    + " (join) before the MPI call";

    private enum Owner {
        PROGRAM,
        OTHER,
        UNKNOWN
    }

    private final Predicate<String> isProgram;
    private final Predicate<ForkJoinPool> isAtRest;

    /** @param isProgram whether a class, by its internal name, is of the program */
    PendingWork(Predicate<String> isProgram) {
        this(isProgram, ForkJoinPools::isAtRest);
    }

    /** @param isAtRest may take some milliseconds: not asked about a pool whose thread is seen at a task */
    PendingWork(Predicate<String> isProgram, Predicate<ForkJoinPool> isAtRest) {
        this.isProgram = isProgram;
        this.isAtRest = isAtRest;
    }

    /** Whether a thread may hand work to another one that is not in these stacks: one look is not enough then. */
    static boolean needsSecondLook(Map<Thread, StackTraceElement[]> stacks) {
        return stacks.keySet().stream()
                .anyMatch(thread ->
                        !isOfJdk(thread) && (thread instanceof ForkJoinWorkerThread || pool(task(thread)) != null));
    }

    /** The thread that has work, why that cannot be captured, and what to do; null if there is none. */
    @Nullable
    String find(Map<Thread, StackTraceElement[]> stacks, List<Thread> known) {
        Map<ThreadPoolExecutor, Integer> idle = new HashMap<>();
        Map<ForkJoinPool, String> forkJoin = new LinkedHashMap<>();
        for (Map.Entry<Thread, StackTraceElement[]> each : stacks.entrySet()) {
            Thread thread = each.getKey();
            if (thread.equals(Thread.currentThread()) || isOfJdk(thread) || known.contains(thread)) {
                continue;
            }
            String found = thread instanceof ForkJoinWorkerThread worker
                    ? worker(worker, each.getValue(), forkJoin)
                    : find(thread, each.getValue(), idle);
            if (found != null) {
                return found;
            }
        }
        for (Map.Entry<ThreadPoolExecutor, Integer> each : idle.entrySet()) {
            if (waiting(each.getKey(), each.getValue()) < each.getValue()) {
                return "a thread pool is about to run a task: wait for its result before the MPI call";
            }
        }
        forkJoin.putIfAbsent(ForkJoinPool.commonPool(), "the common pool");
        for (Map.Entry<ForkJoinPool, String> each : forkJoin.entrySet()) {
            if (!isAtRest.test(each.getKey())) {
                return each.getValue() + AT_WORK;
            }
        }
        return null;
    }

    private @Nullable String find(Thread thread, StackTraceElement[] stack, Map<ThreadPoolExecutor, Integer> idle) {
        String name = name(thread);
        if (thread.getClass().getName().equals("java.util.TimerThread")) {
            return timer(thread, stack, name);
        }
        if (thread.getClass().getName().equals("java.util.concurrent.DelayScheduler")) {
            boolean work = value(thread, "active") > 0 || value(thread, "restingSize") > 0;
            // virtual threads are looked at themselves, also those that wait for a time
            return work && thread.isAlive() && !VirtualThreads.areWokenBy(thread)
                    ? name
                            + " has tasks with a delay, which cannot be captured, as those of CompletableFuture.orTimeout and"
                            + " delayedExecutor: wait for them before the MPI call, or use a java.util.Timer"
                    : null;
        }
        Object task = task(thread);
        ThreadPoolExecutor pool = pool(task);
        if (pool != null) {
            return pooled(pool, stack, name, idle);
        }
        return owner(thread) == Owner.PROGRAM || (task != null && owner(task) == Owner.PROGRAM)
                ? name
                        + " has work of the program's, and was not started by its own code: wait for its end before the MPI"
                        + " call, or start it by Thread.start"
                : null;
    }

    private @Nullable String timer(Thread thread, StackTraceElement[] stack, String name) {
        Object queue = reference(thread, "queue");
        if (queue == null) {
            return null;
        }
        boolean pending = false;
        synchronized (queue) {
            Object[] tasks = Objects.requireNonNull((Object[]) reference(queue, "queue"));
            for (int i = 1; i <= value(queue, "size"); i++) {
                pending |= owner(tasks[i]) != Owner.OTHER;
            }
        }
        if (pending) {
            return name
                    + " is that of a timer with tasks to come, which cannot be captured: cancel it before the MPI call, or"
                    + " make it by new java.util.Timer in the program's own code";
        }
        return stack.length > 0
                        && !isIn(stack[0], "java.lang.Object", "wait0")
                        && !isIn(stack[0], "java.lang.Object", "wait")
                        && isOwn(stack)
                        && UNSAFE.getBoolean(thread, offset(thread.getClass(), "newTasksMayBeScheduled"))
                ? name + " of a timer is about to run a task"
                : null;
    }

    private @Nullable String pooled(
            ThreadPoolExecutor pool, StackTraceElement[] stack, String name, Map<ThreadPoolExecutor, Integer> idle) {
        for (Object queued : pool.getQueue().toArray()) {
            if (owner(queued) != Owner.OTHER) {
                return name
                        + " is of a pool with tasks to come, which cannot be captured: shut it down before the MPI call and"
                        + " wait for its end, use a pool of Executors.newFixedThreadPool, or a java.util.Timer";
            }
        }
        if (owner(pool.getThreadFactory()) == Owner.OTHER) {
            return null; // what it is at is somebody else's, as what is queued
        }
        boolean waits = stack.length > 0 && stack[0].getMethodName().equals("park");
        for (StackTraceElement each : stack) {
            if (isIn(each, ThreadPoolExecutor.class.getName(), "getTask") && waits) {
                idle.merge(pool, 1, Integer::sum);
                return null;
            }
        }
        return stack.length > 0 && isOwn(stack)
                ? name + " of a pool is at a task: wait for its result before the MPI call"
                : null;
    }

    /** How many of so many threads that seem to wait for a task have not been handed one. */
    private static int waiting(ThreadPoolExecutor pool, int idle) {
        Object queue = pool.getQueue() instanceof SynchronousQueue<?> direct
                ? reference(direct, "transferer")
                : pool.getQueue();
        return queue instanceof LinkedTransferQueue<?> handing ? handing.getWaitingConsumerCount() : idle;
    }

    private static @Nullable String worker(
            ForkJoinWorkerThread thread, StackTraceElement[] stack, Map<ForkJoinPool, String> pools) {
        ForkJoinPool pool = thread.getPool();
        if (pool == null) {
            return null;
        }
        String who = name(thread) + " of a fork-join pool";
        for (StackTraceElement each : stack) {
            if (isIn(each, ForkJoinTask.class.getName(), "doExec")) {
                return who + AT_WORK;
            }
        }
        pools.putIfAbsent(pool, who);
        return null;
    }

    private static String name(Thread thread) {
        return "thread \"" + thread.getName() + "\"";
    }

    /** Whether none but the JDK's code, and lambdas of the program, are in a stack. */
    private boolean isOwn(StackTraceElement[] stack) {
        for (StackTraceElement each : stack) {
            String module = each.getModuleName();
            String name = each.getClassName();
            int lambda = name.indexOf("$$Lambda");
            if ((module == null || !module.startsWith("java."))
                    && !(lambda > 0 && isProgram.test(name.substring(0, lambda).replace('.', '/')))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isIn(StackTraceElement element, String type, String method) {
        return element.getClassName().equals(type) && element.getMethodName().equals(method);
    }

    /** Threads that the JDK has for itself: those of the system's group, but for pools' and timers'. */
    private static boolean isOfJdk(Thread thread) {
        ThreadGroup group = thread.getThreadGroup();
        return JDK_THREADS.contains(thread.getClass().getName())
                || group == null
                || (group.getParent() == null
                        && !(thread instanceof ForkJoinWorkerThread)
                        && !thread.getClass().getName().equals("java.util.concurrent.DelayScheduler"));
    }

    /** A virtual thread that has not begun, or is between the program's code and its end. */
    boolean isOfProgram(Thread virtual) {
        Object continuation = reference(virtual, "cont");
        Object target = continuation == null ? null : reference(continuation, "target");
        return target != null && owner(target) == Owner.PROGRAM;
    }

    private static @Nullable Object task(Thread thread) {
        Object holder = reference(thread, "holder");
        return holder == null ? null : reference(holder, "task");
    }

    private static @Nullable ThreadPoolExecutor pool(@Nullable Object task) {
        return task != null && task.getClass().getName().equals("java.util.concurrent.ThreadPoolExecutor$Worker")
                ? (ThreadPoolExecutor) reference(task, "this$0")
                : null;
    }

    // ---------------------------------------------------------------- whose an object is

    /** Whose code the JDK's objects behind this one lead to first. */
    private Owner owner(Object root) {
        Deque<Object> open = new ArrayDeque<>(List.of(root));
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        boolean others = false;
        while (!open.isEmpty()) {
            Object object = open.poll();
            if (!seen.add(object)) {
                continue;
            }
            Class<?> type = object.getClass();
            String name = type.getNestHost().getName();
            if (isProgram.test(name.replace('.', '/')) || seen.size() > REACH) {
                return Owner.PROGRAM;
            } else if (object instanceof Object[] elements) {
                for (Object each : elements) {
                    if (each != null) {
                        open.add(each);
                    }
                }
            } else if (type.getClassLoader() != null || !name.startsWith("java.")) {
                others |= !type.isArray();
            } else if (seen.size() == 1 || !isBoundary(object)) {
                addFields(object, type, open);
            }
        }
        return others ? Owner.OTHER : Owner.UNKNOWN;
    }

    /** Of the process, and with ways to everything. */
    private static boolean isBoundary(Object object) {
        return object instanceof Thread
                || object instanceof ThreadGroup
                || object instanceof Class<?>
                || object instanceof ClassLoader
                || object instanceof Reference<?>
                || object instanceof String;
    }

    private static void addFields(Object object, Class<?> type, Deque<Object> open) {
        // fields of Thread itself lead to loaders and groups
        for (Class<?> level = type; level != null && level != Thread.class; level = level.getSuperclass()) {
            for (Field field : level.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()) {
                    Object value = UNSAFE.getReference(object, UNSAFE.objectFieldOffset(field));
                    if (value != null) {
                        open.add(value);
                    }
                }
            }
        }
    }

    private static @Nullable Object reference(Object object, String field) {
        return UNSAFE.getReference(object, offset(object.getClass(), field));
    }

    private static int value(Object object, String field) {
        return UNSAFE.getIntVolatile(object, offset(object.getClass(), field));
    }

    /** Of a field of the class or of one above it. */
    private static long offset(Class<?> type, String field) {
        for (Class<?> level = type; level != null; level = level.getSuperclass()) {
            for (Field each : level.getDeclaredFields()) {
                if (each.getName().equals(field)) {
                    return UNSAFE.objectFieldOffset(each);
                }
            }
        }
        throw new IllegalStateException("this JDK does not show the work of its threads (" + type.getName() + "."
                + field + "): it is another than JDK 25");
    }
}
