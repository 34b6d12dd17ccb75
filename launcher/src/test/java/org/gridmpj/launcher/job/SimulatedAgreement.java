package org.gridmpj.launcher.job;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;

/** What a job's launchers agree on: kept in memory, changed by another launcher, or out of reach, as often as it is told. */
final class SimulatedAgreement implements Coordination {
    /** How often another launcher is to raise an incarnation. */
    int others;
    /** How often one is to take the job over. */
    int otherLaunchers;
    /** How often the agreed state is to be out of reach. */
    int failures;

    private final Random random;
    /** Called before and after something is agreed. */
    private final Runnable disturbance;

    private final Map<Integer, Integer> incarnations = new HashMap<>();
    private int generation;
    private Committed committed = Committed.NONE;
    private String state = "starting";
    private boolean away;

    SimulatedAgreement(Random random, Runnable disturbance) {
        this.random = random;
        this.disturbance = disturbance;
    }

    /** As it is now, whatever somebody who is killed would do to it. */
    SimulatedAgreement copy() {
        SimulatedAgreement copy = new SimulatedAgreement(random, disturbance);
        copy.others = others;
        copy.otherLaunchers = otherLaunchers;
        copy.failures = failures;
        copy.incarnations.putAll(incarnations);
        copy.generation = generation;
        copy.committed = committed;
        copy.state = state;
        return copy;
    }

    /** Another launcher does something, or the next call fails. Returns whether the job may end by that. */
    boolean isDisturbed(int worldRank) {
        if (others > 0) {
            others--;
            incarnations.merge(worldRank, 1, Integer::sum);
            return false;
        }
        if (failures > 0) {
            failures--;
            away = true;
            return true;
        }
        if (otherLaunchers > 0) {
            otherLaunchers--;
            generation++;
            return true;
        }
        return false;
    }

    private void ask() {
        if (away) {
            away = false;
            throw new CoordinationFailure("ZooKeeper is away", null);
        }
    }

    @Override
    public int generation() {
        return generation;
    }

    @Override
    public boolean raiseGeneration(int expected) {
        ask();
        disturbance.run();
        if (generation != expected) {
            return false;
        }
        generation++;
        disturbance.run();
        return true;
    }

    @Override
    public int incarnation(int worldRank) {
        return incarnations.getOrDefault(worldRank, 0);
    }

    @Override
    public boolean raiseIncarnation(int worldRank, int expected) {
        // nobody knows whether it was raised when the answer is missing
        boolean after = random.nextBoolean();
        if (!after) {
            ask();
        }
        if (incarnation(worldRank) != expected) {
            return false;
        }
        incarnations.put(worldRank, expected + 1);
        disturbance.run();
        ask();
        return true;
    }

    @Override
    public Committed committed() {
        return committed;
    }

    @Override
    public boolean commit(Committed epoch) {
        ask();
        boolean isLater = epoch.generation() > committed.generation()
                || (epoch.generation() == committed.generation() && epoch.epoch() > committed.epoch());
        if (isLater) {
            committed = epoch;
        }
        disturbance.run();
        return isLater;
    }

    @Override
    public String state() {
        return state;
    }

    @Override
    public void state(String newState) {
        state = newState;
    }

    @Override
    public void join(int worldRank, String member) {
        // asked for by a thread of its own, for people
    }

    @Override
    public void leave(int worldRank) {
        // as above
    }

    @Override
    public SortedMap<Integer, String> members() {
        return Collections.unmodifiableSortedMap(new TreeMap<>());
    }

    @Override
    public void close() {
        // there is nothing to close
    }
}
