package mpi;

/**
 * What an error in a call does (MPI standard, 9.3): throw a {@link MPIException} (the default, as in mpiJava), or end
 * the job as {@link Comm#Abort} does.
 */
public class Errhandler {
    /** Ends the job. */
    public static final int FATAL = 1;

    /** Throws a {@link MPIException}. */
    public static final int RETURN = 0;

    static final Errhandler RETURNS = new Errhandler(RETURN);
    static final Errhandler IS_FATAL = new Errhandler(FATAL);

    private final int code;

    /** FATAL or RETURN. */
    public Errhandler(int code) {
        this.code = code;
    }

    final boolean isFatal() {
        return code == FATAL;
    }
}
