package org.gridmpj.pt2pt;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * The operations under way, and their one way to completion.
 *
 * <p>Sends are listed until they complete, receives until the program has seen their completion: a snapshot must not
 * succeed or fail by whether a message came a moment earlier. Guarded by the progress lock.
 */
final class ActiveOperations {
    private static final int MOST_LOOKS = 64;

    private final OperationTable table;
    private final ProgressEngine progress;
    private @Nullable OperationRecord first;

    ActiveOperations(OperationTable table, ProgressEngine progress) {
        this.table = table;
        this.progress = progress;
    }

    void add(OperationRecord operation) {
        OperationRecord head = first;
        operation.previousActive = null;
        operation.nextActive = head;
        if (head != null) {
            head.previousActive = operation;
        }
        first = operation;
        operation.listed = true;
    }

    /** Also without the lock: what it says may be old then. */
    boolean isEmpty() {
        return first == null;
    }

    void remove(OperationRecord operation) {
        if (!operation.listed) {
            return;
        }
        OperationRecord before = operation.previousActive;
        OperationRecord after = operation.nextActive;
        if (before == null) {
            first = after;
        } else {
            before.nextActive = after;
        }
        if (after != null) {
            after.previousActive = before;
        }
        operation.previousActive = null;
        operation.nextActive = null;
        operation.listed = false;
    }

    /** Completes an operation, well, cancelled or failed; wakes who waits for it. */
    void complete(OperationRecord operation) {
        if (operation.isComplete()) {
            return;
        }
        table.release(operation);
        if (!operation.listedUntilSeen || operation.freed) {
            remove(operation);
        }
        if (operation.inner || operation.freed) {
            operation.finish();
        }
        if (operation.kind == OperationRecord.Kind.SEND && !operation.poisoned) {
            // serialized objects go back to the permanent buffers now, not when the program drops its request
            operation.attachedBuffer().clear();
        }
        operation.markComplete();
        progress.completed(operation);
    }

    void fail(OperationRecord operation, MpiFailure cause) {
        if (!operation.isComplete()) {
            operation.poisoned = true;
            operation.setFailure(cause);
            complete(operation);
        }
    }

    /** All listed operations; the action may complete the one it is given. */
    void forEach(Consumer<OperationRecord> action) {
        OperationRecord operation = first;
        while (operation != null) {
            OperationRecord next = operation.nextActive;
            action.accept(operation);
            operation = next;
        }
    }

    /** The first listed operation of which this is true, or null. */
    @Nullable
    OperationRecord find(Predicate<OperationRecord> wanted) {
        OperationRecord operation = first;
        while (operation != null && !wanted.test(operation)) {
            operation = operation.nextActive;
        }
        return operation;
    }

    /**
     * Whether a message is under way that needs more than one step of this rank, or may be soon: it is not eager, has not all
     * gone, has come in part, or there is a receive with room for such a one. Of many operations the latest are looked at.
     */
    boolean isAnyLong() {
        OperationRecord operation = first;
        for (int looks = 0; operation != null && looks < MOST_LOOKS; looks++) {
            if (operation.isLongUnderWay()) {
                return true;
            }
            operation = operation.nextActive;
        }
        return false;
    }

    /** For people, the oldest first. */
    List<String> describe() {
        List<String> text = new ArrayList<>();
        forEach(operation -> {
            if (operation.kind != OperationRecord.Kind.BUFFERED_CARRIER && !operation.inner) {
                text.add(operation.toString());
            }
        });
        return text.reversed();
    }
}
