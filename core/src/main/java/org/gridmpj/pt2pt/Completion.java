package org.gridmpj.pt2pt;

import java.util.List;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.log.Determinant;
import org.jspecify.annotations.Nullable;

/**
 * Waiting for requests and testing them: one, any, some, all (MPI standard, 3.7.3 and 3.7.5); freeing them. Thread-safe.
 */
final class Completion {
    private final ProgressEngine progress;
    private final ActiveOperations operations;
    /** Null unless ranks may go back alone. */
    private @Nullable Choices choices;

    private @Nullable Polls polls;

    Completion(ProgressEngine progress, ActiveOperations operations) {
        this.progress = progress;
        this.operations = operations;
    }

    /** Records which of several requests are completed, and what tests answer. */
    void record(Choices recorded, Polls recordedPolls) {
        choices = recorded;
        polls = recordedPolls;
    }

    /** Blocks until complete; rethrows the failure of the operation. */
    void await(Request request) {
        boolean active = request.isActive();
        if (!request.isComplete()) {
            progress.await(request, false);
        }
        if (active) {
            rethrow(seen(request));
        }
    }

    /** One round of progress; whether complete. Rethrows the failure of the operation. */
    boolean test(Request request) {
        boolean active = request.isActive();
        Polls recorded = active ? polls : null;
        List<Determinant> before = recorded == null ? null : recorded.asBefore();
        if (recorded != null && before != null && before.isEmpty()) {
            return recorded.noAsBefore();
        }
        boolean complete = recorded != null && before != null && recorded.awaitAsBefore(before, request);
        if (!complete && !isComplete(request)) {
            return recorded != null && recorded.no();
        }
        if (recorded != null) {
            recorded.tested();
        }
        if (active) {
            rethrow(seen(request));
        }
        return true;
    }

    /** Whether it is, now or after a round. */
    private boolean isComplete(Request request) {
        if (!request.isComplete()) {
            progress.roundOfTest();
            if (!request.isComplete()) {
                progress.failIfStopped(request);
                return false;
            }
        }
        return true;
    }

    /** The program has seen the completion. */
    private Request seen(Request request) {
        request.consume();
        if (request instanceof OperationRecord operation && operation.listedUntilSeen) {
            progress.lock.lock();
            try {
                operations.remove(operation);
            } finally {
                progress.lock.unlock();
            }
        }
        return request;
    }

    private static void rethrow(Request request) {
        MpiFailure failure = request.status().failure;
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Blocks until one of the active requests is complete; its index, or −1 if none is active. Nulls are skipped. A failure
     * stays in the request's status.
     */
    int awaitAny(@Nullable Request[] requests) {
        if (!AnyOf.hasActive(requests)) {
            return -1;
        }
        Choices recorded = choices;
        if (recorded == null) {
            return firstComplete(requests);
        }
        List<Integer> before = recorded.awaitAsBefore(requests);
        int index = before == null ? firstComplete(requests) : before.getFirst();
        if (before != null) {
            seenAt(requests, index);
        }
        recorded.chosen(new int[] {index}, 1);
        return index;
    }

    private int firstComplete(@Nullable Request[] requests) {
        AnyOf any = new AnyOf(requests);
        any.advance();
        if (!any.isComplete()) {
            progress.await(any, false);
        }
        seenAt(requests, any.index());
        return any.index();
    }

    /** As awaitAny without blocking; −1 if none is complete or active. */
    int testAny(@Nullable Request[] requests) {
        Polls recorded = polls;
        if (recorded == null || !AnyOf.hasActive(requests)) {
            return testAnyNow(requests);
        }
        List<Determinant> before = recorded.asBefore();
        int index;
        if (before == null) {
            index = testAnyNow(requests);
        } else if (before.isEmpty() || !recorded.awaitAsBefore(before, requests)) {
            boolean _ = recorded.noAsBefore();
            return -1;
        } else {
            index = before.getFirst().sourceRank();
            seenAt(requests, index);
        }
        if (index < 0) {
            boolean _ = recorded.no();
        } else {
            recorded.tested(new int[] {index}, 1);
        }
        return index;
    }

    private int testAnyNow(@Nullable Request[] requests) {
        AnyOf any = new AnyOf(requests);
        any.advance();
        if (!any.isComplete()) {
            progress.roundOfTest();
            any.advance();
        }
        if (any.isComplete()) {
            seenAt(requests, any.index());
        } else if (AnyOf.hasActive(requests)) {
            progress.failIfStopped(any);
        }
        return any.index();
    }

    /**
     * Blocks until at least one active request is complete, and completes all that are (MPI_Waitsome).
     *
     * @param indices receives the indices of those completed; as long as requests
     * @return how many, or −1 if none is active
     */
    int awaitSome(@Nullable Request[] requests, int[] indices) {
        if (!AnyOf.hasActive(requests)) {
            return -1;
        }
        Choices recorded = choices;
        List<Integer> before = recorded == null ? null : recorded.awaitAsBefore(requests);
        if (before == null) {
            AnyOf any = new AnyOf(requests);
            any.advance();
            if (!any.isComplete()) {
                progress.await(any, false);
            }
        }
        int found = before == null ? collect(requests, indices) : collectIndices(requests, before, indices);
        if (recorded != null) {
            recorded.chosen(indices, found);
        }
        return found;
    }

    private int collectIndices(@Nullable Request[] requests, List<Integer> chosen, int[] indices) {
        int found = 0;
        for (int index : chosen) {
            seenAt(requests, index);
            indices[found++] = index;
        }
        return found;
    }

    /** As awaitSome without blocking; −1 if none is active, 0 if none is complete. */
    int testSome(@Nullable Request[] requests, int[] indices) {
        if (!AnyOf.hasActive(requests)) {
            return -1;
        }
        Polls recorded = polls;
        List<Determinant> before = recorded == null ? null : recorded.asBefore();
        int found;
        if (recorded == null || before == null) {
            progress.roundOfTest();
            found = collect(requests, indices);
            if (found == 0) {
                progress.failIfStopped("some of " + requests.length + " requests");
            }
        } else if (before.isEmpty() || !recorded.awaitAsBefore(before, requests)) {
            boolean _ = recorded.noAsBefore();
            return 0;
        } else {
            found = collectIndices(
                    requests, before.stream().map(Determinant::sourceRank).toList(), indices);
        }
        if (recorded != null && found == 0) {
            boolean _ = recorded.no();
        } else if (recorded != null) {
            recorded.tested(indices, found);
        }
        return found;
    }

    private int collect(@Nullable Request[] requests, int[] indices) {
        int found = 0;
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            if (request != null && request.isActive() && request.isComplete()) {
                seen(request);
                indices[found++] = i;
            }
        }
        return found;
    }

    /** Blocks until all requests are complete; failures stay in the statuses. Nulls are skipped. */
    void awaitAll(@Nullable Request[] requests) {
        // all first: a call that is captured while it waits has made none of them inactive
        for (Request request : requests) {
            if (request != null && request.isActive() && !request.isComplete()) {
                progress.await(request, false);
            }
        }
        for (Request request : requests) {
            if (request != null && request.isActive()) {
                seen(request);
            }
        }
    }

    /** Completes all requests if all are complete, else none (MPI_Testall); failures stay in the statuses. */
    boolean testAll(@Nullable Request[] requests) {
        Polls recorded = AnyOf.hasActive(requests) ? polls : null;
        if (recorded == null) {
            return testAllNow(requests);
        }
        List<Determinant> before = recorded.asBefore();
        if (before == null) {
            if (!testAllNow(requests)) {
                return recorded.no();
            }
        } else if (before.isEmpty() || !recorded.wasTest(before, requests)) {
            return recorded.noAsBefore();
        } else {
            awaitAll(requests);
        }
        recorded.tested();
        return true;
    }

    private boolean testAllNow(@Nullable Request[] requests) {
        if (!allComplete(requests)) {
            progress.roundOfTest();
            if (!allComplete(requests)) {
                progress.failIfStopped("all of " + requests.length + " requests");
                return false;
            }
        }
        awaitAll(requests);
        return true;
    }

    private static boolean allComplete(@Nullable Request[] requests) {
        for (Request request : requests) {
            if (request != null && !request.isComplete()) {
                return false;
            }
        }
        return true;
    }

    private void seenAt(@Nullable Request[] requests, int index) {
        Request request = requests[index];
        if (request != null) {
            seen(request);
        }
    }

    /** Frees an operation, at its completion if that is still to come. */
    void free(Request request) {
        if (request instanceof OperationRecord operation) {
            progress.lock.lock();
            try {
                operation.freed = true;
                if (operation.isComplete()) {
                    operation.consume();
                    operations.remove(operation);
                }
            } finally {
                progress.lock.unlock();
            }
        }
    }
}
