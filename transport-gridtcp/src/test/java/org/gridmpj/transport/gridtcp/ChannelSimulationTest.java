package org.gridmpj.transport.gridtcp;

import java.util.concurrent.TimeUnit;
import org.gridmpj.testkit.MutationGate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ChannelSimulationTest {
    private static final int SEEDS = Integer.getInteger("gridmpj.gridtcp.seeds", 10_000);
    private static final int SEEDS_PER_MUTANT = 3_000;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldLoseDoubleAndReorderNothingWhenTheNetworkDoesItsWorst() {
        for (long seed = 0; seed < SEEDS; seed++) {
            try {
                ChannelSimulation.run(seed, ChannelRules.ALL);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + ": " + e, e);
            }
        }
    }

    /** Each rule is needed: the simulation breaks without it. */
    @Test
    @Timeout(300)
    void shouldNoticeWhenAnyRuleIsLeftOut() {
        MutationGate.expectEachIsNeeded(
                ChannelRule.values(),
                _ -> 0,
                SEEDS_PER_MUTANT,
                (seed, rule, isLeftOut) ->
                        ChannelSimulation.run(seed, isLeftOut ? new ChannelRules(rule) : ChannelRules.ALL));
    }
}
