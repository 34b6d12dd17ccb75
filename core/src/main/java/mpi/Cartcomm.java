package mpi;

import org.gridmpj.comm.Communicator;
import org.jspecify.annotations.Nullable;

/** A communicator whose processes form a grid (MPI standard, 8.5). */
public class Cartcomm extends Intracomm {
    Cartcomm(Communicator communicator) {
        super(communicator);
    }

    @Override
    public Cartcomm clone() {
        throw new IllegalStateException("skeleton");
    }

    @Override
    public int Topo_test() {
        called("Topo_test");
        return MPI.CART;
    }

    /** Fills in the dimensions that are 0, as even as can be; those that the caller set stay (MPI_Dims_create). */
    public static void Dims_create(int nnodes, int[] dims) {
        throw new IllegalStateException("skeleton");
    }

    /** Shape and own place. */
    public CartParms Get() {
        throw new IllegalStateException("skeleton");
    }

    /** Rank of coordinates; those of a ring wrap around. */
    public int Rank(int[] coords) {
        throw new IllegalStateException("skeleton");
    }

    /** Coordinates of a rank. */
    public int[] Coords(int rank) {
        throw new IllegalStateException("skeleton");
    }

    /** Neighbours at a distance along a dimension; MPI.PROC_NULL beyond an open edge. */
    public ShiftParms Shift(int direction, int disp) {
        throw new IllegalStateException("skeleton");
    }

    /** The sub-grid of this process along the dimensions that remain (MPI_Cart_sub). */
    public @Nullable Cartcomm Sub(boolean[] remain_dims) {
        throw new IllegalStateException("skeleton");
    }

    /** The rank that this process would have in a grid, or MPI.UNDEFINED (MPI_Cart_map). */
    public int Map(int[] dims, boolean[] periods) {
        throw new IllegalStateException("skeleton");
    }
}
