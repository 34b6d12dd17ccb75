package org.gridmpj.pt2pt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.gridmpj.testkit.MutationGate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class CutSimulationTest {
    private static final int SEEDS = Integer.getInteger("gridmpj.cut.seeds", 2_000);
    private static final int SEEDS_OF_THREADS = SEEDS / 10;
    private static final int SEEDS_PER_MUTANT = 3_000;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldGiveTheSameResultWhenJobsAreRestoredFromAnyCut() {
        int cuts = 0;
        int sooner = 0;
        long inFlight = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                CutSimulation.Outcome outcome = CutSimulation.run(seed, CutRules.ALL);
                cuts += outcome.cuts();
                sooner += outcome.sooner();
                inFlight += outcome.framesInFlight();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d seeds, %d cuts, %d of ranks that have seen no marker, %d frames in flight%n",
                SEEDS,
                cuts,
                sooner,
                inFlight);
        assertThat(cuts).isGreaterThan(SEEDS);
        assertThat(sooner).isGreaterThan(SEEDS / 10);
        assertThat(inFlight).isGreaterThan(SEEDS);
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldGiveTheSameResultWhenRanksGoOnInOtherEnginesWhileTheOthersRunOn() {
        int moves = 0;
        int cuts = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                CutSimulation.Outcome outcome = CutSimulation.run(seed, CutRules.ALL, true);
                moves += outcome.moves();
                cuts += outcome.cuts();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
        System.out.printf(Locale.ROOT, "%d seeds, %d moves, %d cuts%n", SEEDS, moves, cuts);
        assertThat(moves).isGreaterThan(SEEDS);
        assertThat(cuts).isGreaterThan(SEEDS);
    }

    /** Of two and three threads each, which are captured together; every other seed's ranks go on in other engines, too. */
    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldGiveTheSameResultWhenRanksHaveSeveralThreads() {
        int moves = 0;
        int cuts = 0;
        for (long seed = 0; seed < SEEDS_OF_THREADS; seed++) {
            try {
                CutSimulation.Outcome outcome = CutSimulation.runThreads(seed, CutRules.ALL, seed % 4 < 2);
                moves += outcome.moves();
                cuts += outcome.cuts();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
        System.out.printf(
                Locale.ROOT, "%d seeds of several threads, %d moves, %d cuts%n", SEEDS_OF_THREADS, moves, cuts);
        assertThat(moves).isGreaterThan(SEEDS_OF_THREADS / 2);
        assertThat(cuts).isGreaterThan(SEEDS_OF_THREADS);
    }

    /** Each rule is needed: the simulation breaks without it. */
    @Test
    @Timeout(300)
    void shouldNoticeWhenAnyRuleIsLeftOut() {
        MutationGate.expectEachIsNeeded(
                CutRule.values(), CutSimulationTest::firstSeed, SEEDS_PER_MUTANT, (seed, rule, isLeftOut) -> {
                    CutRules rules = isLeftOut ? new CutRules(rule) : CutRules.ALL;
                    if (rule.isOfThreads()) {
                        CutSimulation.runThreads(seed, rules, false);
                    } else {
                        CutSimulation.run(seed, rules, rule.isOfDepartures());
                    }
                });
    }

    /** What hardly any seed meets is looked for where one does. */
    private static long firstSeed(CutRule rule) {
        return switch (rule) {
            case RELEASE_WHEN_PASSED_OVER -> 600;
            case FINALIZED_TAKE_PART -> 1_500;
            case IN_FLIGHT_FIRST -> 210;
            default -> 0;
        };
    }
}
