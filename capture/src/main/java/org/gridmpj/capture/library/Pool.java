package org.gridmpj.capture.library;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.gridmpj.capture.frames.CapturePoint;
import org.jspecify.annotations.Nullable;

/**
 * A pool of threads as {@link java.util.concurrent.Executors} makes them, in frames that can be captured. Guarded by its
 * monitor, which no thread has when it is captured; the queue guards itself.
 */
final class Pool implements ExecutorService {
    private static final long KEEP_ALIVE_NANOS = 60_000_000_000L;

    private final int core;
    private final int most;
    private final ThreadFactory factory;
    private final BlockingQueue<Runnable> queue = new LinkedBlockingQueue<>();
    private final Set<Worker> workers = new HashSet<>();
    private final CountDownLatch terminated = new CountDownLatch(1);
    private int idle;
    private boolean shutdown;
    private boolean stopped;

    /**
     * A pool.
     *
     * @param core up to so many threads each task gets a new one; they stay
     * @param most up to so many threads a task gets a new one if none is idle; they end after a minute without work
     */
    Pool(int core, int most, ThreadFactory factory) {
        this.core = core;
        this.most = most;
        this.factory = factory;
    }

    private final class Worker implements Runnable {
        private @Nullable Runnable first;
        private @Nullable Thread thread;

        Worker(@Nullable Runnable first) {
            this.first = first;
        }

        @Override
        public void run() {
            boolean plainly = false;
            try {
                Runnable task = first;
                first = null;
                while (task != null || (task = next()) != null) {
                    forgetInterrupt();
                    task.run();
                    task = null;
                }
                plainly = true;
            } finally {
                ended(this, plainly);
            }
        }
    }

    /** An interrupt was meant for the task before, unless all are to stop. */
    private synchronized void forgetInterrupt() {
        if (!stopped) {
            boolean _ = Thread.interrupted();
        }
    }

    /** The next task; null if the thread that asks is to end. */
    private @Nullable Runnable next() {
        idle(1);
        try {
            long left = KEEP_ALIVE_NANOS;
            while (true) {
                CapturePoint.poll();
                if (isToEnd(left)) {
                    return null;
                }
                long before = System.nanoTime();
                try {
                    Runnable task = queue.poll(5, TimeUnit.MILLISECONDS);
                    if (task != null) {
                        return task;
                    }
                } catch (InterruptedException e) {
                    // meant for a task that is over, or tells to look whether the pool is
                }
                left -= System.nanoTime() - before;
            }
        } finally {
            idle(-1);
        }
    }

    private synchronized void idle(int more) {
        idle += more;
    }

    private synchronized boolean isToEnd(long left) {
        return stopped || (queue.isEmpty() && (shutdown || (left <= 0 && workers.size() > core)));
    }

    private synchronized void ended(Worker worker, boolean plainly) {
        workers.remove(worker);
        if (!plainly && !stopped && (workers.size() < core || !queue.isEmpty())) {
            begin(null);
        }
        endIfOver();
    }

    private void endIfOver() {
        if (shutdown && workers.isEmpty() && (stopped || queue.isEmpty())) {
            terminated.countDown();
        }
    }

    private void begin(@Nullable Runnable first) {
        Worker worker = new Worker(first);
        Thread thread = factory.newThread(worker);
        if (thread == null) {
            throw new RejectedExecutionException("the pool's thread factory gave no thread");
        }
        worker.thread = thread;
        workers.add(worker);
        thread.start();
    }

    @Override
    public void execute(Runnable task) {
        Objects.requireNonNull(task);
        synchronized (this) {
            if (shutdown) {
                throw new RejectedExecutionException("Task " + task + " rejected from " + this);
            }
            if (workers.size() < core || (workers.size() < most && idle <= queue.size())) {
                begin(task);
            } else {
                queue.add(task);
            }
        }
    }

    @Override
    public <T> Future<T> submit(Callable<T> task) {
        PoolTask<T> made = new PoolTask<>(task, null);
        execute(made);
        return made;
    }

    @Override
    public <T> Future<T> submit(Runnable task, T result) {
        Objects.requireNonNull(task);
        return submit(() -> {
            task.run();
            return result;
        });
    }

    @Override
    @SuppressWarnings("NullAway") // null is the result of a Runnable
    public Future<?> submit(Runnable task) {
        return submit(task, (Object) null);
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks) throws InterruptedException {
        return invokeAll(tasks, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    }

    @Override
    public <T> List<Future<T>> invokeAll(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException {
        List<PoolTask<T>> made = new ArrayList<>();
        for (Callable<T> task : tasks) {
            made.add(new PoolTask<>(task, null));
        }
        boolean all = false;
        try {
            for (int i = 0; i < made.size(); i++) {
                execute(made.get(i));
            }
            long left = unit.toNanos(timeout);
            for (int i = 0; left >= 0 && i < made.size(); i++) {
                left = made.get(i).await(left);
            }
            all = left >= 0;
            return new ArrayList<>(made);
        } finally {
            if (!all) {
                made.forEach(each -> each.cancel(true));
            }
        }
    }

    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks) throws InterruptedException, ExecutionException {
        try {
            return invokeAny(tasks, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("nobody waits so long", e);
        }
    }

    /** All run at once; the JDK starts one after the other, which nobody can tell. */
    @Override
    public <T> T invokeAny(Collection<? extends Callable<T>> tasks, long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (tasks.isEmpty()) {
            throw new IllegalArgumentException();
        }
        BlockingQueue<PoolTask<T>> finished = new LinkedBlockingQueue<>();
        List<PoolTask<T>> all = new ArrayList<>();
        for (Callable<T> task : tasks) {
            all.add(new PoolTask<>(task, finished));
        }
        try {
            for (int i = 0; i < all.size(); i++) {
                execute(all.get(i));
            }
            long left = unit.toNanos(timeout);
            ExecutionException last = null;
            for (int open = all.size(); open > 0; ) {
                CapturePoint.poll();
                long before = System.nanoTime();
                PoolTask<T> done = finished.poll(Math.min(5_000_000, left), TimeUnit.NANOSECONDS);
                if (done != null) {
                    try {
                        return done.get();
                    } catch (ExecutionException e) {
                        last = e;
                    }
                    open--;
                } else {
                    left -= timeout == Long.MAX_VALUE ? 0 : System.nanoTime() - before;
                    if (left <= 0) {
                        throw new TimeoutException();
                    }
                }
            }
            throw Objects.requireNonNull(last);
        } finally {
            all.forEach(each -> each.cancel(true));
        }
    }

    @Override
    public synchronized void shutdown() {
        shutdown = true;
        endIfOver();
    }

    @Override
    public synchronized List<Runnable> shutdownNow() {
        shutdown = true;
        stopped = true;
        List<Runnable> left = new ArrayList<>();
        queue.drainTo(left);
        for (Worker worker : new ArrayDeque<>(workers)) {
            if (worker.thread != null) {
                worker.thread.interrupt();
            }
        }
        endIfOver();
        return left;
    }

    @Override
    public synchronized boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return terminated.getCount() == 0;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return Waiting.await(terminated, timeout, unit);
    }

    @Override
    public synchronized String toString() {
        return "pool of " + workers.size() + " threads, " + queue.size() + " tasks queued"
                + (shutdown ? ", shut down" : "");
    }

    @Override
    public void close() {
        boolean interrupted = false;
        shutdown();
        while (!isTerminated()) {
            try {
                Waiting.await(terminated);
            } catch (InterruptedException e) {
                interrupted = true;
                List<Runnable> _ = shutdownNow();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
