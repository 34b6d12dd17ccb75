package mpi;

import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.CallJournal;
import org.gridmpj.runtime.Bootstrap;
import org.gridmpj.runtime.MpiProcess;
import org.gridmpj.runtime.ProcessSource;
import org.jspecify.annotations.Nullable;

/**
 * Binds the statics of {@link MPI} to one {@link MpiProcess} between Init and Finalize. Guarded by its class, read
 * without the lock.
 */
final class Binding {
    private static ProcessSource source = Bootstrap::start;
    private static volatile @Nullable MpiProcess process;
    private static volatile boolean finalized;
    private static @Nullable Thread mainThread;

    private Binding() {}

    /** Hands in a source in place of the JVM's; for several ranks in one JVM, each with this package of its own. */
    static synchronized void use(ProcessSource handedIn) {
        source = handedIn;
    }

    /** MPI_Init; the program's own arguments. */
    static synchronized String[] init(String[] arguments) {
        MpiProcess running = process;
        if (running != null) {
            throw new MpiFailure(
                    ErrorClass.OTHER,
                    "MPI.Init on rank " + running.world().rank() + ": MPI is initialised already; call it once");
        }
        Bootstrap.Started started = source.start(arguments);
        MpiProcess connected = started.process();
        MPI.COMM_WORLD.bind(connected.world());
        MPI.COMM_SELF.bind(connected.self());
        mainThread = Thread.currentThread();
        connected.facade(new FacadeImage());
        process = connected;
        return started.userArgs().toArray(String[]::new);
    }

    /** MPI_Finalize: drains, says goodbye and unbinds. */
    static synchronized void shutDown() {
        MpiProcess running = open("MPI.Finalize");
        try (CallJournal _ = running.pointToPoint().enter()) {
            running.shutdown();
        } catch (RuntimeException failure) {
            unbind();
            throw failure;
        }
        unbind();
    }

    private static void unbind() {
        finalized = true;
        process = null;
        MPI.COMM_WORLD.bind(null);
        MPI.COMM_SELF.bind(null);
    }

    /** The communicators of a snapshot have taken the place of the fresh ones. */
    static synchronized void rebind() {
        MpiProcess running = process;
        if (running != null) {
            MPI.COMM_WORLD.bind(running.world());
            MPI.COMM_SELF.bind(running.self());
        }
    }

    /** The running process, or NOT_INITIALIZED. */
    static MpiProcess open(String call) {
        MpiProcess running = process;
        if (running == null) {
            throw new MpiFailure(
                    ErrorClass.NOT_INITIALIZED,
                    call + " was called " + (finalized ? "after MPI.Finalize" : "before MPI.Init"));
        }
        return running;
    }

    static boolean isOpen() {
        return process != null;
    }

    static boolean wasFinalized() {
        return finalized && process == null;
    }

    static synchronized boolean isMainThread() {
        return Thread.currentThread().equals(mainThread);
    }

    static int worldRank(String call) {
        return open(call).world().rank();
    }
}
