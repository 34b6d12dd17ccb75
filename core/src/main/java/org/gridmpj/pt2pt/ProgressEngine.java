package org.gridmpj.pt2pt;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.gridmpj.datatype.RowsAhead;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.memory.AsymmetricFence;
import org.gridmpj.transport.Transport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who makes progress, and how a thread waits.
 *
 * <pre>
 *   waiting thread ──lock─▶ poller:   round, round, … (spin, yield) ──▶ transport.await ──▶ round …
 *        │ role taken                                                        ▲
 *        ▼                                                                   │ wakeup: its request completed,
 *   follower: spins briefly, then parks on its request                       │ or another thread has sent
 *        ▲                                                                   │
 *        └── unpark: completed, or the poller leaves and hands the role on ──┘
 *
 *   helper thread: every tick, one round if nobody has polled since; sooner while a long message is under way
 * </pre>
 *
 * <p>The progress lock guards everything in this package that says so; it is fair, so that a spinning poller does not
 * keep out a thread that wants to start an operation. A round is made by whoever holds the lock; the poller role only
 * says who may block in {@link Transport#await}.
 */
final class ProgressEngine {
    private static final Logger LOG = LoggerFactory.getLogger(ProgressEngine.class);

    /** Bounds on blocking, so that a lost wake-up costs time and not the job. */
    private static final long LONGEST_AWAIT_NANOS = 100_000_000;

    private static final long LONGEST_PARK_NANOS = 20_000_000;
    /** With frames that wait for room: a transport wakes when it has sent, but room may come from elsewhere. */
    private static final long BACKLOGGED_AWAIT_NANOS = 1_000_000;

    /** A thread that cannot be captured looks again after this time. */
    private static final long DEFERRED_AWAIT_NANOS = 200_000;

    /** A power of two. */
    private static final int ROUNDS_PER_LOOK = 8;

    /**
     * Nobody blocks before so many rounds without result, whatever the clock says: where a core is shared most of the time
     * goes by while others have it, and to be woken is dearer than to look again some more times. Nor does who spins not at
     * all, as simulated ranks.
     */
    private static final int LEAST_IDLE_ROUNDS = 256;

    /** Looks at shared memory without a round between them: what is waited for there mostly comes within some. */
    private static final int FIRST_LOOKS = 32;

    private static final long FOLLOWER_SPIN_NANOS = 10_000;
    private static final long EXPEL_PAUSE_NANOS = 50_000;
    /** How long the helper thread looks on after the last thing that moved: copies between cores go on sooner. */
    private static final long HELPER_PATIENCE_NANOS = 5_000;

    final ProgressLock lock = new ProgressLock();

    private final PointToPointConfig config;
    private final FrameOutlet outlet;
    /** Whether polling is suspended until a snapshot's release. */
    private final BooleanSupplier suspended;
    /** Guarded by the lock. */
    private final RowsAhead ahead;

    private final boolean usesIdleRounds;

    /** How a thread waits for so many ns while another one polls, or until it is unparked. */
    private LongConsumer follower = nanos -> LockSupport.parkNanos(this, nanos);

    /** Whether there is an operation with a long message. Asked under the lock. */
    private BooleanSupplier operations = () -> false;

    private BooleanSupplier longMessages = () -> false;

    /** Hears of peers that turn out to be closed when a frame is offered. */
    private @Nullable Consumer<Peer> closedListener;

    /** Where waiting threads ask whether they are to be captured; null while capture is not possible. */
    private @Nullable CapturePoints capturePoints;

    private @Nullable Transport transport;

    private final AtomicReference<@Nullable Thread> poller = new AtomicReference<>();
    /** The poller is in {@link Transport#await}, or about to be. Guarded by the lock. */
    private boolean pollerBlocked;

    private final ConcurrentLinkedQueue<Thread> parked = new ConcurrentLinkedQueue<>();
    /** Threads whose condition is not a request's completion: probe, detach, goodbye. Guarded by the lock. */
    private final ArrayList<Thread> watchers = new ArrayList<>();

    /** Those whose thread is parked while another polls. Guarded by the lock. */
    private final ArrayList<SharedWait> sharedWaits = new ArrayList<>();

    private final ArrayList<Request> schedules = new ArrayList<>();
    private boolean advancing;
    private long events;
    private long eventsAdvanced;
    private final ArrayList<Peer> closed = new ArrayList<>();

    /** Rounds of non-blocking calls without result since the last with one. Written under the lock, a hint elsewhere. */
    private volatile int idleTests;

    private final AtomicLong rounds = new AtomicLong();
    private volatile boolean running;
    private @Nullable Thread helper;

    ProgressEngine(PointToPointConfig config, FrameOutlet outlet, BooleanSupplier suspended, RowsAhead ahead) {
        this.config = config;
        this.outlet = outlet;
        this.suspended = suspended;
        this.ahead = ahead;
        // where cores are shared, whoever waits has no time to spare
        usesIdleRounds = config.yieldEverySpins() != 1;
    }

    /** Who hears of peers that turn out to be closed; set once, before the start. */
    void onClosed(Consumer<Peer> listener) {
        closedListener = listener;
    }

    /**
     * Who knows whether an operation is under way, asked without the lock, and whether a long message is; set once, before the
     * start.
     */
    void attendTo(BooleanSupplier isAnyUnderWay, BooleanSupplier isLongUnderWay) {
        operations = isAnyUnderWay;
        longMessages = isLongUnderWay;
    }

    /** How threads wait for one that polls, where threads are simulated; set once, before the start. */
    void followBy(LongConsumer waiting) {
        follower = waiting;
    }

    /** From here on waiting threads can be captured; set before the program's threads wait. */
    void captureAt(CapturePoints points) {
        capturePoints = points;
    }

    /** All that wait look again. Under the lock. */
    void wakeAll() {
        if (pollerBlocked && transport != null) {
            transport.wakeup();
        }
        parked.forEach(LockSupport::unpark);
    }

    /** Begins to poll a connected transport; a helper thread takes over when nobody waits. */
    void start(Transport connected, int worldRank) {
        lock.lock();
        try {
            transport = connected;
            running = true;
        } finally {
            lock.unlock();
        }
        Thread thread = new Thread(this::help, "gridmpj-progress-" + worldRank);
        thread.setDaemon(true);
        helper = thread;
        thread.start();
    }

    /** Ends the helper thread and what waits; no round is made after this returns. */
    void stop() {
        running = false;
        expelPoller();
        Thread thread = helper;
        if (thread != null) {
            LockSupport.unpark(thread);
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits until no thread is in the transport's await any more, for it is about to be closed. */
    private void expelPoller() {
        Transport wire = transport;
        long endNanos = System.nanoTime() + LONGEST_AWAIT_NANOS;
        Thread inside = poller.get();
        while (wire != null
                && inside != null
                && !inside.equals(Thread.currentThread())
                && System.nanoTime() < endNanos) {
            wire.wakeup();
            LockSupport.parkNanos(this, EXPEL_PAUSE_NANOS);
            inside = poller.get();
        }
    }

    /** One round of progress, under the lock; whether anything was done. */
    boolean round() {
        return round(false);
    }

    private boolean round(boolean again) {
        Transport wire = transport;
        // one writer at a time, the holder of the lock
        rounds.setRelease(rounds.getPlain() + 1);
        boolean did = false;
        if (wire != null && running && !suspended.getAsBoolean()) {
            outlet.defer();
            try {
                did = again ? wire.pollAgain() : wire.poll();
            } finally {
                outlet.resume();
            }
            did |= flush();
        }
        advanceSchedules();
        for (int i = 0; i < sharedWaits.size(); i++) {
            SharedWait wait = sharedWaits.get(i);
            if (wait.isComplete()) {
                wake(wait.waiter());
            }
        }
        return did;
    }

    private boolean flush() {
        boolean any = outlet.flush(closed);
        if (!closed.isEmpty()) {
            List<Peer> gone = List.copyOf(closed);
            closed.clear();
            if (closedListener != null) {
                gone.forEach(closedListener);
            }
        }
        return any;
    }

    /**
     * A round for a call that does not block. A program that tests in a loop would keep the core from the rank that it
     * waits for, where they share one: now and then it yields.
     */
    void roundOfTest() {
        boolean did;
        lock.lock();
        try {
            did = round();
            idleTests = did ? 0 : idleTests + 1;
        } finally {
            lock.unlock();
        }
        if (!did) {
            pause(idleTests);
        }
    }

    /**
     * Whether a thread that waits for one message may look for it alone: no other polls, no schedule waits to be advanced, and
     * nothing holds up what comes. Under the lock.
     */
    boolean isUndisturbed() {
        return running && poller.get() == null && schedules.isEmpty() && !advancing && !suspended.getAsBoolean();
    }

    /** Whether it has begun and has not been stopped. */
    boolean isRunning() {
        return running;
    }

    /**
     * For a call that does not block and has found nothing: on a stopped engine nothing will ever be found, and a program
     * that asks in a loop would do so for ever.
     */
    void failIfStopped(Object waitedFor) {
        if (!running) {
            throw stopped(waitedFor);
        }
    }

    private static MpiFailure stopped(Object waitedFor) {
        return new MpiFailure(ErrorClass.OTHER, "the engine was closed while a call waited for: " + waitedFor);
    }

    /** An operation is complete, or something that a watcher may wait for has happened. Under the lock. */
    void completed(@Nullable Request request) {
        events++;
        if (request != null) {
            wake(request.waiter());
        }
        for (int i = 0; i < watchers.size(); i++) {
            wake(watchers.get(i));
        }
    }

    /** Another thread has started something: a poller that is blocked must look again. Under the lock. */
    void kick() {
        advanceSchedules();
        if (pollerBlocked && transport != null) {
            // the poller itself is not blocked while it is here
            transport.wakeup();
        }
    }

    private void wake(@Nullable Thread thread) {
        if (thread == null || thread.equals(Thread.currentThread())) {
            return;
        }
        if (pollerBlocked && thread.equals(poller.get()) && transport != null) {
            transport.wakeup();
        } else {
            LockSupport.unpark(thread);
        }
    }

    /** Whether the caller is a schedule that is being advanced. */
    boolean isAdvancing() {
        return advancing;
    }

    void addSchedule(Request schedule) {
        schedules.add(schedule);
        eventsAdvanced = events - 1;
        advanceSchedules();
    }

    List<Request> schedules() {
        return schedules;
    }

    /** Advances all schedules until nothing completes any more: a step of one may complete a step of another. */
    private void advanceSchedules() {
        if (advancing || eventsAdvanced == events || schedules.isEmpty()) {
            return;
        }
        advancing = true;
        try {
            do {
                eventsAdvanced = events;
                for (int i = 0; i < schedules.size(); i++) {
                    Request schedule = schedules.get(i);
                    advance(schedule);
                    if (schedule.isComplete()) {
                        schedules.remove(i--);
                        completed(schedule);
                    }
                }
            } while (eventsAdvanced != events && !schedules.isEmpty());
        } finally {
            advancing = false;
        }
    }

    private static void advance(Request schedule) {
        try {
            schedule.advance();
        } catch (MpiFailure failure) {
            schedule.fail(failure);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            // a user's reduction may throw anything; the waiting caller gets it, not whoever polled
            schedule.fail(new MpiFailure(ErrorClass.OTHER, "a collective operation has failed: " + e, e));
        }
    }

    /**
     * Blocks until a request is complete.
     *
     * @param watch whether the request's condition is more than the completion of operations
     */
    void await(Request request, boolean watch) {
        Thread me = Thread.currentThread();
        CapturePoints points = capturePoints;
        boolean nothingCame = false;
        while (!request.isComplete()) {
            if (points != null && points.isWanted(request)) {
                // not as the poller: it may take a while until the other threads of the program have been asked, too
                points.offerInWait(request, nothingCame);
            }
            if (!takeRole(me)) {
                nothingCame = false;
                follow(request, watch, me);
                continue;
            }
            try {
                nothingCame = pollUntil(request, watch, me, nothingCame);
            } finally {
                leaveRole();
            }
        }
        if (points != null) {
            // an image has no threads
            request.setWaiter(null);
        }
        if (poller.get() == null) {
            // a role handed to this thread that it does not need any more goes to the next
            handOn();
        }
    }

    /** Whether the current thread is the poller now. The lock costs the one that makes nearly all calls less than an atomic. */
    private boolean takeRole(Thread me) {
        if (poller.get() != null) {
            return false;
        }
        lock.lock();
        try {
            if (poller.get() != null) {
                return false;
            }
            poller.setRelease(me);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void leaveRole() {
        poller.setRelease(null);
        // the role is free before anybody is looked for who wants it; a follower is parked before it looks at the role
        if (AsymmetricFence.isReady()) {
            AsymmetricFence.light();
        } else {
            VarHandle.fullFence();
        }
        handOn();
    }

    /** Blocks until what is looked for in shared memory is there. */
    void awaitShared(SharedWait wait) {
        for (int looks = 1; looks <= FIRST_LOOKS; looks++) {
            if (wait.isComplete()) {
                return;
            }
            pause(looks);
        }
        await(wait, false);
    }

    private void handOn() {
        Thread next = parked.peek();
        if (next != null) {
            LockSupport.unpark(next);
        }
    }

    /**
     * Polls until the request is complete, or its thread is to be captured.
     *
     * @param afterNothing whether it has just come back from that, and nothing had come before
     * @return whether it is to be captured and nothing has come
     */
    private boolean pollUntil(Request request, boolean watch, Thread me, boolean afterNothing) {
        CapturePoints points = capturePoints;
        Transport first = transport;
        if (afterNothing && first != null) {
            first.await(DEFERRED_AWAIT_NANOS);
        }
        long idleSinceNanos = 0;
        boolean again = true;
        int idleRounds = 0;
        while (true) {
            Transport wire;
            long awaitNanos;
            boolean captureWanted = points != null && points.isWanted(request);
            lock.lock();
            try {
                boolean did = round(again);
                again = true;
                request.advance();
                if (request.isComplete()) {
                    return false;
                }
                wire = transport;
                if (wire == null || !running) {
                    throw stopped(request);
                }
                if (captureWanted) {
                    request.setWaiter(null);
                    return !did;
                } else if (did) {
                    idleRounds = 0;
                    continue;
                } else if (idleRounds++ == 0) {
                    idleSinceNanos = System.nanoTime();
                    continue;
                } else if (usesIdleRounds && ahead.isWanted()) {
                    ahead.step();
                    continue;
                } else if ((idleRounds < LEAST_IDLE_ROUNDS && config.spinNanos() > 0)
                        || isBetweenLooksAtTheClock(idleRounds)
                        || System.nanoTime() - idleSinceNanos < config.spinNanos()) {
                    awaitNanos = 0;
                } else if (request instanceof SharedWait shared && isThereAfterAll(shared)) {
                    shared.awake();
                    return false;
                } else {
                    pollerBlocked = true;
                    request.setWaiter(me);
                    if (watch) {
                        watchers.add(me);
                    }
                    awaitNanos = outlet.isBacklogged() ? BACKLOGGED_AWAIT_NANOS : LONGEST_AWAIT_NANOS;
                }
            } finally {
                lock.unlock();
            }
            if (awaitNanos == 0) {
                pause(idleRounds);
                continue;
            }
            try {
                wire.await(awaitNanos);
            } finally {
                if (request instanceof SharedWait shared) {
                    shared.awake();
                }
                unblocked(me);
            }
            again = false;
            // a round that finds something begins the count anew; after one that does not this thread blocks again
            idleRounds = LEAST_IDLE_ROUNDS;
        }
    }

    /** Before this thread blocks: says so to those that write what it waits for, then looks once more. Under the lock. */
    private static boolean isThereAfterAll(SharedWait wait) {
        wait.sleep();
        VarHandle.fullFence();
        return wait.isComplete();
    }

    /** A look at the clock takes as long as a round; where each idle round yields, that takes longer. */
    private boolean isBetweenLooksAtTheClock(int idleRounds) {
        return config.yieldEverySpins() != 1 && (idleRounds & ROUNDS_PER_LOOK - 1) != 0;
    }

    // with more ranks than cores, the one waited for may need this very core: measured, not needed for correctness
    @SuppressWarnings("ThreadPriorityCheck")
    private void pause(int idleRounds) {
        int every = config.yieldEverySpins();
        if (every > 0 && idleRounds % every == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }

    private void follow(Request request, boolean watch, Thread me) {
        long startNanos = System.nanoTime();
        long spinNanos = Math.min(config.spinNanos(), FOLLOWER_SPIN_NANOS);
        for (int spins = 1; System.nanoTime() - startNanos < spinNanos; spins++) {
            if (request.isComplete() || poller.get() == null) {
                return;
            }
            pause(spins);
        }
        lock.lock();
        try {
            request.advance();
            if (request.isComplete()) {
                return;
            }
            request.setWaiter(me);
            if (watch) {
                watchers.add(me);
            }
            if (request instanceof SharedWait shared) {
                sharedWaits.add(shared);
                boolean _ = isThereAfterAll(shared);
            }
        } finally {
            lock.unlock();
        }
        parked.add(me);
        AsymmetricFence.heavy();
        try {
            if (!request.isComplete() && poller.get() != null) {
                follower.accept(LONGEST_PARK_NANOS);
            }
        } finally {
            parked.remove(me);
            unfollow(request, me);
        }
    }

    private void unfollow(Request request, Thread me) {
        lock.lock();
        try {
            watchers.remove(me);
            // an image has no threads
            request.setWaiter(null);
            if (request instanceof SharedWait shared) {
                sharedWaits.remove(shared);
                shared.awake();
            }
        } finally {
            lock.unlock();
        }
    }

    private void unblocked(Thread me) {
        lock.lock();
        try {
            pollerBlocked = false;
            watchers.remove(me);
        } finally {
            lock.unlock();
        }
    }

    /** The helper thread: keeps nonblocking operations moving while the program computes. */
    private void help() {
        HelperNaps naps = new HelperNaps(config.tickNanos(), System.nanoTime());
        long seen = -1;
        long napNanos = config.tickNanos();
        while (running) {
            LockSupport.parkNanos(this, napNanos);
            if (lock.wantsFence()) {
                AsymmetricFence.prepare();
            }
            boolean isComputing = rounds.get() == seen;
            boolean isCalling = !isComputing && (poller.get() != null || lock.isFavouriteInside());
            boolean hasMoved = isComputing && helpWhileItMoves();
            seen = rounds.get();
            boolean isLong = isLongUnderWay();
            napNanos = naps.next(System.nanoTime(), isComputing, isCalling, hasMoved, isLong);
        }
    }

    /** A long transfer goes on as long as it moves; others get at the lock in between. Whether it has moved. */
    private boolean helpWhileItMoves() {
        long movedNanos = 0;
        while (running && poller.get() == null) {
            if (helpOnce()) {
                movedNanos = System.nanoTime();
            } else if (movedNanos == 0 || System.nanoTime() - movedNanos > HELPER_PATIENCE_NANOS) {
                break;
            } else {
                Thread.onSpinWait();
            }
        }
        return movedNanos != 0;
    }

    /**
     * Whether there is a long message that nobody waits for. Without any operation the lock is left alone: to come by it stops
     * all processors that run a rank, and a program that sends and receives short messages would meet that at each nap's end.
     * What is seen may be old, by a nap.
     */
    private boolean isLongUnderWay() {
        if ((schedules.isEmpty() && !operations.getAsBoolean()) || poller.get() != null || !lock.tryLock()) {
            return false;
        }
        try {
            return !schedules.isEmpty() || longMessages.getAsBoolean();
        } finally {
            lock.unlock();
        }
    }

    /** A round in passing, unless somebody else is at it. */
    void glance() {
        boolean _ = helpOnce();
    }

    /** One round, unless somebody else is at it; whether anything was done. */
    private boolean helpOnce() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            return round();
        } catch (RuntimeException e) {
            LOG.error("the progress thread could not poll; the next MPI call will meet the cause", e);
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Whether a thread waits in an MPI call at this moment; the helper's short polls may be taken for one. */
    boolean isWaitedFor() {
        return poller.get() != null || !parked.isEmpty();
    }
}
