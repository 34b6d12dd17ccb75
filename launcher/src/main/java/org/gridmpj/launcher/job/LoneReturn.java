package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.gridmpj.checkpoint.CrashPoint;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.Durations;
import org.gridmpj.launcher.coordination.Coordination;
import org.jspecify.annotations.Nullable;

/**
 * A rank that has died goes back to the last committed epoch alone, while the others run on (docs/design/0018). Several may
 * at a time ({@link LoneReturns}); whatever goes wrong, all ranks go back. Confined to the job's thread.
 *
 * <pre>
 *   died ─▶ PeerGoesBack to the others ─▶ STARTING ── Prepared, and its image is there ─▶ GoBack ─▶ Arrived
 *                                                                    ─▶ Table to all, Go ─▶ RETURNED ── CaughtUp ─▶ over
 * </pre>
 *
 * <p>Who is STARTING is not told of others that die: it has talked to nobody yet, and the table that it gets with Go, or the one
 * after, has their new addresses; until then it has their new incarnations, so that it lets in no process that has died as far as
 * the launcher knows.
 */
final class LoneReturn {
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private final Ranks ranks;
    private final Members members;
    private final JobStreams streams;
    private final String cause;
    private final RankSlot before;
    private final Successor successor;
    private final RankSlot next;
    private final int epoch;
    private final long diedNanos;
    private boolean brought;
    private boolean told;
    private boolean isRank;
    private String report = "";

    private LoneReturn(
            Ranks ranks,
            Members members,
            JobStreams streams,
            String cause,
            RankSlot before,
            Successor successor,
            int epoch) {
        this.ranks = ranks;
        this.members = members;
        this.streams = streams;
        this.cause = cause;
        this.before = before;
        this.successor = successor;
        this.next = successor.slot;
        this.epoch = epoch;
        this.diedNanos = ranks.machine().nanoTime();
    }

    /**
     * Begins the return of a rank whose process is reaped, or was at a host that is lost: in its successor if it has one, else where
     * it was.
     *
     * @param cause what has happened to it, and that it is this rank, as the beginning of a sentence
     * @throws IOException saying why it cannot go back alone
     */
    static LoneReturn begin(
            Ranks ranks,
            RankPlaces places,
            Coordination coordination,
            Members members,
            JobStreams streams,
            Consumer<JobEvent> events,
            String cause,
            RankSlot dead,
            EpochManifest from)
            throws IOException {
        if (!coordination.raiseIncarnation(dead.worldRank, dead.incarnation)) {
            throw new IOException("it was started anew by another launcher");
        }
        int incarnation = dead.incarnation + 1;
        int epoch = from.id().epoch();
        ranks.goesBack(dead.worldRank, incarnation);
        for (RankSlot other : ranks.all()) {
            if (other.worldRank != dead.worldRank) {
                other.tell(new ControlMessage.PeerGoesBack(dead.worldRank, incarnation, epoch));
            }
        }
        RankImage image = from.images().get(dead.worldRank);
        streams.begin(dead.worldRank, image);
        Successor successor = successor(ranks, places, streams, events, dead, incarnation);
        RankSlot next = successor.slot;
        if (dead.worldRank == 0) {
            streams.feed(next.process, image);
        }
        next.readOutput();
        CompletableFuture<Void> _ = places.bring(from, dead.worldRank)
                .thenAccept(
                        error -> events.accept(new JobEvent.Brought(dead.life, dead.worldRank, incarnation, error)));
        return new LoneReturn(ranks, members, streams, cause, dead, successor, epoch);
    }

    /** The process that was to take over anyway, or a new one. */
    private static Successor successor(
            Ranks ranks,
            RankPlaces places,
            JobStreams streams,
            Consumer<JobEvent> events,
            RankSlot dead,
            int incarnation)
            throws IOException {
        Successor ready = dead.successor;
        if (ready != null) {
            places.moved(dead.worldRank, ready.slot.host);
            return ready;
        }
        RankPlaces.Beside beside =
                places.startAgain(dead.worldRank, incarnation, dead.life, places.host(dead.worldRank));
        return Successor.of(dead, incarnation, beside, ranks, streams, events);
    }

    /** Whether this is an event of the process that is to be the rank, and is not yet. */
    boolean isNext(int worldRank, int incarnation) {
        return !isRank && successor.is(worldRank, incarnation);
    }

    /** The new process has dialled the launcher. */
    void connected(ControlMessage.Hello hello, ControlLine link) {
        successor.connected(hello, link, ranks);
    }

    /**
     * The new process says something.
     *
     * @return why it cannot be the rank, or null
     */
    @Nullable
    String nextSaid(ControlMessage message) {
        if (successor.said(message, ranks)) {
            goBackIfReady();
            return null;
        }
        switch (message) {
            case ControlMessage.Arrived arrived -> takePlace();
            case ControlMessage.NotAlone not -> {
                // it has met a chance on its way: that concerns its next death
                next.tell(new ControlMessage.Heard());
            }
            case ControlMessage.NotMoved not -> {
                return not.reason();
            }
            default -> {
                return "the new process has sent an unexpected "
                        + message.getClass().getSimpleName();
            }
        }
        return null;
    }

    /** What it goes back to is at its host. */
    void brought() {
        brought = true;
        goBackIfReady();
    }

    private void goBackIfReady() {
        if (successor.isPrepared() && brought && !told) {
            told = true;
            next.tell(new ControlMessage.GoBack(epoch));
        }
    }

    private void takePlace() {
        ControlMessage.Bound at = successor.bound();
        if (at == null) {
            return;
        }
        CrashPoint.hit("return.arrived");
        isRank = true;
        next.joined = true;
        ranks.replace(next, ranks.tableWith(next.worldRank, next.incarnation, at));
        next.tell(new ControlMessage.Go());
        members.joined(next.worldRank, at);
    }

    /** The program has its state back. */
    void restored(Snapshots snapshots) {
        String what = before.leaving
                ? "rank " + next.worldRank + " has moved from " + before.place() + " to " + next.place()
                        + ": it alone went back to snapshot " + epoch + snapshots.lost(diedNanos)
                : cause + " alone goes back to snapshot " + epoch
                        + (next.host.isEmpty() ? "" : " at host " + next.host);
        report = what + ", resumed in " + Durations.seconds(ranks.machine().nanoTime() - diedNanos)
                + "; the others run on";
        streams.say(report);
    }

    /** What was said when the program had its state back; empty before. */
    String report() {
        return report;
    }

    /** Why this takes too long, or null. */
    @Nullable
    String overdue(long nowNanos) {
        if (!isRank && nowNanos - diedNanos > PATIENCE_NANOS) {
            return "the new process of rank " + next.worldRank + " is not ready after "
                    + PATIENCE_NANOS / 1_000_000_000L + " s";
        }
        return null;
    }

    /** How many heartbeats in a row it has waited without making an MPI call. */
    int idleBeats() {
        return isRank ? ranks.slot(next.worldRank).idleBeats : 0;
    }

    /** All go back, or the job ends. */
    void drop() {
        if (!isRank) {
            next.kill();
        }
    }
}
