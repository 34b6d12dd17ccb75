package org.gridmpj.pt2pt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.gridmpj.testkit.MutationGate;
import org.gridmpj.transport.log.LogRule;
import org.gridmpj.transport.log.LogRules;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Ranks die, one or some together, and those alone go back, while the others run on: the same engine, the same simulation. */
@Execution(ExecutionMode.CONCURRENT)
class LoneReturnSimulationTest {
    private static final int SEEDS = Integer.getInteger("gridmpj.cut.seeds", 300);
    private static final long FIRST_SEED = Long.getLong("gridmpj.cut.first", 0);
    private static final int SEEDS_PER_MUTANT = 2_000;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldGiveTheSameResultWhenOnlyTheFailedRankGoesBack() {
        expectSameAsBefore(CutSimulation::runDying);
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldFollowWhatOperationsOfAnySourceGotBefore() {
        expectSameAsBefore(CutSimulation::runDyingWithAnySource);
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldAnswerPollsAsBefore() {
        expectSameAsBefore(CutSimulation::runDyingWithPolls);
    }

    /** In each seed nobody gets anything else than before; most of the dead catch up. */
    private static void expectSameAsBefore(BiFunction<Long, LogRules, CutSimulation.Outcome> simulation) {
        int deaths = 0;
        int together = 0;
        int hostsLost = 0;
        int caughtUp = 0;
        int cutShort = 0;
        int logsLost = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            try {
                CutSimulation.Outcome outcome = simulation.apply(seed, LogRules.ALL);
                deaths += outcome.deaths();
                together += outcome.together();
                hostsLost += outcome.hostsLost();
                caughtUp += outcome.caughtUp();
                cutShort += outcome.returnsCutShort();
                logsLost += outcome.logsLost();
                assertThat(outcome.divergences()).isZero();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%d seeds, %d deaths, %d of them while another rank went back, %d hosts of 3 and more lost, %d caught up,"
                        + " %d times all went back instead, %d times a rank logged nothing for a while%n",
                SEEDS,
                deaths,
                together,
                hostsLost,
                caughtUp,
                cutShort,
                logsLost);
        assertThat(logsLost).isPositive();
        assertThat(together).isPositive();
        assertThat(hostsLost).isPositive();
        assertThat(cutShort).isPositive();
        assertThat(caughtUp).isGreaterThan(SEEDS / 2);
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldNoticeThatARankDoesSomethingElseThanBefore() {
        expectDivergences(CutSimulation::runDyingWithCoins);
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldNoticeThatALogIsDamagedBeforeAnybodyHasAMessageOfIt() {
        expectDivergences(CutSimulation::runDyingOnBadDisks);
    }

    /** The result is the same, since all go back where it might not be. */
    private static void expectDivergences(BiFunction<Long, LogRules, CutSimulation.Outcome> simulation) {
        int deaths = 0;
        int divergences = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
            try {
                CutSimulation.Outcome outcome = simulation.apply(seed, LogRules.ALL);
                deaths += outcome.deaths();
                divergences += outcome.divergences();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
        System.out.printf(Locale.ROOT, "%d seeds, %d deaths, %d divergences%n", SEEDS, deaths, divergences);
        assertThat(divergences).isPositive();
    }

    /** Each rule is needed: the simulation breaks without it. */
    @Test
    @Timeout(300)
    void shouldNoticeWhenAnyRuleIsLeftOut() {
        MutationGate.expectEachIsNeeded(
                LogRule.values(), LoneReturnSimulationTest::firstSeed, SEEDS_PER_MUTANT, LoneReturnSimulationTest::run);
    }

    /** What hardly any seed meets is looked for where one does. */
    private static long firstSeed(LogRule rule) {
        return switch (rule) {
            case HOLD_BACK_WHAT_DEPENDS, REFILL_BEFORE_CANCEL -> 80;
            case FOLLOW_BEFORE_CAUGHT_UP -> 150;
            case COMPARE_BEFORE_CAUGHT_UP -> 235;
            case EARLY_DATA_IS_NOT_OWED -> 245;
            case HELD_WHEN_HOLDER_SAYS_SO, BACK_BEFORE_THAT_WAS_ALL -> 405;
            case HELD_BY_EVERY_HOLDER -> 1_140;
            case HOLDER_AWAITS_THE_OTHERS -> 1_900;
            default -> 0;
        };
    }

    private static boolean isOfDeterminants(LogRule rule) {
        return rule.compareTo(LogRule.HOLD_BACK_WHAT_DEPENDS) >= 0;
    }

    private static boolean isOfPolls(LogRule rule) {
        return rule.compareTo(LogRule.COUNT_NOES) >= 0;
    }

    /** The kind of simulation that a rule is of. */
    private static void run(long seed, LogRule of, boolean isLeftOut) {
        LogRules rules = isLeftOut ? new LogRules(of) : LogRules.ALL;
        if (of == LogRule.CHECK_WHAT_COMES_BACK) {
            CutSimulation.runDyingOnBadDisks(seed, rules);
        } else if (of == LogRule.COMPARE_HASHES || of == LogRule.COMPARE_BEFORE_CAUGHT_UP) {
            CutSimulation.runDyingWithCoins(seed, rules);
        } else {
            CutSimulation.Outcome outcome = isOfPolls(of)
                    ? CutSimulation.runDyingWithPolls(seed, rules)
                    : isOfDeterminants(of)
                            ? CutSimulation.runDyingWithAnySource(seed, rules)
                            : CutSimulation.runDying(seed, rules);
            assertThat(outcome.divergences())
                    .as("divergences where there are none")
                    .isZero();
        }
    }
}
