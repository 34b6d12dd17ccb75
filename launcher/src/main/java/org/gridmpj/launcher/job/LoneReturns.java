package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.gridmpj.transport.log.HolderAssignment;
import org.jspecify.annotations.Nullable;

/**
 * Which ranks may go back alone, and those that do ({@code --ft local}). Whatever it does not know to be right is left to
 * a rollback of all. Confined to the job's thread.
 *
 * <pre>
 *   first death ──▶ recovery: no epoch begins ── last one has caught up ──▶ CaughtUp to all, epochs begin again
 *                   others may die meanwhile, and go back to the same epoch
 * </pre>
 */
final class LoneReturns {
    private static final int ANY_RANK = -1;
    private static final int NO_EPOCH = -1;
    /** Beats in a row without an MPI call: what the logs have is long delivered. */
    private static final int IDLE_BEATS_OF_A_DIVERGENCE = 10;

    private final Ranks ranks;
    private final RankPlaces places;
    private final Coordination coordination;
    private final Members members;
    private final JobStreams streams;
    private final Consumer<JobEvent> events;
    private final Recovery recovery;
    private final Snapshots snapshots;
    /** By rank, or {@link #ANY_RANK}: what stands against a return to a snapshot of that epoch or an earlier one. */
    private final Map<Integer, ControlMessage.NotAlone> obstacles = new HashMap<>();

    /** By rank: those that have not caught up yet. */
    private final Map<Integer, LoneReturn> underWay = new TreeMap<>();

    /** No rank has heard of this epoch, as far as those know that have caught up. */
    private int nextEpoch;

    private int count;

    LoneReturns(
            Ranks ranks,
            RankPlaces places,
            Coordination coordination,
            Members members,
            JobStreams streams,
            Consumer<JobEvent> events,
            Recovery recovery,
            Snapshots snapshots) {
        this.ranks = ranks;
        this.places = places;
        this.coordination = coordination;
        this.members = members;
        this.streams = streams;
        this.events = events;
        this.recovery = recovery;
        this.snapshots = snapshots;
    }

    /**
     * A rank, or all, cannot go back alone before a later snapshot.
     *
     * @return why all have to go back now, because those may need it that go back alone; or null
     */
    @Nullable
    String notAlone(int worldRank, ControlMessage.NotAlone not) {
        obstacles.merge(not.any() ? ANY_RANK : worldRank, not, (a, b) -> a.cutEpoch() > b.cutEpoch() ? a : b);
        return underWay.isEmpty() || !not.any()
                ? null
                : not.reason() + ", while " + Hosts.words(List.copyOf(underWay.keySet()))
                        + (underWay.size() == 1 ? " goes" : " go") + " back alone";
    }

    /**
     * Ends a rank that is to go back alone, in its successor. What follows is the same as when it had died by itself.
     *
     * @return why it may not go back alone now, and goes on; or null
     */
    @Nullable
    String leave(RankSlot slot) {
        String busy = busy();
        String why = busy == null ? whyNot(List.of(slot), snapshots.latest()) : busy;
        if (why == null) {
            slot.leaving = true;
            slot.process.destroyForcibly();
        }
        return why;
    }

    /** Why no rank is made to go back now, or null. */
    @Nullable
    String busy() {
        return underWay.isEmpty()
                ? null
                : Hosts.words(List.copyOf(underWay.keySet())) + " went back alone and "
                        + (underWay.size() == 1 ? "has" : "have") + " not caught up: try again";
    }

    /**
     * A rank has died, by itself or because it was to {@link #leave}: it goes back alone.
     *
     * @param cause as the beginning of a sentence
     * @return why it cannot, or null
     */
    @Nullable
    String begin(String cause, RankSlot dead) {
        return dead.isHeardToTheEnd() ? begin(cause, List.of(dead)) : "what it said last could not be read";
    }

    /**
     * Ranks have died together: they go back, and no others. What they said last may not have been heard: what stands against
     * their return was heard before anything could depend on it.
     *
     * @param cause as the beginning of a sentence
     * @return why they cannot, or null
     */
    @Nullable
    String begin(String cause, List<RankSlot> dead) {
        EpochManifest from = snapshots.latest();
        String why = whyNot(dead, from);
        if (why == null && !mayReturnAgain(dead)) {
            why = (dead.size() == 1 ? "it dies" : "they die") + " again and again";
        }
        if (why != null || from == null) {
            return why;
        }
        snapshots.refuseBelow(recovery.generation(), Integer.MAX_VALUE, ranks.all());
        try {
            for (RankSlot each : dead) {
                String which = cause + ": " + (dead.size() == 1 ? "it" : "rank " + each.worldRank);
                underWay.put(
                        each.worldRank,
                        LoneReturn.begin(ranks, places, coordination, members, streams, events, which, each, from));
                count++;
            }
            return null;
        } catch (IOException | CoordinationFailure e) {
            return String.valueOf(e.getMessage());
        }
    }

    private @Nullable String whyNot(List<RankSlot> dead, @Nullable EpochManifest from) {
        if (from == null) {
            return "there is no snapshot yet";
        }
        if (snapshots.isLatestAside()) {
            return "a restore drill has put its snapshot into quarantine";
        }
        Set<Integer> gone = new TreeSet<>(underWay.keySet());
        dead.forEach(each -> gone.add(each.worldRank));
        boolean othersAreThere = Arrays.stream(ranks.all())
                .allMatch(slot -> gone.contains(slot.worldRank)
                        || (slot.running() && !slot.finalized && slot.bound == null && slot.joined));
        if (!othersAreThere || dead.stream().anyMatch(each -> each.finalized)) {
            return "not all others are between MPI.Init and MPI.Finalize";
        }
        boolean allAreBack =
                Arrays.stream(ranks.all()).allMatch(slot -> slot.restored || underWay.containsKey(slot.worldRank));
        if (recovery.resumedEpoch() >= 0 && !allAreBack) {
            return "not all ranks have their state back since they last went back together";
        }
        for (RankSlot each : dead) {
            String obstacle = obstacle(each.worldRank, from.id().epoch());
            if (obstacle != null) {
                return (dead.size() == 1 ? "" : "rank " + each.worldRank + ": ") + "since its snapshot " + obstacle;
            }
        }
        return forgotten(gone, holders());
    }

    /** Not for ever, where nothing has gone on between one death and the next. */
    private boolean mayReturnAgain(List<RankSlot> dead) {
        // those that die together have made no progress between one and the other
        boolean others = !underWay.isEmpty() && dead.stream().noneMatch(each -> underWay.containsKey(each.worldRank));
        boolean planned = dead.stream().allMatch(each -> each.leaving);
        return others || planned || recovery.mayReturnAlone();
    }

    /**
     * A rank that goes back has to be told what it got, by one that does not.
     *
     * @param gone ranks that have died and not caught up yet, all of them, those that have died just now among them
     * @return why that is impossible, or null
     */
    static @Nullable String forgotten(Set<Integer> gone, HolderAssignment holders) {
        for (int rank : gone) {
            if (!holders.surviveOf(rank, gone::contains)) {
                return "rank " + rank + " and all who held what it got, " + Hosts.words(holders.of(rank))
                        + ", have died before it had caught up";
            }
        }
        return null;
    }

    private HolderAssignment holders() {
        return new HolderAssignment(ranks.job().hosts());
    }

    private @Nullable String obstacle(int worldRank, int epoch) {
        for (int who : new int[] {worldRank, ANY_RANK}) {
            ControlMessage.NotAlone not = obstacles.get(who);
            if (not != null && not.cutEpoch() >= epoch) {
                return not.reason();
            }
        }
        return null;
    }

    /**
     * As status.json has it: how often a rank went back alone, which do just now, with which ranks all would go back now, and why,
     * and which ranks hold whose determinants.
     */
    Map<String, @Nullable Object> status() {
        EpochManifest from = snapshots.latest();
        List<Object> withAll = new ArrayList<>();
        for (int rank = 0; rank < ranks.size(); rank++) {
            String why = obstacle(rank, from == null ? NO_EPOCH : from.id().epoch());
            if (why != null) {
                withAll.add(Map.of("rank", rank, "why", why));
            }
        }
        Map<String, @Nullable Object> status = new LinkedHashMap<>();
        status.put("mode", "local");
        status.put("returnedAlone", count);
        status.put("returning", List.copyOf(underWay.keySet()));
        status.put("withAll", withAll);
        List<Object> determinants = new ArrayList<>();
        HolderAssignment holders = holders();
        for (RankSlot slot : ranks.all()) {
            long held = slot.heartbeat.heldDeterminants();
            if (held > 0) {
                determinants.add(Map.of("rank", slot.worldRank, "held", held, "by", holders.of(slot.worldRank)));
            }
        }
        status.put("determinants", determinants);
        return status;
    }

    /** Whether a rank is going back and has not caught up yet. */
    boolean isUnderWay() {
        return !underWay.isEmpty();
    }

    /** The return of a rank that has not caught up yet, or null. */
    @Nullable
    LoneReturn of(int worldRank) {
        return underWay.get(worldRank);
    }

    Snapshots snapshots() {
        return snapshots;
    }

    /** Whether this process is to be a rank and is not yet. */
    boolean isNext(int worldRank, int incarnation) {
        LoneReturn returning = underWay.get(worldRank);
        return returning != null && returning.isNext(worldRank, incarnation);
    }

    void connected(ControlMessage.Hello hello, ControlLine link) {
        LoneReturn returning = underWay.get(hello.worldRank());
        if (returning != null) {
            returning.connected(hello, link);
        }
    }

    /** What the process that is to be the rank has said; why it cannot be, or null. */
    @Nullable
    String nextSaid(int worldRank, ControlMessage message) {
        LoneReturn returning = underWay.get(worldRank);
        if (returning == null) {
            return null;
        }
        if (message instanceof ControlMessage.NotAlone not) {
            String stopped = notAlone(worldRank, not);
            if (stopped != null) {
                return stopped;
            }
        }
        String why = returning.nextSaid(message);
        return why == null ? null : "rank " + worldRank + " cannot go back alone: " + why;
    }

    /**
     * What the process that is to be a rank goes back to is at its host, or cannot be had there.
     *
     * @param error empty if it is there
     * @return why it cannot be the rank, or null
     */
    @Nullable
    String brought(int worldRank, String error) {
        LoneReturn returning = underWay.get(worldRank);
        if (returning == null) {
            return null;
        }
        if (!error.isEmpty()) {
            return "rank " + worldRank + " cannot go back alone: its image cannot be brought there: " + error;
        }
        returning.brought();
        return null;
    }

    static String nextExited(int worldRank, int status) {
        return "the new process of rank " + worldRank + " has ended with status " + status;
    }

    /** A rank has its state back. */
    void restored(int worldRank) {
        LoneReturn returning = underWay.get(worldRank);
        if (returning != null) {
            returning.restored(snapshots);
        }
    }

    /** A rank has sent again all that the others had of it: it is one of them again. With the last one epochs begin again. */
    void caughtUp(ControlMessage.CaughtUp message) {
        if (underWay.remove(message.worldRank()) == null) {
            return;
        }
        nextEpoch = Math.max(nextEpoch, message.nextEpoch());
        if (underWay.isEmpty()) {
            // one that only those have heard of who have died is known by its images
            int next = Math.max(nextEpoch, snapshots.unheardOf());
            snapshots.refuseBelow(recovery.generation(), next, ranks.all());
            ranks.tell(new ControlMessage.CaughtUp(message.worldRank(), next));
        }
    }

    /** Why the return takes too long, or null. */
    @Nullable
    String overdue(long nowNanos) {
        // one may wait for another one that computes again
        boolean allIdle = !underWay.isEmpty();
        for (LoneReturn returning : underWay.values()) {
            String why = returning.overdue(nowNanos);
            if (why != null) {
                return why;
            }
            allIdle &= returning.idleBeats() >= IDLE_BEATS_OF_A_DIVERGENCE;
        }
        return allIdle
                ? Hosts.words(List.copyOf(underWay.keySet())) + (underWay.size() == 1 ? " waits" : " wait")
                        + " for what was not waited for before"
                : null;
    }

    /** All ranks go back, or end: what was said of their lives says nothing of the next ones. */
    void allGoBack() {
        obstacles.clear();
        underWay.values().forEach(LoneReturn::drop);
        underWay.clear();
        nextEpoch = 0;
    }
}
