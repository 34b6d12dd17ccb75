package org.gridmpj.error;

import org.jspecify.annotations.Nullable;

/**
 * The engine's one exception. The facade converts it to {@code mpi.MPIException}, keeping class and message.
 *
 * <p>The message says what happened, where (rank, host, peer, communicator), what follows and what to do.
 */
public class MpiFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorClass errorClass;

    public MpiFailure(ErrorClass errorClass, String message) {
        this(errorClass, message, null);
    }

    public MpiFailure(ErrorClass errorClass, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.errorClass = errorClass;
    }

    /** MPI's class of this error. */
    public ErrorClass errorClass() {
        return errorClass;
    }
}
