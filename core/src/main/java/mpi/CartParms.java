package mpi;

/** Shape of a Cartesian topology and the own place in it (MPI_Cart_get). */
public class CartParms {
    /** Processes in each dimension. */
    public int[] dims;

    /** Whether each dimension is a ring. */
    public boolean[] periods;

    /** Own coordinates. */
    public int[] coords;

    public CartParms() {
        this(new int[0], new boolean[0], new int[0]);
    }

    CartParms(int[] dims, boolean[] periods, int[] coords) {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }
}
