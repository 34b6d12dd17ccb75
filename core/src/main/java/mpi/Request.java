package mpi;

import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.CallJournal;
import org.gridmpj.pt2pt.PointToPoint;
import org.jspecify.annotations.Nullable;

/**
 * A nonblocking operation (MPI standard, 3.7). After completion it is REQUEST_NULL ({@link #Is_null}), unless it is a
 * {@link Prequest}.
 *
 * <p>Waitany, Waitsome, Testany and Testsome note the place of a request in {@link Status#index}. Elements of an array
 * may be null, which is as good as REQUEST_NULL.
 */
public class Request implements Freeable {
    /** Null for REQUEST_NULL. */
    private @Nullable Comm comm;

    /** Null with a communicator: the peer is PROC_NULL, so the operation is complete when it is started. */
    private org.gridmpj.pt2pt.@Nullable Request operation;

    Request() {}

    /** An operation under way; null: with PROC_NULL. */
    protected Request(Comm comm, org.gridmpj.pt2pt.@Nullable Request operation) {
        this.comm = comm;
        this.operation = operation;
    }

    /** Blocks until complete (MPI_Wait). */
    public Status Wait() {
        Comm owner = comm;
        if (owner == null || !isActive()) {
            return emptyStatus();
        }
        try (CallJournal _ = owner.enter()) {
            org.gridmpj.pt2pt.Request current = operation;
            if (current != null) {
                owner.engine("Wait").await(current);
            }
            return complete(owner);
        } catch (MpiFailure failure) {
            throw failed(owner, failure);
        }
    }

    /** A status if complete, else null (MPI_Test). */
    public @Nullable Status Test() {
        Comm owner = comm;
        if (owner == null || !isActive()) {
            return emptyStatus();
        }
        try {
            org.gridmpj.pt2pt.Request current = operation;
            return current == null || owner.engine("Test").test(current) ? complete(owner) : null;
        } catch (MpiFailure failure) {
            throw failed(owner, failure);
        }
    }

    /** Whether this is REQUEST_NULL: complete, or freed. */
    public boolean Is_null() {
        return comm == null;
    }

    /** Asks to cancel; the request must still be completed, and its status tells (MPI_Cancel). */
    public void Cancel() {
        Comm owner = comm;
        org.gridmpj.pt2pt.Request current = operation;
        try {
            if (owner == null || !isActive()) {
                throw new MpiFailure(ErrorClass.REQUEST, "Request.Cancel: the request is null or inactive");
            }
            if (current != null) {
                owner.engine("Cancel").cancel(current);
            }
        } catch (MpiFailure failure) {
            throw owner == null ? new MPIException(failure) : owner.raise(failure);
        }
    }

    /** Gives the request back; the operation goes on to its end (MPI_Request_free). */
    public void Free() {
        Comm owner = comm;
        org.gridmpj.pt2pt.Request current = operation;
        try {
            PointToPoint engine = owner == null || current == null ? null : owner.engine("Free");
            comm = null;
            operation = null;
            if (engine != null && current != null) {
                engine.free(current);
            }
        } catch (MpiFailure failure) {
            throw owner == null ? new MPIException(failure) : owner.raise(failure);
        }
    }

    /** As {@link #Free}. */
    @Override
    public void free() {
        Free();
    }

    /** Does nothing: requests are collected. */
    @Override
    @SuppressWarnings({"removal", "Finalize"}) // mpiJava programs call it by name
    public void finalize() {}

    /** Blocks until one is complete; index MPI.UNDEFINED if none is active. */
    public static Status Waitany(@Nullable Request[] requests) {
        return new RequestSet(requests).waitAny();
    }

    /** As Waitany without blocking: null if none is complete. */
    public static @Nullable Status Testany(@Nullable Request[] requests) {
        return new RequestSet(requests).testAny();
    }

    /** Blocks until all are complete; a failure is thrown when all are. */
    public static Status[] Waitall(@Nullable Request[] requests) {
        return new RequestSet(requests).waitAll();
    }

    /** The statuses if all are complete, else null and nothing is changed. */
    public static Status @Nullable [] Testall(@Nullable Request[] requests) {
        return new RequestSet(requests).testAll();
    }

    /** Blocks until one is complete; all that are by then. Null if none is active. */
    public static Status @Nullable [] Waitsome(@Nullable Request[] requests) {
        return new RequestSet(requests).some("Waitsome", true);
    }

    /** All that are complete, perhaps none; null if none is active. */
    public static Status @Nullable [] Testsome(@Nullable Request[] requests) {
        return new RequestSet(requests).some("Testsome", false);
    }

    /** Whether there is something to wait for. */
    boolean isActive() {
        return comm != null;
    }

    /** A completed request forgets its operation. */
    void retire() {
        comm = null;
        operation = null;
    }

    final org.gridmpj.pt2pt.@Nullable Request operation() {
        return operation;
    }

    final @Nullable Comm comm() {
        return comm;
    }

    /** The status of an operation that the engine has completed; throws its failure. */
    final Status complete(Comm owner) {
        org.gridmpj.pt2pt.Request current = operation;
        if (current != null && current.status().failure != null) {
            throw failed(owner, current.status().failure);
        }
        Status status = current == null ? owner.procNullStatus() : owner.statusOf(current.status());
        retire();
        return status;
    }

    private MPIException failed(Comm owner, MpiFailure failure) {
        retire();
        return owner.raise(failure);
    }

    /** What completing an inactive request gives; subclasses give their own kind. */
    protected Status emptyStatus() {
        return new Status();
    }
}
