package org.gridmpj.pt2pt;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.gridmpj.memory.AsymmetricFence;
import org.jspecify.annotations.Nullable;

/**
 * The lock of an engine: reentrant, fair, and nearly free for the one thread that makes nearly all MPI calls.
 *
 * <pre>
 *   favourite:  inside = 1;     light fence;  outsiders == 0?  it has the lock : inside = 0, and it queues
 *   any other:  queues;  outsiders = 1;  heavy fence;  waits until inside == 0: it has the lock
 * </pre>
 *
 * <p>An atomic instruction for each message would do as well, but it waits until the message before has reached the other
 * core's cache line. The thread that has taken the lock some ten thousand times in a row becomes the favourite, where
 * {@link AsymmetricFence} is ready. There is one favourite in the life of a lock: when others come often
 * it is one no more, and {@code outsiders} stays 1.
 */
final class ProgressLock {
    static final int TIMES_IN_A_ROW = 1 << 14;
    /** A power of two. */
    private static final int OUTSIDERS_PER_LOOK = 64;
    /** More often than this, on average, and the favourite is one no more. */
    private static final long OUTSIDERS_PAUSE_NANOS = 200_000;

    private static final int SPINS = 1 << 10;
    private static final long PAUSE_NANOS = 20_000;

    private static final VarHandle INSIDE;
    private static final VarHandle OUTSIDERS;

    static {
        try {
            INSIDE = MethodHandles.lookup().findVarHandle(ProgressLock.class, "inside", int.class);
            OUTSIDERS = MethodHandles.lookup().findVarHandle(ProgressLock.class, "outsiders", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ReentrantLock queue = new ReentrantLock(true);

    /** Written once, by itself and under the queue's lock; each thread reads whether it is the one. */
    private @Nullable Thread favourite;
    /** How often the favourite has the lock without the queue. Written by it. */
    private int inside;
    /** 1 while another has the lock, and for ever when the favourite is one no more. Written under the queue's lock. */
    @SuppressWarnings("unused") // by its handle only
    private int outsiders;

    // Under the queue's lock
    private @Nullable Thread last;
    private int inARow;
    private int outsidersSinceLook;
    private long lookedNanos;
    private boolean revoked;

    void lock() {
        Thread me = Thread.currentThread();
        if (!isFavourite(me) || !enter()) {
            queue.lock();
            if (queue.getHoldCount() == 1) {
                queued(me);
            }
        }
    }

    boolean tryLock() {
        Thread me = Thread.currentThread();
        if (isFavourite(me) && enter()) {
            return true;
        }
        if (!queue.tryLock()) {
            return false;
        }
        if (queue.getHoldCount() == 1 && isOutsider(me)) {
            closeFastPath();
            if (isFavouriteInside()) {
                openFastPath();
                queue.unlock();
                return false;
            }
        }
        return true;
    }

    void unlock() {
        if (inside > 0 && isFavourite(Thread.currentThread())) {
            INSIDE.setRelease(this, inside - 1);
            return;
        }
        if (queue.getHoldCount() == 1 && isOutsider(Thread.currentThread())) {
            openFastPath();
        }
        queue.unlock();
    }

    boolean isHeldByCurrentThread() {
        return (isFavourite(Thread.currentThread()) && inside > 0) || queue.isHeldByCurrentThread();
    }

    // a thread is itself and no other, whatever its class says of equality
    @SuppressWarnings("ReferenceEquality")
    private boolean isFavourite(Thread thread) {
        return thread == favourite;
    }

    /** The favourite's way past the queue. */
    private boolean enter() {
        int depth = inside;
        INSIDE.setOpaque(this, depth + 1);
        if (depth > 0) {
            return true;
        }
        AsymmetricFence.light();
        if ((int) OUTSIDERS.getAcquire(this) == 0) {
            return true;
        }
        INSIDE.setRelease(this, 0);
        return false;
    }

    private void queued(Thread me) {
        if (isOutsider(me)) {
            closeFastPath();
            for (int spins = 0; isFavouriteInside(); spins++) {
                if (spins < SPINS) {
                    Thread.onSpinWait();
                } else {
                    LockSupport.parkNanos(this, PAUSE_NANOS);
                }
            }
            countOutsider();
        } else if (favourite == null) {
            inARow = me.equals(last) ? inARow + 1 : 0;
            last = me;
            if (inARow >= TIMES_IN_A_ROW && AsymmetricFence.isReady()) {
                favourite = me;
            }
        }
    }

    private boolean isOutsider(Thread thread) {
        return favourite != null && !isFavourite(thread) && !revoked;
    }

    private void closeFastPath() {
        OUTSIDERS.setVolatile(this, 1);
        AsymmetricFence.heavy();
    }

    private void openFastPath() {
        OUTSIDERS.setRelease(this, 0);
    }

    private void countOutsider() {
        if ((++outsidersSinceLook & OUTSIDERS_PER_LOOK - 1) == 0) {
            long nowNanos = System.nanoTime();
            revoked = nowNanos - lookedNanos < OUTSIDERS_PER_LOOK * OUTSIDERS_PAUSE_NANOS;
            lookedNanos = nowNanos;
        }
    }

    /** Whether the current thread passes the queue by. */
    boolean isFavourite() {
        return isFavourite(Thread.currentThread()) && !revoked;
    }

    /** Whether the favourite has the lock without the queue. A hint, but for who has closed that way. */
    boolean isFavouriteInside() {
        return (int) INSIDE.getAcquire(this) != 0;
    }

    /** Whether a thread is waiting for {@link AsymmetricFence#prepare}. A hint. */
    boolean wantsFence() {
        return inARow >= TIMES_IN_A_ROW && favourite == null;
    }
}
