package mpi;

import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/**
 * An error of an MPI call (MPI standard, 9.3).
 *
 * <p>Unchecked, unlike mpiJava's: half of the programs in use neither catch nor declare it, the other half compiles with
 * an unchecked one too.
 */
public class MPIException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorClass errorClass;

    public MPIException() {
        this("");
    }

    public MPIException(String message) {
        super(message);
        this.errorClass = ErrorClass.OTHER;
    }

    public MPIException(Throwable cause) {
        super(cause);
        if (cause instanceof MPIException other) {
            this.errorClass = other.errorClass;
        } else {
            this.errorClass = cause instanceof MpiFailure failure ? failure.errorClass() : ErrorClass.OTHER;
        }
    }

    /** The same error, class and message, as the engine reports it. */
    protected MPIException(MpiFailure failure) {
        super(failure.getMessage(), failure);
        this.errorClass = failure.errorClass();
    }

    /** MPI's number of the error's class (MPI standard, 9.4): 15 is a truncated message. */
    public int getErrorClass() {
        return errorClass.code();
    }

    /** The error code; here the same as the class. */
    public int getErrorCode() {
        return errorClass.code();
    }

    /** The name of the error's class, for people. */
    public String getErrorText() {
        return errorClass.text();
    }
}
