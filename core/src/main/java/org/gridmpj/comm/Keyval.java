package org.gridmpj.comm;

import org.jspecify.annotations.Nullable;

/**
 * The key of an attribute (MPI standard, 7.7.2); two keyvals are the same only if they are the same object.
 */
public final class Keyval {
    /** Decides at a dup what the new communicator gets. */
    @FunctionalInterface
    public interface CopyCallback {
        /** The value for the copy, or null for none. */
        @Nullable
        Object copy(Communicator from, Keyval keyval, Object value);
    }

    /** Called before an attribute goes: at its deletion, its replacement and at the communicator's end. */
    @FunctionalInterface
    public interface DeleteCallback {
        void delete(Communicator communicator, Keyval keyval, Object value);
    }

    /** Copies nothing (MPI_COMM_NULL_COPY_FN). */
    public static final CopyCallback NULL_COPY = (from, keyval, value) -> null;

    /** Copies the reference (MPI_COMM_DUP_FN). */
    public static final CopyCallback DUP = (from, keyval, value) -> value;

    /** Does nothing (MPI_COMM_NULL_DELETE_FN). */
    public static final DeleteCallback NULL_DELETE = (communicator, keyval, value) -> {};

    private final CopyCallback copy;
    private final DeleteCallback delete;

    public Keyval(CopyCallback copy, DeleteCallback delete) {
        this.copy = copy;
        this.delete = delete;
    }

    CopyCallback copy() {
        return copy;
    }

    DeleteCallback delete() {
        return delete;
    }
}
