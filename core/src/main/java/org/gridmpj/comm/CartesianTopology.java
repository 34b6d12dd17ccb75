package org.gridmpj.comm;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/**
 * Processes on a grid (MPI standard, 8.5): row-major, so the last coordinate changes fastest.
 *
 * <pre>
 *   dims {2, 3}:   (0,0)=0  (0,1)=1  (0,2)=2
 *                  (1,0)=3  (1,1)=4  (1,2)=5
 * </pre>
 *
 * Immutable; a grid of no dimensions has one process.
 */
public final class CartesianTopology implements Topology {
    /** Source and destination of a shift; {@link Communicator#PROC_NULL} beyond an open edge. */
    public record Shift(int source, int destination) {}

    private final int[] dims;
    private final boolean[] periods;
    private final int size;

    /**
     * A grid.
     *
     * @throws MpiFailure of class DIMS for a dimension below 1, of class ARG if the arrays differ in length
     */
    public CartesianTopology(int[] dims, boolean[] periods) {
        if (dims.length != periods.length) {
            throw new MpiFailure(
                    ErrorClass.ARG,
                    dims.length + " dimensions but " + periods.length + " periods: each dimension needs one");
        }
        long product = 1;
        for (int dim : dims) {
            if (dim < 1) {
                throw new MpiFailure(
                        ErrorClass.DIMS, "dimensions " + Arrays.toString(dims) + ": each must be at least 1");
            }
            product = Math.min(product * dim, Integer.MAX_VALUE);
        }
        this.dims = dims.clone();
        this.periods = periods.clone();
        this.size = (int) product;
    }

    @Override
    public int size() {
        return size;
    }

    /** Number of dimensions. */
    public int dimensions() {
        return dims.length;
    }

    /** Processes along each dimension; a copy. */
    public int[] dims() {
        return dims.clone();
    }

    /** Which dimensions wrap around; a copy. */
    public boolean[] periods() {
        return periods.clone();
    }

    /**
     * The process at coordinates; they wrap in periodic dimensions.
     *
     * @throws MpiFailure of class ARG for too few coordinates or one outside of an open dimension
     */
    public int rankAt(int... coordinates) {
        if (coordinates.length < dims.length) {
            throw new MpiFailure(
                    ErrorClass.ARG, coordinates.length + " coordinates for a grid of " + dims.length + " dimensions");
        }
        int rank = 0;
        for (int d = 0; d < dims.length; d++) {
            int coordinate = coordinates[d];
            if (periods[d]) {
                coordinate = Math.floorMod(coordinate, dims[d]);
            } else if (coordinate < 0 || coordinate >= dims[d]) {
                throw new MpiFailure(
                        ErrorClass.ARG,
                        "coordinate " + coordinate + " of dimension " + d + ", which has places 0 to " + (dims[d] - 1)
                                + " and is not periodic");
            }
            rank = rank * dims[d] + coordinate;
        }
        return rank;
    }

    /**
     * The coordinates of a process.
     *
     * @throws MpiFailure of class RANK if it is not on the grid
     */
    public int[] coordinatesOf(int rank) {
        if (rank < 0 || rank >= size) {
            throw new MpiFailure(ErrorClass.RANK, "rank " + rank + " is not on the grid of " + size + " processes");
        }
        int[] coordinates = new int[dims.length];
        int rest = rank;
        for (int d = dims.length - 1; d >= 0; d--) {
            coordinates[d] = rest % dims[d];
            rest /= dims[d];
        }
        return coordinates;
    }

    /**
     * From whom and to whom a process passes data that move along a dimension (MPI standard, 8.5.6).
     *
     * @param displacement steps upwards, negative for downwards
     * @throws MpiFailure of class DIMS if there is no such dimension
     */
    public Shift shift(int rank, int dimension, int displacement) {
        if (dimension < 0 || dimension >= dims.length) {
            throw new MpiFailure(
                    ErrorClass.DIMS,
                    "dimension " + dimension + " of a grid of " + dims.length + " dimensions (from 0)");
        }
        int[] coordinates = coordinatesOf(rank);
        return new Shift(
                neighbour(coordinates, dimension, -(long) displacement),
                neighbour(coordinates, dimension, displacement));
    }

    private int neighbour(int[] coordinates, int dimension, long displacement) {
        int[] moved = coordinates.clone();
        long coordinate = moved[dimension] + displacement;
        if (periods[dimension]) {
            coordinate = Math.floorMod(coordinate, (long) dims[dimension]);
        } else if (coordinate < 0 || coordinate >= dims[dimension]) {
            return Communicator.PROC_NULL;
        }
        moved[dimension] = (int) coordinate;
        return rankAt(moved);
    }

    /**
     * The grid of the dimensions that are kept (MPI standard, 8.5.7).
     *
     * @throws MpiFailure of class ARG if there is not one mark for each dimension
     */
    public CartesianTopology sub(boolean[] kept) {
        requireMarks(kept);
        List<Integer> keptDimensions = keptDimensions(kept);
        int[] subDims = new int[keptDimensions.size()];
        boolean[] subPeriods = new boolean[subDims.length];
        for (int d = 0; d < subDims.length; d++) {
            subDims[d] = dims[keptDimensions.get(d)];
            subPeriods[d] = periods[keptDimensions.get(d)];
        }
        return new CartesianTopology(subDims, subPeriods);
    }

    /** Which of the grids that {@link #sub} makes a process is in: its place by the coordinates that are dropped. */
    int subGridOf(int rank, boolean[] kept) {
        requireMarks(kept);
        int[] coordinates = coordinatesOf(rank);
        int grid = 0;
        for (int d = 0; d < dims.length; d++) {
            grid = kept[d] ? grid : grid * dims[d] + coordinates[d];
        }
        return grid;
    }

    private void requireMarks(boolean[] kept) {
        if (kept.length < dims.length) {
            throw new MpiFailure(
                    ErrorClass.ARG, kept.length + " marks of what to keep for " + dims.length + " dimensions");
        }
    }

    private List<Integer> keptDimensions(boolean[] kept) {
        return IntStream.range(0, dims.length).filter(d -> kept[d]).boxed().toList();
    }

    @Override
    public String toString() {
        return "grid " + Arrays.toString(dims) + ", periodic " + Arrays.toString(periods);
    }
}
