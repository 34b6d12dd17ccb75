package mpi;

/** Whom to receive from and whom to send to in a shift (MPI_Cart_shift); PROC_NULL at an open edge. */
public class ShiftParms {
    /** Rank that sends to this process. */
    public int rank_source;

    /** Rank that this process sends to. */
    public int rank_dest;

    public ShiftParms() {
        this(MPI.PROC_NULL, MPI.PROC_NULL);
    }

    ShiftParms(int source, int dest) {
        this.rank_source = source;
        this.rank_dest = dest;
    }
}
