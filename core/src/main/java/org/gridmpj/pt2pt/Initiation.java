package org.gridmpj.pt2pt;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.log.Determinant;
import org.jspecify.annotations.Nullable;

/**
 * Starts operations that are described, and cancels them (MPI standard, 3.7.2, 3.8.4, 3.9); {@link Completion} is the
 * other end. Counts the calls that made the engine do something. Takes the progress lock itself where it is not said that
 * the caller holds it.
 */
final class Initiation {
    /** Who only calls collectives by shared memory still moves the messages that are under way. A power of two. */
    private static final int SHARED_CALLS_PER_ROUND = 16;

    private final ProgressEngine progress;
    private final ProgressLock lock;
    private final SendSide sends;
    private final ReceiveSide receives;
    private final boolean recordOrigins;
    /** Null unless ranks may go back alone. */
    private @Nullable Polls polls;

    /** Written under the lock, read by anybody. */
    private final AtomicLong calls = new AtomicLong();
    /** Calls that went by shared memory alone. */
    private final AtomicLong sharedCalls = new AtomicLong();

    Initiation(ProgressEngine progress, SendSide sends, ReceiveSide receives, boolean recordOrigins) {
        this.progress = progress;
        this.lock = progress.lock;
        this.sends = sends;
        this.receives = receives;
        this.recordOrigins = recordOrigins;
    }

    /** Records whether receives could still be cancelled. */
    void record(Polls recorded) {
        polls = recorded;
    }

    /** The operation of a blocking call; its buffer is attached to the array. */
    void start(OperationRecord operation) {
        lock.lock();
        try {
            countCall();
            startLocked(operation);
        } finally {
            lock.unlock();
        }
    }

    private void startLocked(OperationRecord operation) {
        operation.begin();
        if (operation.kind == OperationRecord.Kind.SEND) {
            sends.start(operation);
        } else {
            receives.start(operation);
        }
        progress.kick();
    }

    /** A nonblocking operation of the program's, or one of a schedule that is being advanced. */
    void startNonblocking(OperationRecord operation) {
        TypeMap type = operation.type;
        if (type == null) {
            throw new IllegalStateException("an operation without a datatype: " + operation);
        }
        if (operation.kind == OperationRecord.Kind.SEND) {
            operation.attachedBuffer().forSend(operation.array, operation.offset, operation.count, type);
        } else {
            operation
                    .attachedBuffer()
                    .forReceive(operation.array, operation.offset, operation.count, type, operation.inPlace);
        }
        lock.lock();
        try {
            operation.inner = progress.isAdvancing();
            if (!operation.inner) {
                countCall();
                operation.listedUntilSeen = operation.kind == OperationRecord.Kind.RECEIVE;
                if (recordOrigins) {
                    operation.origin = callerOutsideTheEngine();
                }
            }
            startLocked(operation);
        } finally {
            lock.unlock();
        }
    }

    private static String callerOutsideTheEngine() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !frame.getClassName().startsWith("org.gridmpj.")
                                && !frame.getClassName().startsWith("mpi."))
                        .findFirst()
                        .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                        .orElse("an unknown line"));
    }

    /** Starts an inactive persistent request; {@link MpiFailure} of class REQUEST if it is no such one. */
    void startPersistent(Request request) {
        if (!(request instanceof OperationRecord operation) || !operation.persistent) {
            throw new MpiFailure(ErrorClass.REQUEST, "only a persistent request can be started: " + request);
        }
        if (operation.isActive()) {
            throw new MpiFailure(
                    ErrorClass.REQUEST, "the request is active: wait for it before starting it again: " + operation);
        }
        startNonblocking(operation);
    }

    /** Registers a collective schedule with the progress engine. */
    void startSchedule(Request schedule) {
        lock.lock();
        try {
            countCall();
            schedule.rewind();
            schedule.setWaiter(null);
            progress.addSchedule(schedule);
            progress.kick();
        } finally {
            lock.unlock();
        }
    }

    /** Cancels if not yet matched; {@link MpiFailure} of class REQUEST for a collective operation. */
    void cancel(Request request) {
        if (!(request instanceof OperationRecord operation)) {
            throw new MpiFailure(ErrorClass.REQUEST, "a collective operation cannot be cancelled: " + request);
        }
        Polls recorded = polls;
        List<Determinant> before = recorded == null ? null : recorded.asBefore();
        boolean isReceive = operation.kind == OperationRecord.Kind.RECEIVE;
        if (recorded != null && before == null && isReceive) {
            recorded.awaitRefilled();
        } else if (recorded != null && !isReceive && sends.isCancelAChance(operation)) {
            recorded.cancelsASend();
        }
        lock.lock();
        try {
            countCall();
            if (!isReceive) {
                sends.cancel(operation);
            } else if (recorded == null) {
                boolean _ = receives.cancel(operation);
            } else {
                cancelReceive(recorded, before, operation);
            }
            progress.kick();
        } finally {
            lock.unlock();
        }
    }

    private void cancelReceive(Polls recorded, @Nullable List<Determinant> before, OperationRecord receive) {
        boolean tooLate = before == null ? recorded.isToReceive(receive) : before.isEmpty();
        boolean _ = before == null || before.isEmpty() || recorded.wasCancelOf(before, receive);
        if (tooLate || !receives.cancel(receive)) {
            boolean _ = recorded.no();
        } else {
            recorded.cancelled(receive);
        }
    }

    /** One more call that made the engine do something; under the lock. */
    void countCall() {
        // one writer at a time, the holder of the lock
        calls.setRelease(calls.getPlain() + 1);
    }

    /** One more that did not need the lock. */
    void countSharedCall() {
        // a hint: that two threads count at once may go unnoticed
        long count = sharedCalls.getPlain() + 1;
        sharedCalls.setOpaque(count);
        if ((count & SHARED_CALLS_PER_ROUND - 1) == 0) {
            progress.glance();
        }
    }

    /** Number of calls that made the engine do something. */
    long calls() {
        return calls.get() + sharedCalls.get();
    }

    /** The number that an image says. */
    void adoptCalls(long count) {
        calls.set(count);
    }

    /** Gives room for buffered sends. */
    void attachBuffer(int bytes) {
        lock.lock();
        try {
            sends.bufferedSpace.attach(bytes);
        } finally {
            lock.unlock();
        }
    }

    /** Blocks until all buffered sends have left; the size attached. */
    int detachBuffer() {
        lock.lock();
        try {
            if (!sends.bufferedSpace.isAttached()) {
                throw new MpiFailure(ErrorClass.BUFFER, "no buffer is attached, so none can be detached");
            }
        } finally {
            lock.unlock();
        }
        progress.await(new Condition("buffered sends to leave (Buffer_detach)", sends.bufferedSpace::isEmpty), true);
        lock.lock();
        try {
            return sends.bufferedSpace.detach();
        } finally {
            lock.unlock();
        }
    }
}
