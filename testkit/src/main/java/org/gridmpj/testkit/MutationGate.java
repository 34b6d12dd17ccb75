package org.gridmpj.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Leaves the rules of a protocol out, one at a time, and simulates seed after seed until something breaks: a simulation that
 * takes no notice proves nothing of that rule. The very seed that shows the lack must pass with all rules, or a rule that the code
 * does not follow would be taken for one that was caught. Prints the table.
 */
public final class MutationGate {
    /**
     * One run of a simulation.
     *
     * @param <R> the rules
     */
    @FunctionalInterface
    public interface Simulation<R> {
        /**
         * Throws an {@link AssertionError}, or trips over the product's own checks, if something breaks.
         *
         * @param rule the one in question, which may decide what kind of program or failure is simulated
         * @param isLeftOut whether the product does not follow it
         */
        void run(long seed, R rule, boolean isLeftOut);
    }

    private MutationGate() {}

    /**
     * @param firstSeed where to begin for a rule: what hardly any seed meets is looked for where one does
     * @param seedsPerRule the rule counts as not caught after so many
     */
    public static <R extends Enum<R>> void expectEachIsNeeded(
            R[] rules, ToLongFunction<R> firstSeed, int seedsPerRule, Simulation<R> simulation) {
        StringBuilder table = new StringBuilder("rule left out                first seed  what breaks\n");
        boolean all = true;
        for (R rule : rules) {
            long first = firstSeed.applyAsLong(rule);
            String failure = null;
            long seed = first;
            while (failure == null && seed < first + seedsPerRule) {
                failure = failure(simulation, seed++, rule, true);
            }
            String withAll = failure(simulation, seed - 1, rule, false);
            all &= failure != null && withAll == null;
            String breaks = failure == null ? "NOTHING: not caught" : failure;
            if (withAll != null) {
                breaks = "WITH ALL RULES, TOO: " + withAll;
            }
            table.append(String.format(Locale.ROOT, "%-28s %10d  %s%n", rule, seed - 1, breaks));
        }
        System.out.println(table);
        assertThat(all).as("%s", table).isTrue();
    }

    /** The first line of what breaks in a seed, or null. */
    private static <R> @Nullable String failure(Simulation<R> simulation, long seed, R rule, boolean isLeftOut) {
        try {
            simulation.run(seed, rule, isLeftOut);
            return null;
        } catch (AssertionError | RuntimeException e) {
            return String.valueOf(e).lines().findFirst().orElse("");
        }
    }
}
