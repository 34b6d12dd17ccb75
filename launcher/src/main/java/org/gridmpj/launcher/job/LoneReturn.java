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
    private final Coordination coordination;
    private final JobStreams streams;
    private final Consumer<JobEvent> events;
    private final String cause;
    private final RankSlot before;
    private final RankSlot next;
    private final int epoch;
    private final long diedNanos = System.nanoTime();
    private boolean prepared;
    private boolean brought;
    private boolean isRank;
    private String report = "";
    private ControlMessage.@Nullable Bound bound;

    private LoneReturn(
            Ranks ranks,
            Coordination coordination,
            JobStreams streams,
            Consumer<JobEvent> events,
            String cause,
            RankSlot before,
            RankSlot next,
            int epoch) {
        this.ranks = ranks;
        this.coordination = coordination;
        this.streams = streams;
        this.events = events;
        this.cause = cause;
        this.before = before;
        this.next = next;
        this.epoch = epoch;
    }

    /**
     * Begins the return of a rank whose process is reaped, or was at a host that is lost: where it was, or where it was to go.
     *
     * @param cause what has happened to it, and that it is this rank, as the beginning of a sentence
     * @throws IOException saying why it cannot go back alone
     */
    static LoneReturn begin(
            Ranks ranks,
            RankPlaces places,
            Coordination coordination,
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
        RankPlaces.Beside beside = places.startAgain(
                dead.worldRank,
                incarnation,
                dead.life,
                dead.leavesFor == null ? places.host(dead.worldRank) : dead.leavesFor);
        Process process = beside.process();
        if (dead.worldRank == 0) {
            streams.feed(process, image);
        }
        RankSlot next = new RankSlot(
                dead.worldRank,
                dead.life,
                incarnation,
                beside.host(),
                process,
                streams.stdout(dead.worldRank),
                streams.stderr(dead.worldRank),
                events);
        next.readOutput();
        CompletableFuture<Void> _ = places.bring(from, dead.worldRank)
                .thenAccept(
                        error -> events.accept(new JobEvent.Brought(dead.life, dead.worldRank, incarnation, error)));
        return new LoneReturn(ranks, coordination, streams, events, cause, dead, next, epoch);
    }

    /** Whether this is an event of the process that is to be the rank, and is not yet. */
    boolean isNext(int worldRank, int incarnation) {
        return !isRank && worldRank == next.worldRank && incarnation == next.incarnation;
    }

    /** The new process has dialled the launcher. */
    void connected(ControlMessage.Hello hello, ControlLine link) {
        if (hello.pid() != next.process.pid() || next.link != null) {
            link.close();
            return;
        }
        next.connect(link, events);
        next.tell(ranks.welcome(ControlMessage.Welcome.ARRIVING));
    }

    /**
     * The new process says something.
     *
     * @return why it cannot be the rank, or null
     */
    @Nullable
    String nextSaid(ControlMessage message) {
        switch (message) {
            case ControlMessage.Bound at -> {
                bound = at;
                next.tell(ranks.tableWith(next.worldRank, next.incarnation, at));
            }
            case ControlMessage.Prepared ready -> {
                prepared = true;
                goBackIfReady();
            }
            case ControlMessage.Arrived arrived -> takePlace();
            case ControlMessage.Heartbeat beat -> next.beat(beat);
            case ControlMessage.NotAlone not -> {
                // it has met a chance on its way: that concerns its next death
                next.tell(new ControlMessage.Heard());
            }
            case ControlMessage.NotMoved not -> {
                return not.reason();
            }
            case ControlMessage.Ending ending -> next.ends(ending);
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
        if (prepared && brought) {
            next.tell(new ControlMessage.GoBack(epoch));
        }
    }

    private void takePlace() {
        ControlMessage.Bound at = bound;
        if (at == null) {
            return;
        }
        CrashPoint.hit("return.arrived");
        isRank = true;
        next.joined = true;
        ranks.replace(next, ranks.tableWith(next.worldRank, next.incarnation, at));
        next.tell(new ControlMessage.Go());
        coordination.join(next.worldRank, at.host() + ":" + at.port());
    }

    /** The program has its state back. */
    void restored(Snapshots snapshots) {
        String what = before.leavesFor == null
                ? cause + " alone goes back to snapshot " + epoch + (next.host.isEmpty() ? "" : " at host " + next.host)
                : "rank " + next.worldRank + " has moved from " + before.place() + " to " + next.place()
                        + ": it alone went back to snapshot " + epoch + snapshots.lost(diedNanos);
        report = what + ", resumed in " + Durations.seconds(System.nanoTime() - diedNanos) + "; the others run on";
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
