package org.gridmpj.checkpoint;

import java.util.function.Supplier;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * The cooperative snapshots of one rank: what {@code Ateam} and {@code UserProgWrapper} call.
 */
public final class ProgramSnapshots {
    private static final ProgramSnapshots OF_THIS_PROCESS = new ProgramSnapshots();

    private final RegisteredVariables variables = new RegisteredVariables();

    /** Those of the rank that this JVM is. */
    public static ProgramSnapshots ofThisProcess() {
        return OF_THIS_PROCESS;
    }

    /** Whether this run continues an earlier one. */
    public boolean isResumed() {
        return false;
    }

    /** The program's id of the snapshot that this run continues, or −1. */
    public int snapshotId() {
        return -1;
    }

    /** Registers a value. */
    public void register(String name, @Nullable Object value) {
        variables.put(name, value);
    }

    /** Registers something that gives the value at each snapshot. */
    public void registerSource(String name, Supplier<?> current) {
        variables.putSource(name, current);
    }

    /** The value of a variable in the snapshot. */
    public @Nullable Object retrieve(String name) {
        throw new MpiFailure(
                ErrorClass.ARG,
                "retrieveLocalVar(\"" + name + "\"): this run was not resumed from a snapshot; ask isResumed() first");
    }

    /** Takes a snapshot if one is due. */
    public boolean take(int id) {
        return false;
    }
}
