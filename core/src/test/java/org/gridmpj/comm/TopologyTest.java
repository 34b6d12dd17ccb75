package org.gridmpj.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.junit.jupiter.api.Test;

class TopologyTest {
    private final CartesianTopology grid = new CartesianTopology(new int[] {2, 3}, new boolean[] {false, true});

    private static void assertFails(ErrorClass errorClass, ThrowingCallable call) {
        assertThatExceptionOfType(MpiFailure.class)
                .isThrownBy(call)
                .satisfies(failure -> assertThat(failure.errorClass()).isEqualTo(errorClass));
    }

    @Test
    void shouldTurnRanksIntoCoordinatesAndBack() {
        for (int rank = 0; rank < grid.size(); rank++) {
            assertThat(grid.rankAt(grid.coordinatesOf(rank))).isEqualTo(rank);
        }
        assertThat(grid.coordinatesOf(5)).containsExactly(1, 2);
    }

    @Test
    void shouldWrapCoordinatesInPeriodicDimensionsOnly() {
        assertThat(grid.rankAt(1, -1)).isEqualTo(5);
        assertThat(grid.rankAt(0, 7)).isEqualTo(1);
        assertFails(ErrorClass.ARG, () -> grid.rankAt(2, 0));
        assertFails(ErrorClass.ARG, () -> grid.rankAt(0));
    }

    @Test
    void shouldShiftToProcNullWhenTheEdgeIsOpen() {
        assertThat(grid.shift(0, 0, 1)).isEqualTo(new CartesianTopology.Shift(Communicator.PROC_NULL, 3));
        assertThat(grid.shift(3, 0, 1)).isEqualTo(new CartesianTopology.Shift(0, Communicator.PROC_NULL));
        assertThat(grid.shift(0, 1, 1)).isEqualTo(new CartesianTopology.Shift(2, 1));
        assertThat(grid.shift(0, 1, -4)).isEqualTo(new CartesianTopology.Shift(1, 2));
        assertThat(grid.shift(4, 0, Integer.MIN_VALUE))
                .isEqualTo(new CartesianTopology.Shift(Communicator.PROC_NULL, Communicator.PROC_NULL));
        assertFails(ErrorClass.DIMS, () -> grid.shift(0, 2, 1));
    }

    @Test
    void shouldRefuseImpossibleGrids() {
        assertFails(ErrorClass.DIMS, () -> new CartesianTopology(new int[] {2, 0}, new boolean[2]));
        assertFails(ErrorClass.ARG, () -> new CartesianTopology(new int[] {2, 2}, new boolean[1]));
        assertThat(new CartesianTopology(new int[0], new boolean[0]).size()).isEqualTo(1);
    }

    @Test
    void shouldMapOldRanksInOrder() {
        assertThat(grid.map(5)).isEqualTo(5);
        assertThat(grid.map(6)).isEqualTo(Communicator.UNDEFINED);
    }

    @Test
    void shouldListNeighboursOfAGraph() {
        GraphTopology graph = new GraphTopology(new int[] {2, 3, 4, 6}, new int[] {1, 3, 0, 3, 0, 2});
        assertThat(graph.neighbours(0)).containsExactly(1, 3);
        assertThat(graph.neighbours(2)).containsExactly(3);
        assertThat(graph.neighbours(3)).containsExactly(0, 2);
        assertFails(ErrorClass.RANK, () -> graph.neighbours(4));
        assertFails(ErrorClass.TOPOLOGY, () -> new GraphTopology(new int[] {2, 1}, new int[] {0, 0}));
        assertFails(ErrorClass.TOPOLOGY, () -> new GraphTopology(new int[] {1, 3}, new int[] {0, 0}));
        assertFails(ErrorClass.TOPOLOGY, () -> new GraphTopology(new int[] {1}, new int[] {1}));
    }
}
