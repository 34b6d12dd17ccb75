package mpj;

import mpi.MPIException;
import org.gridmpj.error.MpiFailure;

/** An error of an MPJ call; unchecked. */
public class MPJException extends MPIException {
    private static final long serialVersionUID = 1L;

    public MPJException() {
        super();
    }

    public MPJException(String message) {
        super(message);
    }

    public MPJException(Throwable cause) {
        super(cause);
    }

    MPJException(MpiFailure failure) {
        super(failure);
    }
}
