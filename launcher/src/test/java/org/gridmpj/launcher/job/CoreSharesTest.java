package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoreSharesTest {
    private static final Path TOOL = Path.of("/usr/bin/taskset");

    @Test
    void shouldReadTheKernelsNotation() {
        assertThat(CoreShares.parse("0-3,8,10-11")).containsExactly(0, 1, 2, 3, 8, 10, 11);
        assertThat(CoreShares.parse("5")).containsExactly(5);
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "2, 8", "3, 8", "8, 8", "5, 64"})
    void shouldGiveEachCoreToOneRankAndEachRankNearlyAsMany(int ranks, int cores) {
        CoreShares shares = new CoreShares(IntStream.range(0, cores).boxed().toList(), TOOL);
        List<Integer> given = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            List<Integer> share = shares.share(rank, ranks);
            assertThat(share).hasSizeBetween(cores / ranks, (cores + ranks - 1) / ranks);
            given.addAll(share);
        }
        assertThat(given).isEqualTo(shares.cores());
    }

    @Test
    void shouldStandBeforeTheCommand() {
        CoreShares shares = new CoreShares(List.of(0, 4, 1, 5), TOOL);
        assertThat(shares.prefix(1, 2)).containsExactly(TOOL.toString(), "-c", "1,5");
        assertThat(shares.options()).containsExactly("-Dgridmpj.cores=4");
        assertThat(CoreShares.UNBOUND.prefix(0, 2)).isEmpty();
        assertThat(CoreShares.UNBOUND.options()).isEmpty();
    }

    @Test
    void shouldBindNoRankThatIsAloneOrHasNoCoreOfItsOwn() {
        assertThat(CoreShares.of(1)).isEqualTo(CoreShares.UNBOUND);
        assertThat(CoreShares.of(Runtime.getRuntime().availableProcessors() + 1))
                .isEqualTo(CoreShares.UNBOUND);
    }
}
