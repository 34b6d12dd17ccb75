package org.gridmpj.capture.library;

import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What {@link java.util.concurrent.FutureTask} is, in frames that can be captured. Guarded by its monitor. */
final class PoolTask<V> implements RunnableFuture<V> {
    private enum Stage {
        NEW,
        RUNNING,
        DONE,
        FAILED,
        CANCELLED
    }

    private final Callable<V> task;

    /** Gets this when it is done; null if nobody asks. */
    private final @Nullable BlockingQueue<PoolTask<V>> finished;

    private final CountDownLatch over = new CountDownLatch(1);
    private Stage stage = Stage.NEW;
    private @Nullable V result;
    private @Nullable Throwable failure;
    private @Nullable Thread runner;

    PoolTask(Callable<V> task, @Nullable BlockingQueue<PoolTask<V>> finished) {
        this.task = Objects.requireNonNull(task);
        this.finished = finished;
    }

    @Override
    public void run() {
        if (!begin()) {
            return;
        }
        try {
            V made = task.call();
            end(Stage.DONE, made, null);
        } catch (Throwable e) { // the one who asks for the result gets it
            end(Stage.FAILED, null, e);
        }
    }

    private synchronized boolean begin() {
        if (stage != Stage.NEW) {
            return false;
        }
        stage = Stage.RUNNING;
        runner = Thread.currentThread();
        return true;
    }

    private void end(Stage as, @Nullable V made, @Nullable Throwable thrown) {
        synchronized (this) {
            runner = null;
            if (stage == Stage.CANCELLED) {
                return;
            }
            stage = as;
            result = made;
            failure = thrown;
        }
        tell();
    }

    private void tell() {
        over.countDown();
        if (finished != null) {
            finished.add(this);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        synchronized (this) {
            if (stage != Stage.NEW && stage != Stage.RUNNING) {
                return false;
            }
            stage = Stage.CANCELLED;
            if (mayInterruptIfRunning && runner != null) {
                runner.interrupt();
            }
        }
        tell();
        return true;
    }

    @Override
    public synchronized boolean isCancelled() {
        return stage == Stage.CANCELLED;
    }

    @Override
    public synchronized boolean isDone() {
        return stage != Stage.NEW && stage != Stage.RUNNING;
    }

    @Override
    public V get() throws InterruptedException, ExecutionException {
        Waiting.await(over);
        return outcome();
    }

    @Override
    public V get(long timeout, TimeUnit unit) throws InterruptedException, ExecutionException, TimeoutException {
        if (!Waiting.await(over, timeout, unit)) {
            throw new TimeoutException();
        }
        return outcome();
    }

    /** Waits, at most so long; what is left of the time, negative if it is not done. */
    long await(long nanos) throws InterruptedException {
        return Waiting.awaitNanos(over, nanos);
    }

    @SuppressWarnings("NullAway") // a task may give null
    private synchronized V outcome() throws ExecutionException {
        if (stage == Stage.CANCELLED) {
            throw new CancellationException();
        }
        if (failure != null) {
            throw new ExecutionException(failure);
        }
        return result;
    }
}
