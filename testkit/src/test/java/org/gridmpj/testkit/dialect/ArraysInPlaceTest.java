package org.gridmpj.testkit.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import org.gridmpj.pt2pt.PointToPointConfig;
import org.gridmpj.testkit.FacadeCluster;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArraysInPlaceTest {
    @ParameterizedTest
    @CsvSource({"1, false", "1, true", "2, false", "2, true", "3, true"})
    void shouldFillRowsOfReceiveBuffersOnlyWhereThatIsWanted(int size, boolean inPlace) {
        assertThat(FacadeCluster.of(size)
                        .with(PointToPointConfig.forSharedCores().withArraysInPlace(inPlace))
                        .run(Matrices.class, String.valueOf(inPlace)))
                .isZero();
    }
}
