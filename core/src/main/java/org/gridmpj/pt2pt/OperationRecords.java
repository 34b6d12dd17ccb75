package org.gridmpj.pt2pt;

import java.util.ArrayList;
import org.gridmpj.datatype.MessageBuffer;
import org.gridmpj.datatype.RowsAhead;
import org.jspecify.annotations.Nullable;

/**
 * The records of operations: fresh ones, and those of blocking calls and of schedules' steps, used again so that such an
 * operation allocates nothing.
 *
 * <p>Guarded by the progress lock, but for one thread: its last record waits for its next blocking call without it.
 */
final class OperationRecords {
    private static final int POOLED_RECORDS = 64;

    private final ProgressLock lock;
    private final OperationRecord.ReleaseListener releaseListener;
    private final RowsAhead ahead;

    /** Records of blocking calls that are over. Guarded by the lock. */
    private final ArrayList<OperationRecord> pool = new ArrayList<>();
    /** Written under the lock, read by anybody: a thread that finds itself here has put itself here. */
    private @Nullable Thread spareOwner;
    /** The record of that thread's last blocking call, for its next one: it needs no lock. */
    private @Nullable OperationRecord spare;

    OperationRecords(ProgressLock lock, OperationRecord.ReleaseListener releaseListener, RowsAhead ahead) {
        this.lock = lock;
        this.ahead = ahead;
        this.releaseListener = releaseListener;
    }

    /** A record that was never used, with a buffer of its own. */
    OperationRecord fresh() {
        OperationRecord record = new OperationRecord(releaseListener);
        record.buffer = new MessageBuffer(ahead);
        return record;
    }

    /** The record of a schedule's step, for the step's next operation; a fresh one if it cannot be used again. */
    OperationRecord again(@Nullable Request earlier) {
        return earlier instanceof OperationRecord record && record.isComplete() && !record.poisoned && !record.freed
                ? record
                : fresh();
    }

    /** A record for a blocking call of the current thread. */
    OperationRecord borrow() {
        Thread me = Thread.currentThread();
        if (isSpareMine(me)) {
            OperationRecord record = spare;
            if (record != null) {
                spare = null;
                return record;
            }
        }
        lock.lock();
        try {
            Thread owner = spareOwner;
            if (owner == null || !owner.isAlive()) {
                spare = null;
                spareOwner = me;
            }
            return pool.isEmpty() ? fresh() : pool.removeLast();
        } finally {
            lock.unlock();
        }
    }

    @SuppressWarnings("ReferenceEquality") // a thread is itself only
    private boolean isSpareMine(Thread me) {
        return spareOwner == me;
    }

    /** The call is over, on the thread that has borrowed the record. */
    void giveBack(OperationRecord record) {
        if (record.poisoned) {
            return;
        }
        record.attachedBuffer().clear();
        record.array = null;
        record.type = null;
        if (isSpareMine(Thread.currentThread()) && spare == null) {
            spare = record;
            return;
        }
        lock.lock();
        try {
            if (pool.size() < POOLED_RECORDS) {
                pool.add(record);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The journal, if there is one, may meet the record again; it is given back when the call is over. */
    static void lend(OperationRecord operation, @Nullable CallJournal journal) {
        if (journal != null) {
            operation.borrowed = true;
            journal.record(operation);
        }
    }

    /** Gives back what was lent to the journal of a call that is over. */
    void giveBackLent(CallJournal journal) {
        for (int i = 0; i < journal.length(); i++) {
            if (journal.stepAt(i) instanceof OperationRecord operation
                    && operation.borrowed
                    && operation.isComplete()) {
                operation.borrowed = false;
                giveBack(operation);
            }
        }
    }
}
