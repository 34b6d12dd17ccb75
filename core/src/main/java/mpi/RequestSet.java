package mpi;

import java.util.Arrays;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.CallJournal;
import org.gridmpj.pt2pt.PointToPoint;
import org.jspecify.annotations.Nullable;

/** The requests of one call for any, some or all of them (MPI standard, 3.7.5). Confined to that call. */
final class RequestSet {
    private static final Status[] NONE = {};

    private final @Nullable Request[] requests;

    /** What the engine is to complete; null for requests that are inactive, or with PROC_NULL. */
    private final org.gridmpj.pt2pt.@Nullable Request[] operations;

    /** Active requests with PROC_NULL, which are complete. */
    private final boolean[] withNobody;

    private boolean anyWithNobody;

    /** Whose engine is asked; null if there is no operation. */
    private @Nullable Comm owner;

    RequestSet(@Nullable Request[] requests) {
        this.requests = requests;
        this.operations = new org.gridmpj.pt2pt.Request[requests.length];
        this.withNobody = new boolean[requests.length];
        for (int i = 0; i < requests.length; i++) {
            Request request = requests[i];
            if (request == null || !request.isActive()) {
                continue;
            }
            operations[i] = request.operation();
            withNobody[i] = operations[i] == null;
            anyWithNobody |= withNobody[i];
            owner = operations[i] == null ? owner : request.comm();
        }
    }

    Status waitAny() {
        if (!hasActive()) {
            return undefinedIndex();
        }
        Status status = anyOf("Waitany", true);
        if (status == null) {
            throw new IllegalStateException("Waitany came back without a request");
        }
        return status;
    }

    @Nullable
    Status testAny() {
        return hasActive() ? anyOf("Testany", false) : undefinedIndex();
    }

    private @Nullable Status anyOf(String call, boolean block) {
        int index = firstWithNobody();
        Comm asked = owner;
        if (index < 0 && asked != null) {
            try (CallJournal _ = asked.enter()) {
                PointToPoint engine = asked.engine(call);
                index = block ? engine.awaitAny(operations) : engine.testAny(operations);
            } catch (MpiFailure failure) {
                throw asked.raise(failure);
            }
        }
        return index < 0 ? null : completed(index);
    }

    Status @Nullable [] some(String call, boolean block) {
        if (!hasActive()) {
            return null;
        }
        int[] indices = new int[requests.length];
        int count = 0;
        Comm asked = owner;
        if (asked != null) {
            try (CallJournal _ = asked.enter()) {
                PointToPoint engine = asked.engine(call);
                count = block && !anyWithNobody
                        ? engine.awaitSome(operations, indices)
                        : engine.testSome(operations, indices);
            } catch (MpiFailure failure) {
                throw asked.raise(failure);
            }
        }
        boolean[] complete = withNobody.clone();
        for (int i = 0; i < count; i++) {
            complete[indices[i]] = true;
        }
        Status[] statuses = new Status[requests.length];
        int filled = 0;
        for (int i = 0; i < requests.length; i++) {
            if (complete[i]) {
                statuses[filled++] = completed(i);
            }
        }
        return filled == 0 ? NONE : Arrays.copyOf(statuses, filled);
    }

    Status @Nullable [] testAll() {
        Comm asked = owner;
        try {
            if (asked != null && !asked.engine("Testall").testAll(operations)) {
                return null;
            }
        } catch (MpiFailure failure) {
            throw asked == null ? new MPIException(failure) : asked.raise(failure);
        }
        return allCompleted();
    }

    /** All together and then one by one: a call that is captured while it waits has completed none. */
    Status[] waitAll() {
        Comm asked = owner;
        if (asked != null) {
            try (CallJournal _ = asked.enter()) {
                asked.engine("Waitall").awaitAll(operations);
            } catch (MpiFailure failure) {
                throw asked.raise(failure);
            }
        }
        return allCompleted();
    }

    private Status[] allCompleted() {
        Status[] statuses = new Status[requests.length];
        MPIException first = null;
        for (int i = 0; i < requests.length; i++) {
            try {
                statuses[i] = operations[i] == null && !withNobody[i] ? new Status() : completed(i);
                statuses[i].index = i;
            } catch (MPIException failure) {
                first = first == null ? failure : first;
            }
        }
        if (first != null) {
            throw first;
        }
        return statuses;
    }

    private boolean hasActive() {
        return owner != null || anyWithNobody;
    }

    private int firstWithNobody() {
        for (int i = 0; anyWithNobody && i < withNobody.length; i++) {
            if (withNobody[i]) {
                return i;
            }
        }
        return -1;
    }

    private Status completed(int index) {
        Request request = requests[index];
        Comm comm = request == null ? null : request.comm();
        if (request == null || comm == null) {
            throw new IllegalStateException("the engine completed request " + index + ", which is null");
        }
        Status status = request.complete(comm);
        status.index = index;
        return status;
    }

    private static Status undefinedIndex() {
        Status status = new Status();
        status.index = MPI.UNDEFINED;
        return status;
    }
}
