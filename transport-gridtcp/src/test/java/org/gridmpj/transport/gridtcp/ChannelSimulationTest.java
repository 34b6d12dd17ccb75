package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ChannelSimulationTest {
    private static final int SEEDS = Integer.getInteger("gridmpj.gridtcp.seeds", 10_000);
    private static final int SEEDS_PER_MUTANT = 3_000;

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldLoseDoubleAndReorderNothingWhenTheNetworkDoesItsWorst() {
        for (long seed = 0; seed < SEEDS; seed++) {
            String failure = failure(seed, ChannelRules.ALL);
            assertThat(failure).as("seed %d", seed).isNull();
        }
    }

    /** Each rule is needed: the simulation breaks without it. Prints the table. */
    @Test
    @Timeout(300)
    void shouldNoticeWhenAnyRuleIsLeftOut() {
        StringBuilder table = new StringBuilder("rule left out                first seed  what breaks\n");
        boolean all = true;
        for (ChannelRule rule : ChannelRule.values()) {
            ChannelRules mutant = new ChannelRules(rule);
            String failure = null;
            long seed = 0;
            while (failure == null && seed < SEEDS_PER_MUTANT) {
                failure = failure(seed++, mutant);
            }
            all &= failure != null;
            table.append(String.format(
                    Locale.ROOT,
                    "%-28s %10d  %s%n",
                    rule,
                    seed - 1,
                    failure == null ? "NOTHING: not caught" : failure));
        }
        System.out.println(table);
        assertThat(all).as("%s", table).isTrue();
    }

    /** What breaks in a seed, or null. A mutant may also trip over the channel's own checks. */
    private static @Nullable String failure(long seed, ChannelRules rules) {
        try {
            ChannelSimulation.run(seed, rules);
            return null;
        } catch (AssertionError | RuntimeException e) {
            return e instanceof AssertionError ? e.getMessage() : String.valueOf(e);
        }
    }
}
