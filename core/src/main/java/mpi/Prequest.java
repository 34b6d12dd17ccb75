package mpi;

import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.CallJournal;
import org.jspecify.annotations.Nullable;

/** A persistent operation (MPI standard, 3.9): started again and again, inactive in between. */
public class Prequest extends Request {
    /** Of an operation with PROC_NULL, which the engine never sees. */
    private boolean startedWithNobody;

    protected Prequest(Comm comm, org.gridmpj.pt2pt.@Nullable Request operation) {
        super(comm, operation);
    }

    /** Starts it (MPI_Start); it must be inactive. */
    public void Start() {
        Comm owner = comm();
        try {
            if (owner == null || isActive()) {
                throw new MpiFailure(
                        ErrorClass.REQUEST,
                        "Prequest.Start: the request " + (owner == null ? "was freed" : "is active already"));
            }
            org.gridmpj.pt2pt.Request operation = operation();
            if (operation == null) {
                startedWithNobody = true;
            } else {
                owner.pointToPoint("Start").start(operation);
            }
        } catch (MpiFailure failure) {
            throw owner == null ? new MPIException(failure) : owner.raise(failure);
        }
    }

    /** Starts all, in order (MPI_Startall). */
    public static void Startall(Prequest[] requests) {
        Comm owner = requests.length == 0 ? null : requests[0].comm();
        // no capture after the first has been started: the call would start it again
        try (CallJournal _ = owner == null ? null : owner.enter()) {
            for (Prequest request : requests) {
                request.Start();
            }
        }
    }

    @Override
    boolean isActive() {
        org.gridmpj.pt2pt.Request operation = operation();
        return operation == null ? startedWithNobody : operation.isActive();
    }

    @Override
    void retire() {
        startedWithNobody = false;
    }
}
