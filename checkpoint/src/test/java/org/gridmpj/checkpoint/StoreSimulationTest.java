package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.gridmpj.testkit.MutationGate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class StoreSimulationTest {
    private static final int SEEDS = Integer.getInteger("gridmpj.store.seeds", 1_500);
    private static final int SEEDS_PER_MUTANT = 1_000;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldGoBackToTheNewestEpochThatIsRealWhateverDies() {
        int committed = 0;
        int restored = 0;
        int powerCuts = 0;
        int zombies = 0;
        int givenUp = 0;
        int quarantined = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                StoreSimulation.Outcome outcome = StoreSimulation.run(seed, null);
                committed += outcome.committed();
                restored += outcome.restored();
                powerCuts += outcome.powerCuts();
                zombies += outcome.zombies();
                givenUp += outcome.givenUp();
                quarantined += outcome.quarantined();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d seeds: %d epochs committed, %d given up, %d put aside, %d ranks restored, %d power cuts, %d zombies%n",
                SEEDS,
                committed,
                givenUp,
                quarantined,
                restored,
                powerCuts,
                zombies);
        assertThat(committed).isGreaterThan(2 * SEEDS);
        assertThat(restored).isGreaterThan(SEEDS);
        assertThat(givenUp).isPositive();
        assertThat(quarantined).isPositive();
        assertThat(powerCuts).isPositive();
        assertThat(zombies).isPositive();
    }

    /** Each rule is needed: the simulation breaks without it. */
    @Test
    @Timeout(300)
    void shouldNoticeWhenAnyRuleIsLeftOut() {
        MutationGate.expectEachIsNeeded(
                StoreRule.values(),
                // what hardly any seed meets is looked for where one does
                rule -> rule == StoreRule.VERIFY_BEFORE_USE ? 690 : 0,
                SEEDS_PER_MUTANT,
                (seed, rule, isLeftOut) -> StoreSimulation.run(seed, isLeftOut ? rule : null));
    }
}
