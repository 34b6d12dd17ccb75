package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Ranks die, move, go back and report, in any order: what the launcher promises holds at each step. */
class LauncherSimulationTest {
    private static final int SEEDS = Integer.getInteger("gridmpj.launcher.seeds", 5_000);
    private static final long FIRST_SEED = Long.getLong("gridmpj.launcher.first", 0);

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldKeepItsPromisesWhenAllGoBack() {
        keepsItsPromises(false);
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.HOURS)
    void shouldKeepItsPromisesWhenOnlyTheFailedRankGoesBack() {
        keepsItsPromises(true);
    }

    private static void keepsItsPromises(boolean local) {
        int deaths = 0;
        int lives = 0;
        int epochs = 0;
        int asked = 0;
        int moves = 0;
        int decisions = 0;
        int returns = 0;
        int hostsLost = 0;
        int drained = 0;
        int left = 0;
        int launchersLost = 0;
        int signals = 0;
        int sparesTaken = 0;
        int drillsFailed = 0;
        int copiesMended = 0;
        int otherPrograms = 0;
        int waits = 0;
        int well = 0;
        long turns = 0;
        long beganNanos = System.nanoTime();
        // each job in one thread, as many at a time as there are cores
        List<LauncherSimulation.Outcome> outcomes = LongStream.range(FIRST_SEED, FIRST_SEED + SEEDS)
                .parallel()
                .mapToObj(seed -> LauncherSimulation.run(seed, local))
                .toList();
        for (LauncherSimulation.Outcome outcome : outcomes) {
            deaths += outcome.deaths();
            lives += outcome.lives();
            epochs += outcome.epochs();
            asked += outcome.asked();
            moves += outcome.moves();
            decisions += outcome.decisions();
            returns += outcome.returns();
            hostsLost += outcome.hostsLost();
            drained += outcome.drained();
            left += outcome.left();
            launchersLost += outcome.launchersLost();
            signals += outcome.signals();
            sparesTaken += outcome.sparesTaken();
            drillsFailed += outcome.drillsFailed();
            copiesMended += outcome.copiesMended();
            otherPrograms += outcome.otherPrograms();
            waits += outcome.waits();
            well += outcome.code() == 0 ? 1 : 0;
            turns += outcome.turns();
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %d seeds, %d turns, %d jobs ended well, %d deaths, %d lives, %d epochs, %d moves of %d asked for, %d"
                        + " decisions, %d returns, %d hosts lost, %d to be drained and %d left, %d launchers lost,"
                        + " %d signals, %d prestarted JVMs taken, %d drills failed, %d copies mended,"
                        + " %d programs compiled anew, %d waits for hosts; %.1f s%n",
                local ? "local" : "restart",
                SEEDS,
                turns,
                well,
                deaths,
                lives,
                epochs,
                moves,
                asked,
                decisions,
                returns,
                hostsLost,
                drained,
                left,
                launchersLost,
                signals,
                sparesTaken,
                drillsFailed,
                copiesMended,
                otherPrograms,
                waits,
                (System.nanoTime() - beganNanos) / 1e9);
        assertThat(well).isGreaterThan(SEEDS / 2);
        assertThat(deaths).isGreaterThan(SEEDS / 2);
        assertThat(lives).isGreaterThan(SEEDS);
        assertThat(epochs).isGreaterThan(SEEDS / 2);
        assertThat(moves).isGreaterThan(SEEDS / 20);
        assertThat(decisions).isGreaterThan(SEEDS / 20);
        assertThat(returns > SEEDS / 10).isEqualTo(local);
        assertThat(hostsLost).isGreaterThan(SEEDS / 10);
        assertThat(drained).isGreaterThan(SEEDS / 10);
        assertThat(left).isGreaterThan(SEEDS / 1000);
        assertThat(launchersLost).isGreaterThan(SEEDS / 10);
        assertThat(drillsFailed).isGreaterThan(SEEDS / 40);
        assertThat(copiesMended).isGreaterThan(SEEDS / 100);
        assertThat(otherPrograms).isGreaterThan(SEEDS / 40);
        assertThat(sparesTaken).isGreaterThan(SEEDS / 40);
        assertThat(signals).isGreaterThan(SEEDS / 20);
        assertThat(waits).isGreaterThan(SEEDS / 200);
    }
}
