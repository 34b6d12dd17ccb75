package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import mpi.CartParms;
import mpi.Cartcomm;
import mpi.GraphParms;
import mpi.Graphcomm;
import mpi.MPI;
import mpi.ShiftParms;
import org.gridmpj.error.ErrorClass;

/** Grids and graphs. */
public final class Topologies {
    private Topologies() {}

    public static void main(String[] args) throws Exception {
        MPI.Init(args);
        assertThat(MPI.COMM_WORLD.Topo_test()).isEqualTo(MPI.UNDEFINED);
        dims();
        grid();
        graph();
        MPI.Finalize();
    }

    private static void dims() {
        int[] dims = {0, 0};
        Cartcomm.Dims_create(12, dims);
        assertThat(dims).containsExactly(4, 3);
        int[] fixed = {0, 2, 0};
        Cartcomm.Dims_create(12, fixed);
        assertThat(fixed).containsExactly(3, 2, 2);
        Check.fails(ErrorClass.DIMS, () -> Cartcomm.Dims_create(12, new int[] {5, 0}));
    }

    private static void grid() {
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int[] dims = {0, 0};
        Cartcomm.Dims_create(size, dims);
        Cartcomm grid = MPI.COMM_WORLD.Create_cart(dims, new boolean[] {true, false}, false);
        assertThat(grid.Topo_test()).isEqualTo(MPI.CART);
        CartParms parms = grid.Get();
        assertThat(parms.dims).isEqualTo(dims);
        assertThat(parms.periods).containsExactly(true, false);
        assertThat(parms.coords).isEqualTo(grid.Coords(rank));
        assertThat(grid.Rank(parms.coords)).isEqualTo(rank);
        assertThat(grid.Rank(new int[] {parms.coords[0] + dims[0], parms.coords[1]}))
                .isEqualTo(rank);

        ShiftParms ring = grid.Shift(0, 1);
        assertThat(grid.Coords(ring.rank_dest)[0]).isEqualTo((parms.coords[0] + 1) % dims[0]);
        ShiftParms open = grid.Shift(1, 1);
        assertThat(open.rank_dest == MPI.PROC_NULL).isEqualTo(parms.coords[1] == dims[1] - 1);
        assertThat(open.rank_source == MPI.PROC_NULL).isEqualTo(parms.coords[1] == 0);
        int[] got = {-1};
        grid.Sendrecv(new int[] {rank}, 0, 1, MPI.INT, open.rank_dest, 0, got, 0, 1, MPI.INT, open.rank_source, 0);
        assertThat(got[0]).isEqualTo(open.rank_source == MPI.PROC_NULL ? -1 : open.rank_source);

        Cartcomm row = grid.Sub(new boolean[] {false, true});
        assertThat(row.Size()).isEqualTo(dims[1]);
        assertThat(row.Rank()).isEqualTo(parms.coords[1]);
        Cartcomm copy = grid.clone();
        assertThat(copy.Topo_test()).isEqualTo(MPI.CART);
        assertThat(grid.Map(dims, new boolean[2])).isEqualTo(rank);

        Cartcomm one = MPI.COMM_WORLD.Create_cart(new int[] {1}, new boolean[] {false}, true);
        assertThat(one == null).isEqualTo(rank != 0);
        Check.fails(
                ErrorClass.DIMS, () -> MPI.COMM_WORLD.Create_cart(new int[] {size + 1}, new boolean[] {false}, false));
        Check.fails(ErrorClass.ARG, () -> grid.Rank(new int[] {0, dims[1]}));
    }

    private static void graph() {
        int rank = MPI.COMM_WORLD.Rank();
        int size = MPI.COMM_WORLD.Size();
        int[] index = new int[size];
        int[] edges = new int[2 * size];
        for (int i = 0; i < size; i++) {
            index[i] = 2 * (i + 1);
            edges[2 * i] = (i + size - 1) % size;
            edges[2 * i + 1] = (i + 1) % size;
        }
        Graphcomm graph = MPI.COMM_WORLD.Create_graph(index, edges, false);
        assertThat(graph.Topo_test()).isEqualTo(MPI.GRAPH);
        assertThat(graph.Neighbours(rank)).containsExactly((rank + size - 1) % size, (rank + 1) % size);
        GraphParms parms = graph.Get();
        assertThat(Arrays.equals(parms.index, index) && Arrays.equals(parms.edges, edges))
                .isTrue();
        assertThat(graph.clone().Map(index, edges)).isEqualTo(rank);
    }
}
