package org.gridmpj.launcher.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gridmpj.checkpoint.CrashPoint;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.coordination.Coordination;
import org.jspecify.annotations.Nullable;

/**
 * One rank goes on in another process while the others run on (docs/design/0014). One at a time. Confined to the job's
 * thread.
 *
 * <pre>
 *   STARTING ── Prepared ──▶ LEAVING ── Departed ──▶ ARRIVING ── Arrived ──▶ decision ──▶ DECIDED ── Restored ──▶ over
 *      └───────────────────────┴────────────────────────┴── anything else: the new process is killed, the old one stays
 * </pre>
 */
final class Migration {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    private enum Step {
        STARTING,
        LEAVING,
        ARRIVING,
        DECIDED
    }

    private final String jobName;
    private final int size;
    private final int life;
    private final Ranks ranks;
    private final Coordination coordination;
    private final JobStreams streams;
    private final Consumer<JobEvent> events;
    private final @Nullable ControlLink asker;
    private final RankSlot before;
    private final RankSlot next;
    private final Path image;
    private final long untilNanos;

    private Step step = Step.STARTING;
    private boolean over;
    private ControlMessage.@Nullable Bound bound;
    private ControlMessage.@Nullable Departed departed;
    private long standsSinceNanos;

    private Migration(
            String jobName,
            Path folder,
            Ranks ranks,
            Coordination coordination,
            JobStreams streams,
            Consumer<JobEvent> events,
            @Nullable ControlLink asker,
            RankSlot before,
            RankSlot next) {
        this.jobName = jobName;
        this.size = ranks.size();
        this.life = before.life;
        this.ranks = ranks;
        this.coordination = coordination;
        this.streams = streams;
        this.events = events;
        this.asker = asker;
        this.before = before;
        this.next = next;
        this.image = folder.resolve("moving-" + before.worldRank + "-" + next.process.pid() + ".image");
        this.untilNanos = System.nanoTime() + PATIENCE_NANOS;
    }

    /**
     * Begins to move a rank.
     *
     * @param folder of the job
     * @param host where to, as the user has said it
     * @throws IOException saying why it cannot be moved
     */
    static Migration begin(
            String jobName,
            Path folder,
            Ranks ranks,
            RankPlaces places,
            Coordination coordination,
            JobStreams streams,
            Consumer<JobEvent> events,
            @Nullable ControlLink asker,
            int worldRank,
            String host)
            throws IOException {
        if (worldRank < 0 || worldRank >= ranks.size()) {
            throw new IOException("there is no rank " + worldRank);
        }
        RankSlot before = ranks.slot(worldRank);
        if (!ranks.haveMet() || before.finalized) {
            throw new IOException("the ranks have not all come out of MPI.Init, or some have ended");
        }
        int incarnation = before.incarnation + 1;
        Process process = places.startBeside(worldRank, incarnation, host);
        RankSlot next = new RankSlot(
                worldRank,
                before.life,
                incarnation,
                before.host,
                process,
                streams.stdout(worldRank),
                streams.stderr(worldRank),
                events);
        return new Migration(jobName, folder, ranks, coordination, streams, events, asker, before, next);
    }

    /** Whether nothing more is to be done. */
    boolean isOver() {
        return over;
    }

    /** Whether this is the process that is to take over. */
    boolean isNext(ControlMessage.Hello hello) {
        return hello.worldRank() == next.worldRank && isNext(hello.worldRank(), hello.incarnation());
    }

    /** Whether this is an event of the process that is to take over, and not yet the rank. */
    boolean isNext(int worldRank, int incarnation) {
        return !over && step != Step.DECIDED && worldRank == next.worldRank && incarnation == next.incarnation;
    }

    /** The new process has dialled the launcher. */
    void connected(ControlMessage.Hello hello, ControlLine link) {
        if (hello.pid() != next.process.pid() || next.link != null) {
            link.close();
            return;
        }
        next.connect(link, events);
        next.tell(new ControlMessage.Welcome(jobName, size, life, ControlMessage.Welcome.ARRIVING));
    }

    /** The new process says something. */
    void nextSaid(ControlMessage message) {
        switch (message) {
            case ControlMessage.Bound at -> {
                bound = at;
                next.tell(ranks.tableWith(next.worldRank, next.incarnation, at));
            }
            case ControlMessage.Prepared prepared
            when step == Step.STARTING -> {
                step = Step.LEAVING;
                before.tell(new ControlMessage.Depart(image.toString()));
            }
            case ControlMessage.Arrived arrived when step == Step.ARRIVING -> decide();
            case ControlMessage.NotMoved not -> abort(not.reason());
            case ControlMessage.Heartbeat beat -> next.beat(beat);
            case ControlMessage.Ending ending -> next.ending = ending;
            default ->
                abort("the new process has sent an unexpected "
                        + message.getClass().getSimpleName());
        }
    }

    /** The process that is the rank so far, or from the decision on, says something that concerns the move. */
    void said(ControlMessage message) {
        if (over) {
            // the image of a move that was given up while it was being written
            delete();
            return;
        }
        switch (message) {
            case ControlMessage.Departed now
            when step == Step.LEAVING -> {
                departed = now;
                standsSinceNanos = System.nanoTime() - now.stallNanos();
                step = Step.ARRIVING;
                CrashPoint.hit("move.departed");
                next.tell(new ControlMessage.Arrive(image.toString()));
            }
            case ControlMessage.NotMoved not when step != Step.DECIDED -> abort(not.reason());
            case ControlMessage.Restored restored when step == Step.DECIDED -> done();
            default -> {
                // nothing that this step waits for
            }
        }
    }

    /** The new process has ended before it was the rank. */
    void nextExited(int status) {
        abort("the new process has ended with status " + status);
    }

    /** The point of no return: one compare-and-set. What follows only carries it out. */
    private void decide() {
        ControlMessage.Bound at = bound;
        ControlMessage.Departed position = departed;
        if (at == null || position == null || !before.running()) {
            abort("the old process is gone");
            return;
        }
        ControlMessage.Table table = ranks.tableWith(next.worldRank, next.incarnation, at);
        if (!coordination.raiseIncarnation(next.worldRank, before.incarnation)) {
            abort("the rank was started anew meanwhile");
            return;
        }
        step = Step.DECIDED;
        CrashPoint.hit("move.decided");
        before.process.destroyForcibly();
        next.joined = true;
        ranks.replace(next, table);
        next.tell(new ControlMessage.Go());
        coordination.join(next.worldRank, at.host() + ":" + at.port());
        before.kill();
        streams.moved(before, next, position);
        next.readOutput();
        delete();
    }

    private void done() {
        over = true;
        ControlMessage.Departed position = departed;
        long stallNanos = System.nanoTime() - standsSinceNanos;
        String text = String.format(
                Locale.ROOT,
                "rank %d has moved from process %d to process %d%s: it stood still for %d ms (%.1f MB), the others ran on",
                next.worldRank,
                before.process.pid(),
                next.process.pid(),
                next.host.isEmpty() ? "" : " at host " + next.host,
                TimeUnit.NANOSECONDS.toMillis(stallNanos),
                position == null ? 0.0 : position.bytes() / 1e6);
        streams.say(text);
        answer(next.host.isEmpty() ? "localhost" : next.host, text);
    }

    /** The move is off: the old process goes on. Nothing happens after the decision. */
    void abort(String reason) {
        if (over || step == Step.DECIDED) {
            return;
        }
        over = true;
        next.process.destroyForcibly();
        before.tell(new ControlMessage.Stay(reason));
        delete();
        streams.say("rank " + before.worldRank + " stays where it is: " + reason);
        answer("", reason);
    }

    /** The job goes back or ends, whatever the move has come to. */
    void drop(String reason) {
        if (!over) {
            abort(reason);
            if (!over) {
                over = true;
                answer("", reason);
            }
        }
    }

    /** Gives up what takes too long. */
    void expire(long nowNanos) {
        if (nowNanos - untilNanos > 0) {
            abort("it took more than " + PATIENCE_NANOS / 1_000_000_000L + " s");
        }
    }

    private void delete() {
        try {
            Files.deleteIfExists(image);
        } catch (IOException e) {
            streams.say(image + " cannot be removed: " + e.getMessage());
        }
    }

    private void answer(String host, String text) {
        if (asker == null) {
            return;
        }
        try (asker) {
            asker.send(new ControlMessage.Moved(host, text));
        } catch (IOException e) {
            // mpjctl has not waited
        }
    }
}
