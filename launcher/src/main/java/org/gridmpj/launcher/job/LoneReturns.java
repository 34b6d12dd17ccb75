package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.gridmpj.transport.log.LoggedTransport;
import org.jspecify.annotations.Nullable;

/**
 * Which ranks may go back alone, and the one that does ({@code --ft local}). Whatever it does not know to be right is left to
 * a rollback of all. Confined to the job's thread.
 */
final class LoneReturns {
    private static final int ANY_RANK = -1;
    private static final int NO_EPOCH = -1;

    private final String jobName;
    private final Ranks ranks;
    private final RankPlaces places;
    private final Coordination coordination;
    private final JobStreams streams;
    private final Consumer<JobEvent> events;
    private final Recovery recovery;
    private final Snapshots snapshots;
    /** By rank, or {@link #ANY_RANK}: what stands against a return to a snapshot of that epoch or an earlier one. */
    private final Map<Integer, ControlMessage.NotAlone> obstacles = new HashMap<>();

    private @Nullable LoneReturn underWay;
    private int count;

    LoneReturns(
            String jobName,
            Ranks ranks,
            RankPlaces places,
            Coordination coordination,
            JobStreams streams,
            Consumer<JobEvent> events,
            Recovery recovery,
            Snapshots snapshots) {
        this.jobName = jobName;
        this.ranks = ranks;
        this.places = places;
        this.coordination = coordination;
        this.streams = streams;
        this.events = events;
        this.recovery = recovery;
        this.snapshots = snapshots;
    }

    /** A rank, or all, cannot go back alone before a later snapshot. */
    void notAlone(int worldRank, ControlMessage.NotAlone not) {
        obstacles.merge(not.any() ? ANY_RANK : worldRank, not, (a, b) -> a.cutEpoch() > b.cutEpoch() ? a : b);
    }

    /**
     * A rank has died: it goes back alone.
     *
     * @param cause as the beginning of a sentence
     * @return why it cannot, or null
     */
    @Nullable
    String begin(String cause, RankSlot dead) {
        EpochManifest from = snapshots.latest();
        String why = whyNot(dead, from);
        if (why != null || from == null) {
            return why;
        }
        snapshots.refuseBelow(recovery.generation(), Integer.MAX_VALUE, ranks.all());
        try {
            underWay = LoneReturn.begin(jobName, ranks, places, coordination, streams, events, cause, dead, from);
            count++;
            return null;
        } catch (IOException | CoordinationFailure e) {
            return String.valueOf(e.getMessage());
        }
    }

    private @Nullable String whyNot(RankSlot dead, @Nullable EpochManifest from) {
        if (from == null) {
            return "there is no snapshot yet";
        }
        if (underWay != null) {
            return "rank " + underWay.worldRank() + " has not caught up yet";
        }
        boolean othersAreThere = Arrays.stream(ranks.all())
                .allMatch(slot -> slot.worldRank == dead.worldRank
                        || (slot.running() && !slot.finalized && slot.bound == null && slot.joined));
        if (!othersAreThere || dead.finalized) {
            return "not all others are between MPI.Init and MPI.Finalize";
        }
        if (recovery.resumedEpoch() >= 0 && !ranks.allRestored()) {
            return "not all ranks have their state back since they last went back together";
        }
        String obstacle = obstacle(dead.worldRank, from.id().epoch());
        if (obstacle != null) {
            return "since its snapshot " + obstacle;
        }
        if (!dead.isHeardToTheEnd()) {
            return "what it said last could not be read";
        }
        if (!recovery.mayReturnAlone()) {
            return "it dies again and again";
        }
        return null;
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
     * As status.json has it: how often a rank went back alone, with which ranks all would go back now, and why, and which ranks
     * hold whose determinants.
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
        status.put("withAll", withAll);
        List<Object> determinants = new ArrayList<>();
        for (RankSlot slot : ranks.all()) {
            long held = slot.heartbeat.heldDeterminants();
            if (held > 0) {
                int holder = LoggedTransport.holderOf(slot.worldRank, ranks.size());
                determinants.add(Map.of("rank", slot.worldRank, "held", held, "by", holder));
            }
        }
        status.put("determinants", determinants);
        return status;
    }

    /** Whether a rank is going back and has not caught up yet. */
    boolean isUnderWay() {
        return underWay != null;
    }

    /** Whether this process is to be a rank and is not yet. */
    boolean isNext(int worldRank, int incarnation) {
        return underWay != null && underWay.isNext(worldRank, incarnation);
    }

    void connected(ControlMessage.Hello hello, ControlLine link) {
        if (underWay != null) {
            underWay.connected(hello, link);
        }
    }

    /** What the process that is to be the rank has said; why it cannot be, or null. */
    @Nullable
    String nextSaid(ControlMessage message) {
        LoneReturn returning = underWay;
        if (returning == null) {
            return null;
        }
        if (message instanceof ControlMessage.NotAlone not) {
            notAlone(returning.worldRank(), not);
        }
        String why = returning.nextSaid(message);
        return why == null ? null : "rank " + returning.worldRank() + " cannot go back alone: " + why;
    }

    String nextExited(int status) {
        return "the new process of rank " + (underWay == null ? ANY_RANK : underWay.worldRank())
                + " has ended with status " + status;
    }

    /** A rank has its state back. */
    void restored(int worldRank) {
        if (underWay != null && underWay.worldRank() == worldRank) {
            underWay.restored();
        }
    }

    /** The rank has sent again all that the others had of it: it is one of them again. */
    void caughtUp(ControlMessage.CaughtUp message) {
        LoneReturn returning = underWay;
        if (returning != null && returning.worldRank() == message.worldRank()) {
            underWay = null;
            snapshots.refuseBelow(recovery.generation(), message.nextEpoch(), ranks.all());
            ranks.tell(message);
        }
    }

    /** Why the return takes too long, or null. */
    @Nullable
    String overdue(long nowNanos) {
        return underWay == null ? null : underWay.overdue(nowNanos);
    }

    /** All ranks go back, or end: what was said of their lives says nothing of the next ones. */
    void allGoBack() {
        obstacles.clear();
        if (underWay != null) {
            underWay.drop();
            underWay = null;
        }
    }
}
