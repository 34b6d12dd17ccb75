package mpj;

import org.jspecify.annotations.Nullable;

/** A persistent operation. */
public class Prequest extends mpi.Prequest {
    Prequest(mpi.Comm comm, org.gridmpj.pt2pt.@Nullable Request operation) {
        super(comm, operation);
    }

    public static void Startall(Prequest[] requests) {
        mpi.Prequest.Startall(requests);
    }

    @Override
    public Status Wait() {
        return (Status) super.Wait();
    }

    @Override
    public @Nullable Status Test() {
        return (Status) super.Test();
    }

    @Override
    protected Status emptyStatus() {
        return new Status();
    }
}
