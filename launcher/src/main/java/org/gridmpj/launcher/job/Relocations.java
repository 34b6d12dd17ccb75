package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * Ranks of a cooperative program that are to go on at another host: a snapshot is taken now, and when it is committed all ranks go on from it, those
 * that move at their new hosts. Confined to the job's thread.
 *
 * <pre>
 *   mpjctl migrate JOB RANK [HOST] ─┐
 *                                    ├─▶ asked ─▶ CheckpointNow ─▶ committed ─▶ all start again there ─▶ Moved
 *   mpjctl drain HOST ──────────────┘       └─ no snapshot in time: nothing has changed, and the asker is told why
 * </pre>
 */
final class Relocations {
    private static final long SNAPSHOT_NANOS = 60_000_000_000L;

    private final String jobName;
    private final Hosts hosts;
    private final JobStreams streams;
    private final List<Asked> asked = new ArrayList<>();

    /** A rank, or all ranks of a host, are to leave. */
    private record Asked(
            String text, int worldRank, @Nullable ControlLine asker, int afterEpoch, long untilNanos) {}

    Relocations(String jobName, Hosts hosts, JobStreams streams) {
        this.jobName = jobName;
        this.hosts = hosts;
        this.streams = streams;
    }

    /**
     * mpjctl wants a rank elsewhere.
     *
     * @param committedEpoch the last one: the ranks move with a later one
     * @return whether a snapshot is wanted now
     */
    boolean move(ControlMessage.Move move, ControlLine asker, int committedEpoch) {
        try {
            hosts.pin(move.worldRank(), move.host());
        } catch (IOException e) {
            Moves.answer(asker, "", String.valueOf(e.getMessage()));
            return false;
        }
        asked.add(new Asked(
                "rank " + move.worldRank() + " moves",
                move.worldRank(),
                asker,
                committedEpoch,
                System.nanoTime() + SNAPSHOT_NANOS));
        return true;
    }

    /** A host is to be left; returns whether a snapshot is wanted now. */
    boolean drain(String host, int committedEpoch) {
        List<Integer> ranks = hosts.ranksOf(host);
        if (ranks.isEmpty()) {
            return false;
        }
        int free = hosts.freeSlots().beside(host);
        if (free < ranks.size()) {
            String why = Hosts.words(ranks) + (ranks.size() == 1 ? " stays" : " stay") + ": the other hosts have "
                    + (free == 0 ? "no free slot" : "free slots for " + free + " only");
            streams.say("host " + host + " is to be drained, but " + why);
            hosts.object(host, "job " + jobName + ": " + why);
            return false;
        }
        asked.add(new Asked(
                "host " + host + " is drained: " + Hosts.words(ranks) + (ranks.size() == 1 ? " moves" : " move"),
                -1,
                null,
                committedEpoch,
                System.nanoTime() + SNAPSHOT_NANOS));
        return true;
    }

    /** What is due now that an epoch is committed, as the beginning of a sentence; null if nothing is. */
    @Nullable
    String due(int committedEpoch) {
        List<String> texts = asked.stream()
                .filter(each -> committedEpoch > each.afterEpoch)
                .map(Asked::text)
                .toList();
        return texts.isEmpty() ? null : String.join("; ", texts);
    }

    /** All ranks have started at their places. */
    void done() {
        for (Asked each : asked) {
            if (each.asker != null) {
                String host = hosts.host(each.worldRank);
                Moves.answer(
                        each.asker,
                        host,
                        "rank " + each.worldRank + " goes on at host " + host
                                + "; all ranks started again from a snapshot, since those of a cooperative program move"
                                + " together");
            }
        }
        asked.clear();
    }

    /** Gives up what has waited for a snapshot for too long. */
    void expire(long nowNanos) {
        asked.removeIf(each -> {
            if (nowNanos < each.untilNanos) {
                return false;
            }
            String why = "no snapshot was committed within " + SNAPSHOT_NANOS / 1_000_000_000L
                    + " s: all ranks stay where they are";
            streams.say(each.text + ": " + why);
            if (each.asker != null) {
                hosts.unpin(each.worldRank);
                Moves.answer(each.asker, "", why);
            }
            return true;
        });
    }
}
