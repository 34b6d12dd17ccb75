package org.gridmpj.ateam;

import java.util.function.Supplier;
import org.gridmpj.checkpoint.ProgramSnapshots;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * Cooperative snapshots: the program registers its state and says when a cut is good.
 *
 * <pre>{@code
 * MPI.Init(args);
 * double[] grid = new double[n];
 * int step = 0;
 * if (Ateam.isResumed()) {
 *     grid = (double[]) Ateam.retrieveLocalVar("grid");
 *     step = (Integer) Ateam.retrieveLocalVar("step");
 * }
 * Ateam.registerLocalVar("grid", grid);
 * for (; step < steps; step++) {
 *     Ateam.registerLocalVar("step", step);        // an immutable value: register the new one
 *     Ateam.takeSnapshot(step);                    // collective
 *     …compute, Sendrecv…
 * }
 * }</pre>
 *
 * <p>Without {@code mpjrun --checkpoint} nothing here does anything: {@link #takeSnapshot} is false at once and
 * {@link #isResumed} is false, so that the same program runs by itself too.
 *
 * <p>After a crash {@code main} runs again from its start, in a fresh JVM on every rank. Communicators are created again
 * by the program, in the same order; messages that were on their way at the cut are there again when the program first
 * calls {@link #isResumed}, {@link #getSnapshotId} or {@link #retrieveLocalVar}, before any that is sent from then on. Each
 * rank is to ask one of these before it takes a snapshot or ends. Where none has, the program runs from its beginning, which mpjrun says.
 *
 * <p>All registered values are one graph of objects: two variables that refer to the same array do so again after a
 * crash. Values are Serializable (java.io), as those of MPI.OBJECT.
 */
public final class Ateam {
    private Ateam() {}

    /**
     * Whether this run continues an earlier one.
     *
     * @throws MpiFailure of class NOT_INITIALIZED if checkpoints are on and MPI.Init has not been called
     */
    public static boolean isResumed() {
        return ProgramSnapshots.ofThisProcess().isResumed();
    }

    /** The id that was given to {@link #takeSnapshot} for the snapshot that this run continues; −1 if it continues none. */
    public static int getSnapshotId() {
        return ProgramSnapshots.ofThisProcess().snapshotId();
    }

    /**
     * Makes a value part of the program's state. What counts is the content that it has when a snapshot is taken; to save
     * another object under the same name, register that one. Variables taken back by a resumed run stay registered.
     *
     * @throws MpiFailure of class ARG if the value is not Serializable
     */
    public static void registerLocalVar(String name, @Nullable Object value) {
        ProgramSnapshots.ofThisProcess().register(name, value);
    }

    /**
     * As {@link #registerLocalVar(String, Object)} for a value that is asked for at each snapshot: a counter in a field,
     * say.
     */
    public static void registerLocalVar(String name, Supplier<?> current) {
        ProgramSnapshots.ofThisProcess().registerSource(name, current);
    }

    /**
     * The value that a variable had at the snapshot; the same object each time.
     *
     * @throws MpiFailure of class ARG if this run is not a resumed one, or if the snapshot has no variable of this name
     */
    public static @Nullable Object retrieveLocalVar(String name) {
        return ProgramSnapshots.ofThisProcess().retrieve(name);
    }

    /**
     * Takes a snapshot of the whole job if one is due. Collective over COMM_WORLD: every rank calls it at the same place;
     * rank 0 decides whether the interval of {@code --checkpoint} is over. The program stands still for the copy in
     * memory only; writing goes on in the background. A snapshot that cannot be written (a full disk) is reported by the
     * launcher and does not disturb the job.
     *
     * @param id what {@link #getSnapshotId} is to say after a crash: a step, a phase; not negative
     * @return whether a snapshot was taken
     * @throws MpiFailure of class PENDING if nonblocking operations of this rank are not complete; of class ARG if a
     *     value cannot be serialized (the message names the variable and the path to the field)
     */
    public static boolean takeSnapshot(int id) {
        return ProgramSnapshots.ofThisProcess().take(id);
    }
}
