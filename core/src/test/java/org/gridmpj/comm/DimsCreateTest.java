package org.gridmpj.comm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.junit.jupiter.api.Test;

class DimsCreateTest {
    private static int[] filled(int nodes, int... dims) {
        DimsCreate.fill(nodes, dims);
        return dims;
    }

    @Test
    void shouldDoTheStandardsExamples() {
        assertThat(filled(6, 0, 0)).containsExactly(3, 2);
        assertThat(filled(7, 0, 0)).containsExactly(7, 1);
        assertThat(filled(6, 0, 3, 0)).containsExactly(2, 3, 1);
    }

    @Test
    void shouldBeBalancedWhenGreedyDivisionWouldNotBe() {
        assertThat(filled(72, 0, 0, 0)).containsExactly(6, 4, 3);
        assertThat(filled(36, 0, 0)).containsExactly(6, 6);
        assertThat(filled(1_000, 0, 0, 0)).containsExactly(10, 10, 10);
        assertThat(filled(1, 0, 0)).containsExactly(1, 1);
        assertThat(filled(Integer.MAX_VALUE, 0, 0)).containsExactly(Integer.MAX_VALUE, 1);
    }

    @Test
    void shouldKeepTheProductAndOrderAndFixedDimensionsForAllSizes() {
        for (int nodes = 1; nodes <= 200; nodes++) {
            int[] dims = filled(nodes, 0, 0, 0);
            assertThat(dims[0] * dims[1] * dims[2]).isEqualTo(nodes);
            assertThat(dims[0]).isGreaterThanOrEqualTo(dims[1]);
            assertThat(dims[1]).isGreaterThanOrEqualTo(dims[2]);
            assertThat(filled(2 * nodes, 0, 2, 0)[1]).isEqualTo(2);
        }
    }

    @Test
    void shouldRefuseWhatCannotBeArranged() {
        assertFails(ErrorClass.DIMS, 7, 2, 0);
        assertFails(ErrorClass.DIMS, 6, 2, 2);
        assertFails(ErrorClass.DIMS, 6, -1, 0);
        assertFails(ErrorClass.ARG, 0, 0, 0);
    }

    private static void assertFails(ErrorClass errorClass, int nodes, int... dims) {
        int[] before = dims.clone();
        assertThatExceptionOfType(MpiFailure.class)
                .isThrownBy(() -> DimsCreate.fill(nodes, dims))
                .satisfies(failure -> assertThat(failure.errorClass()).isEqualTo(errorClass));
        assertThat(dims).isEqualTo(before);
    }
}
