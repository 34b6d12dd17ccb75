package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * The moves of ranks that go alone, one after the other: those that the user asks for, and all of a host that is drained.
 * Confined to the job's thread.
 *
 * <pre>
 *   mpjctl migrate JOB RANK HOST ─▶ a Move, unless another one is under way
 *   mpjctl drain HOST ────────────▶ a Move for each rank there, as long as there is one
 *                                      └─ no room, or it fails: an objection for mpjctl; tried again from time to time
 * </pre>
 */
final class Moves {
    private static final long AGAIN_NANOS = 5_000_000_000L;
    /** A rank that could not be moved so often in a row stays. */
    private static final int ATTEMPTS = 3;

    private final Migration.Job job;
    /** None if all ranks are on the launcher's host: there is nothing to drain. */
    private final @Nullable Hosts hosts;
    /** None if what a rank has sent is not logged: then it takes its state along. */
    private final @Nullable LoneReturns returns;

    private final Map<String, Evacuation> leaving = new LinkedHashMap<>();
    private @Nullable Move current;
    private @Nullable Evacuation cause;
    private int attempts;

    /** A host that is to be left. */
    private static final class Evacuation {
        final String host;
        String objection = "";
        int moved;
        int failures;
        long notBeforeNanos;

        Evacuation(String host, long notBeforeNanos) {
            this.host = host;
            this.notBeforeNanos = notBeforeNanos;
        }
    }

    Moves(Migration.Job job, @Nullable Hosts hosts, @Nullable LoneReturns returns) {
        this.job = job;
        this.hosts = hosts;
        this.returns = returns;
    }

    /** mpjctl wants a rank elsewhere. */
    void ask(JobEvent.MoveAsked asked) {
        if (isUnderWay()) {
            refuse(
                    asked.asker(),
                    hasProcessLeft()
                            ? "the process of the last move, which came to nothing, has not ended yet: try again"
                            : "another rank is on its way: try again");
            return;
        }
        try {
            begin(asked.asker(), asked.move().worldRank(), asked.move().host());
        } catch (IOException e) {
            refuse(asked.asker(), String.valueOf(e.getMessage()));
        }
    }

    static void refuse(ControlLine asker, String reason) {
        answer(asker, "", reason);
    }

    /**
     * Tells mpjctl what has become of a move.
     *
     * @param asker nobody if a host is drained
     * @param host where the rank is now, or empty if it was not moved
     */
    static void answer(@Nullable ControlLine asker, String host, String text) {
        if (asker == null) {
            return;
        }
        try (asker) {
            asker.send(new ControlMessage.Moved(host, text));
        } catch (IOException e) {
            // mpjctl has not waited
        }
    }

    boolean isUnderWay() {
        return (current != null && !current.isOver()) || hasProcessLeft();
    }

    private boolean hasProcessLeft() {
        return current != null && current.hasProcessLeft();
    }

    /** Whether a move of this process came to nothing, and what was to take over is still to end: another one would have its number. */
    boolean hasProcessLeft(RankSlot slot) {
        return hasProcessLeft() && current != null && current.isNumbered(slot.worldRank, slot.incarnation + 1);
    }

    private void begin(@Nullable ControlLine asker, int worldRank, String host) throws IOException {
        cause = null;
        current = returns == null
                ? Migration.begin(job, asker, worldRank, host, attempts++)
                : PlannedReturn.begin(job, returns, asker, worldRank, host);
    }

    /** A host is to be left. */
    void drain(String host) {
        if (hosts != null && !hosts.ranksOf(host).isEmpty()) {
            leaving.putIfAbsent(host, new Evacuation(host, job.ranks().machine().nanoTime()));
        }
    }

    /** Takes a connection if it is that of a process that is to take a rank over. */
    boolean connected(JobEvent.Connected connected) {
        ControlMessage.Hello hello = connected.hello();
        Move now = current;
        if (now == null || !now.isNext(hello.worldRank(), hello.incarnation())) {
            return false;
        }
        now.connected(hello, connected.link());
        return true;
    }

    /** Takes what a process says that is to take a rank over. */
    boolean said(JobEvent.Said said) {
        Move now = current;
        if (now == null || !now.isNext(said.worldRank(), said.incarnation())) {
            return false;
        }
        now.nextSaid(said.message());
        return true;
    }

    /** Takes the end of a process that was to take a rank over. */
    boolean exited(JobEvent.Exited exited) {
        Move now = current;
        return now != null && now.exited(exited.worldRank(), exited.incarnation(), exited.status());
    }

    /** A rank says something that may concern its move; what it has written for an earlier one is of no use to anybody. */
    void said(RankSlot slot, ControlMessage message) {
        String file = Migration.imageOf(message);
        if (current instanceof Migration now && now.isOf(slot, file)) {
            now.said(message);
        } else if (!file.isEmpty()) {
            job.places().discard(file, slot.host, slot.host);
        }
    }

    /** An image is where it was sent, or not to be had there. */
    void shipped(JobEvent.Shipped shipped) {
        if (current instanceof Migration now) {
            now.shipped(shipped);
        }
    }

    /** The job goes back or ends. */
    void drop(String reason) {
        if (current != null) {
            current.drop(reason);
            current = null;
            cause = null;
        }
    }

    /** Time passes: a move may take too long, or the next one begin. */
    void tick(long nowNanos) {
        Move now = current;
        if (now != null) {
            now.tick(nowNanos);
        }
        if (now != null && now.isOver() && cause != null) {
            ended(cause, now, nowNanos);
            cause = null;
        }
        boolean mayBegin = !isUnderWay() && job.ranks().haveMet() && (returns == null || !returns.isUnderWay());
        if (hosts != null && !leaving.isEmpty() && mayBegin) {
            for (Evacuation each : List.copyOf(leaving.values())) {
                if (nowNanos - each.notBeforeNanos >= 0 && goOn(each, hosts, nowNanos)) {
                    return;
                }
            }
        }
    }

    private void ended(Evacuation evacuation, Move move, long nowNanos) {
        if (move.failure().isEmpty()) {
            evacuation.moved++;
            evacuation.failures = 0;
        } else {
            evacuation.failures++;
            evacuation.notBeforeNanos = nowNanos + AGAIN_NANOS / ATTEMPTS;
            if (evacuation.failures == ATTEMPTS) {
                object(evacuation, "a rank could not be moved " + ATTEMPTS + " times in a row: " + move.failure());
                leaving.remove(evacuation.host);
            }
        }
    }

    /** Returns whether a move has begun. */
    private boolean goOn(Evacuation evacuation, Hosts known, long nowNanos) {
        if (!known.isDraining(evacuation.host)) {
            leaving.remove(evacuation.host);
            return false;
        }
        List<Integer> left = known.ranksOf(evacuation.host).stream()
                .filter(rank -> job.ranks().slot(rank).running() && !job.ranks().slot(rank).finalized)
                .toList();
        if (left.isEmpty()) {
            leaving.remove(evacuation.host);
            if (evacuation.moved > 0) {
                job.streams()
                        .say("host " + evacuation.host + " is drained: " + evacuation.moved
                                + (evacuation.moved == 1 ? " rank has" : " ranks have")
                                + " moved, the others ran on");
            }
            object(evacuation, "");
            return false;
        }
        try {
            begin(null, left.getFirst(), "");
            cause = evacuation;
            object(evacuation, "");
            return true;
        } catch (IOException e) {
            evacuation.notBeforeNanos = nowNanos + AGAIN_NANOS;
            object(evacuation, Hosts.words(left) + (left.size() == 1 ? " stays: " : " stay: ") + e.getMessage());
            return false;
        }
    }

    private void object(Evacuation evacuation, String reason) {
        if (hosts == null || reason.equals(evacuation.objection)) {
            return;
        }
        evacuation.objection = reason;
        if (!reason.isEmpty()) {
            job.streams().say("host " + evacuation.host + " is to be drained, but " + reason);
        }
        hosts.object(evacuation.host, reason.isEmpty() ? "" : "job " + job.name() + ": " + reason);
    }
}
