package org.gridmpj.capture.heap;

import java.lang.ref.Cleaner;
import java.lang.reflect.Array;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.ReentrantLock;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Pools of the JDK that have nothing to do, field by field as any object, but without their threads: a pool makes new ones for
 * its next tasks. So the fields that hold threads, and the numbers that count them, are those of a pool that has not begun yet,
 * and the queues and conditions in which idle threads of pools wait are empty.
 *
 * <pre>
 *   ThreadPoolExecutor   workers: none   ctl: no thread, the same state   completedTaskCount: with those of the threads
 *                        mainLock, termination: nobody has the one, nobody waits for the other
 *   ForkJoinPool         queues: none    ctl: no thread                   stealCount: with those of the threads
 *   an executor with a thread for each task       key: that of this process
 *   LinkedTransferQueue, ConditionObject, queue of a scheduled pool       nobody waits
 * </pre>
 */
final class IdleForm {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private static final String WORKER = "java.util.concurrent.ThreadPoolExecutor$Worker";
    /** Of ThreadPoolExecutor.ctl: the lower bits count the threads. */
    private static final int COUNT_BITS = 29;

    private static final int POOL_TERMINATED = 3 << COUNT_BITS;
    /** Of ForkJoinPool.runState. */
    private static final long FORK_TERMINATED = 1L << 3;

    private static final long FORK_STATE = 0xF;
    /** Of ThreadPerTaskExecutor.state. */
    private static final int PER_TASK_TERMINATED = 2;

    private static final String ENDING =
            "a pool that is being shut down cannot be captured; wait for its end (awaitTermination) before the MPI call";

    /** The value of a field that refers to nothing in an image. */
    static final Object NOTHING = new Object();

    /** What a class is here, found out once: a snapshot asks this of each of its numbers, while the program stands still. */
    private static final ClassValue<Form> FORMS = new ClassValue<>() {
        @Override
        protected Form computeValue(Class<?> type) {
            return Form.of(type);
        }
    };

    private enum Form {
        NONE,
        THREAD_POOL,
        FORK_JOIN,
        PER_TASK,
        TRANSFER_QUEUE,
        CONDITION,
        DELAYED_QUEUE,
        SHUTS_DOWN_ITSELF;

        static Form of(Class<?> type) {
            if (ThreadPoolExecutor.class.isAssignableFrom(type)) {
                return THREAD_POOL;
            } else if (ForkJoinPool.class.isAssignableFrom(type)) {
                return FORK_JOIN;
            } else if (LinkedTransferQueue.class.isAssignableFrom(type)) {
                return TRANSFER_QUEUE;
            } else if (AbstractQueuedSynchronizer.ConditionObject.class.isAssignableFrom(type)) {
                return CONDITION;
            }
            return switch (type.getName()) {
                case "java.util.concurrent.ThreadPerTaskExecutor" -> PER_TASK;
                case "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue" -> DELAYED_QUEUE;
                case "java.util.concurrent.Executors$AutoShutdownDelegatedExecutorService" -> SHUTS_DOWN_ITSELF;
                default -> NONE;
            };
        }
    }

    private IdleForm() {}

    /** In the place of what shuts a pool down that nothing refers to: such a pool of an image just stays. */
    private record Unregistered() implements Cleaner.Cleanable {
        @Override
        public void clean() {
            // it is registered nowhere
        }
    }

    /** Whether some objects of its class are written by this form. */
    static boolean mayBeOne(Object object) {
        return FORMS.get(object.getClass()) != Form.NONE;
    }

    /** Why a pool cannot be captured now, or null. */
    static @Nullable String obstacle(Object object) {
        return switch (FORMS.get(object.getClass())) {
            case THREAD_POOL -> {
                ThreadPoolExecutor pool = (ThreadPoolExecutor) object;
                yield !pool.getQueue().isEmpty() || pool.getActiveCount() > 0
                        ? "the tasks of a pool, queued or under way, cannot be captured; wait for their results before the MPI"
                                + " call"
                        : pool.isShutdown() && !pool.isTerminated() ? ENDING : null;
            }
            case FORK_JOIN -> {
                ForkJoinPool pool = (ForkJoinPool) object;
                long state = state(pool);
                yield !ForkJoinPools.isAtRest(pool) || pool.hasQueuedSubmissions() || hasDelayed(pool)
                        ? "the tasks of a fork-join pool cannot be captured; wait for their results (join) before the MPI call"
                        : state != 0 && (state & FORK_TERMINATED) == 0 ? ENDING : null;
            }
            case PER_TASK -> {
                ExecutorService executor = (ExecutorService) object;
                yield reference(object, "ThreadPerTaskExecutor.threads") instanceof Set<?> threads && !threads.isEmpty()
                        ? "the tasks of an executor that has a thread for each cannot be captured; wait for their results before"
                                + " the MPI call"
                        : executor.isShutdown() && !executor.isTerminated() ? ENDING : null;
            }
            case NONE, TRANSFER_QUEUE, CONDITION, DELAYED_QUEUE, SHUTS_DOWN_ITSELF -> null;
        };
    }

    private static long state(ForkJoinPool pool) {
        return UNSAFE.getLongVolatile(pool, Shape.offset(pool, "ForkJoinPool.runState")) & FORK_STATE;
    }

    private static boolean hasDelayed(ForkJoinPool pool) {
        Object delays = reference(pool, "ForkJoinPool.delayScheduler");
        return delays != null
                && (UNSAFE.getIntVolatile(delays, Shape.offset(delays, "DelayScheduler.active")) > 0
                        || UNSAFE.getIntVolatile(delays, Shape.offset(delays, "DelayScheduler.restingSize")) > 0);
    }

    /** The values, by the names of {@link Shape}, that fields have in an image instead of their own; null: all have their own. */
    static @Nullable Map<String, Object> values(Object object) {
        return switch (FORMS.get(object.getClass())) {
            case NONE -> null;
            case THREAD_POOL -> {
                ThreadPoolExecutor pool = (ThreadPoolExecutor) object;
                int state = pool.isShutdown() ? POOL_TERMINATED : -1 << COUNT_BITS;
                // A thread on its way out still takes the lock, even of a pool that has terminated: nobody has it in an
                // image.
                ReentrantLock lock = new ReentrantLock();
                yield Map.of(
                        "ThreadPoolExecutor.mainLock",
                        lock,
                        "ThreadPoolExecutor.termination",
                        lock.newCondition(),
                        "ThreadPoolExecutor.ctl",
                        new AtomicInteger(state),
                        "ThreadPoolExecutor.workers",
                        new HashSet<>(),
                        "ThreadPoolExecutor.completedTaskCount",
                        pool.getCompletedTaskCount(),
                        "ThreadPoolExecutor.container",
                        NOTHING);
            }
            case FORK_JOIN -> forkJoinValues((ForkJoinPool) object);
            case PER_TASK -> Map.of("ThreadPerTaskExecutor.key", NOTHING);
            case TRANSFER_QUEUE ->
                hasIdleConsumersOnly(object)
                        ? Map.of("LinkedTransferQueue.head", NOTHING, "LinkedTransferQueue.tail", NOTHING)
                        : null;
            case CONDITION ->
                hasIdleWaitersOnly(object)
                        ? Map.of("ConditionObject.firstWaiter", NOTHING, "ConditionObject.lastWaiter", NOTHING)
                        : null;
            case DELAYED_QUEUE -> Map.of("DelayedWorkQueue.leader", NOTHING);
            case SHUTS_DOWN_ITSELF -> Map.of("AutoShutdownDelegatedExecutorService.cleanable", new Unregistered());
        };
    }

    private static Map<String, Object> forkJoinValues(ForkJoinPool pool) {
        Map<String, Object> values = new HashMap<>();
        Object queues = reference(pool, "ForkJoinPool.queues");
        if (queues != null) {
            values.put(
                    "ForkJoinPool.queues",
                    Array.newInstance(queues.getClass().getComponentType(), Array.getLength(queues)));
        }
        values.put("ForkJoinPool.ctl", 0L);
        values.put("ForkJoinPool.runState", state(pool));
        values.put("ForkJoinPool.stealCount", pool.getStealCount());
        values.put("ForkJoinPool.termination", NOTHING);
        values.put("ForkJoinPool.delayScheduler", NOTHING);
        values.put("ForkJoinPool.container", NOTHING);
        return values;
    }

    private static boolean hasIdleConsumersOnly(Object queue) {
        Object first = reference(queue, "LinkedTransferQueue.head");
        Object next = first;
        while (next != null) {
            Object node = next;
            boolean isData = UNSAFE.getBoolean(node, Shape.offset(node, "DualNode.isData"));
            boolean matched = isData != (reference(node, "DualNode.item") != null);
            if (!matched && (isData || !isIdle(reference(node, "DualNode.waiter")))) {
                return false;
            }
            next = reference(node, "DualNode.next");
            if (same(next, node)) {
                return false; // on its way out of the queue: the next snapshot sees another one
            }
        }
        return first != null;
    }

    private static boolean hasIdleWaitersOnly(Object condition) {
        Object first = reference(condition, "ConditionObject.firstWaiter");
        for (Object node = first; node != null; node = reference(node, "ConditionNode.nextWaiter")) {
            if (!isIdle(reference(node, "Node.waiter"))) {
                return false;
            }
        }
        return first != null;
    }

    @SuppressWarnings("ReferenceEquality") // the very node
    private static boolean same(@Nullable Object a, Object b) {
        return a == b;
    }

    /** Whether a thread that waits is one of a pool, which waits for a task. */
    private static boolean isIdle(@Nullable Object waiter) {
        if (!(waiter instanceof Thread thread) || thread.isVirtual()) {
            return false;
        }
        Object holder = ThreadForm.holder(thread);
        Object task = UNSAFE.getReference(holder, ThreadForm.taskOffset(holder));
        return task != null && task.getClass().getName().equals(WORKER);
    }

    private static @Nullable Object reference(Object object, String field) {
        return UNSAFE.getReferenceVolatile(object, Shape.offset(object, field));
    }

    /** Gives a pool of an image what belongs to the process; it has its identity hash code by then. */
    static void settle(Object object) {
        switch (FORMS.get(object.getClass())) {
            case THREAD_POOL ->
                put(object, "ThreadPoolExecutor.container", container(Objects.toIdentityString(object)));
            case FORK_JOIN -> put(object, "ForkJoinPool.container", container(Objects.toIdentityString(object)));
            case PER_TASK -> {
                if (UNSAFE.getIntVolatile(object, Shape.offset(object, "ThreadPerTaskExecutor.state"))
                        != PER_TASK_TERMINATED) {
                    put(object, "ThreadPerTaskExecutor.key", registered(object));
                }
            }
            case NONE, TRANSFER_QUEUE, CONDITION, DELAYED_QUEUE, SHUTS_DOWN_ITSELF -> {
                // nothing of the process
            }
        }
    }

    private static void put(Object object, String field, Object value) {
        UNSAFE.putReferenceVolatile(object, Shape.offset(object, field), value);
    }

    /** What the threads of a pool are counted in. */
    private static Object container(String name) {
        try {
            return Class.forName("jdk.internal.vm.SharedThreadContainer")
                    .getMethod("create", String.class)
                    .invoke(null, name);
        } catch (ReflectiveOperationException e) {
            throw unlike(e);
        }
    }

    /** By what the JDK finds the threads of an executor, as the next snapshot has to. */
    private static Object registered(Object executor) {
        try {
            Class<?> container = Class.forName("jdk.internal.vm.ThreadContainer");
            return Class.forName("jdk.internal.vm.ThreadContainers")
                    .getMethod("registerContainer", container)
                    .invoke(null, executor);
        } catch (ReflectiveOperationException e) {
            throw unlike(e);
        }
    }

    private static IllegalStateException unlike(ReflectiveOperationException cause) {
        return new IllegalStateException("this JDK has other containers of threads than JDK 25", cause);
    }
}
