package mpj;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A nonblocking operation. */
public class Request extends mpi.Request {
    Request(mpi.Comm comm, org.gridmpj.pt2pt.@Nullable Request operation) {
        super(comm, operation);
    }

    @Override
    public Status Wait() {
        return (Status) super.Wait();
    }

    @Override
    public @Nullable Status Test() {
        return (Status) super.Test();
    }

    public static Status Waitany(mpi.@Nullable Request[] requests) {
        return Objects.requireNonNull(Status.of(mpi.Request.Waitany(requests)));
    }

    public static @Nullable Status Testany(mpi.@Nullable Request[] requests) {
        return Status.of(mpi.Request.Testany(requests));
    }

    public static Status[] Waitall(mpi.@Nullable Request[] requests) {
        return Objects.requireNonNull(Status.of(mpi.Request.Waitall(requests)));
    }

    public static Status @Nullable [] Testall(mpi.@Nullable Request[] requests) {
        return Status.of(mpi.Request.Testall(requests));
    }

    public static Status @Nullable [] Waitsome(mpi.@Nullable Request[] requests) {
        return Status.of(mpi.Request.Waitsome(requests));
    }

    public static Status @Nullable [] Testsome(mpi.@Nullable Request[] requests) {
        return Status.of(mpi.Request.Testsome(requests));
    }

    @Override
    protected Status emptyStatus() {
        return new Status();
    }
}
