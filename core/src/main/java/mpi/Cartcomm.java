package mpi;

import java.util.function.Function;
import org.gridmpj.comm.CartesianTopology;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.CommunicatorCreation;
import org.gridmpj.comm.DimsCreate;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/** A communicator whose processes form a grid (MPI standard, 8.5). */
public class Cartcomm extends Intracomm {
    Cartcomm(Communicator communicator) {
        super(communicator);
    }

    @Override
    public Cartcomm clone() {
        return inherit(new Cartcomm(duplicate()));
    }

    /** Fills in the dimensions that are 0, as even as can be; those that the caller set stay (MPI_Dims_create). */
    public static void Dims_create(int nnodes, int[] dims) {
        try {
            DimsCreate.fill(nnodes, dims);
        } catch (MpiFailure failure) {
            throw new MPIException(failure);
        }
    }

    /** Shape and own place. */
    public CartParms Get() {
        return ask("Get", grid -> new CartParms(grid.dims(), grid.periods(), grid.coordinatesOf(Rank())));
    }

    /** Rank of coordinates; those of a ring wrap around. */
    public int Rank(int[] coords) {
        return ask("Rank", grid -> grid.rankAt(coords));
    }

    /** Coordinates of a rank. */
    public int[] Coords(int rank) {
        return ask("Coords", grid -> grid.coordinatesOf(rank));
    }

    /** Neighbours at a distance along a dimension; MPI.PROC_NULL beyond an open edge. */
    public ShiftParms Shift(int direction, int disp) {
        return ask("Shift", grid -> {
            CartesianTopology.Shift shift = grid.shift(Rank(), direction, disp);
            return new ShiftParms(rankOrNull(shift.source()), rankOrNull(shift.destination()));
        });
    }

    /** The sub-grid of this process along the dimensions that remain (MPI_Cart_sub). */
    public Cartcomm Sub(boolean[] remain_dims) {
        return ask("Sub", grid -> inherit(new Cartcomm(CommunicatorCreation.cartesianSub(called("Sub"), remain_dims))));
    }

    /** The rank that this process would have in a grid, or MPI.UNDEFINED (MPI_Cart_map). */
    public int Map(int[] dims, boolean[] periods) {
        return ask("Map", grid -> new CartesianTopology(dims, periods).map(Rank()));
    }

    private <T> T ask(String call, Function<CartesianTopology, T> question) {
        try {
            if (open(call).topology() instanceof CartesianTopology grid) {
                return question.apply(grid);
            }
            throw Arguments.bad(ErrorClass.TOPOLOGY, call, this, "it has no grid");
        } catch (MpiFailure failure) {
            throw raise(failure);
        }
    }

    private static int rankOrNull(int rank) {
        return rank == Communicator.PROC_NULL ? MPI.PROC_NULL : rank;
    }
}
