package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gridmpj.checkpoint.CrashPoint;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.jspecify.annotations.Nullable;

/**
 * One rank goes on in another process, of this host or of another, while the other ranks run on (docs/design/0014). One at a
 * time. Confined to the job's thread.
 *
 * <pre>
 *   STARTING ─ Prepared ▶ COPYING ─ CopiedAhead ▶ SENDING ─ Shipped ▶ REHEARSING ─ Prepared ─┐     the rank runs on
 *                            ▲                                                               │
 *                            └────────── while a round is much faster than the one before ───┤
 *      ┌─────────────────────────────────────────────────────────────────────────────────────┘
 *   LEAVING ─ Departed ▶ SHIPPING ─ Shipped ▶ ARRIVING ─ Arrived ▶ COMPLETING ─ output here ▶ decision    it stands still
 *
 *   before the decision, anything else: the new process is killed, the old one stays
 *   decision ▶ DECIDED ─ Restored ▶ over
 * </pre>
 */
final class Migration extends Move {
    private static final long PATIENCE_NANOS = 60_000_000_000L;

    /** How often the state is copied ahead at most. */
    static final int MOST_ROUNDS = 4;
    /** Of the time of the round before: what takes as long again will take as long once more. */
    private static final double WORTH_ANOTHER = 0.8;

    /** What the rank waits for while it stands still. */
    private static final String[] PARTS = {"written", "brought there", "read", "agreed", "connected"};

    private enum Step {
        STARTING,
        COPYING,
        SENDING,
        REHEARSING,
        LEAVING,
        SHIPPING,
        ARRIVING,
        COMPLETING,
        DECIDED
    }

    /**
     * What a move works with.
     *
     * @param writeStatus for mpjctl: who is told that a rank has moved is to find it so
     */
    record Job(
            String name,
            Ranks ranks,
            RankPlaces places,
            Coordination coordination,
            Members members,
            JobStreams streams,
            Consumer<JobEvent> events,
            Runnable writeStatus) {}

    private final Job job;
    private final RankSlot before;
    private final Successor successor;
    /** The process that is to be the rank. */
    final RankSlot next;
    /** The incarnation on which all agree so far. */
    private final int agreed;

    /** The rounds of its state that is copied while it runs on, the newest last. */
    private final List<Round> rounds = new ArrayList<>();
    /** What has changed since, and the rest. */
    private final String image;

    private final int attempt;

    private final long untilNanos;

    private Step step = Step.STARTING;
    private ControlMessage.@Nullable Departed departed;
    /** Since when the rank stands still; then the ends of {@link #PARTS}. */
    private final long[] stall = new long[PARTS.length + 1];

    /** Once all of the state, then each time what has changed meanwhile. */
    private static final class Round {
        final String file;
        final long beganNanos;
        long tookNanos;
        long stallNanos;
        long bytes;

        Round(String file, long beganNanos) {
            this.file = file;
            this.beganNanos = beganNanos;
        }
    }

    private Migration(
            Job job, @Nullable ControlLine asker, RankSlot before, Successor successor, int agreed, int attempt) {
        super(asker);
        this.job = job;
        this.before = before;
        this.successor = successor;
        this.next = successor.slot;
        this.agreed = agreed;
        this.attempt = attempt;
        this.image = fileName(MOST_ROUNDS);
        this.untilNanos = job.ranks.machine().nanoTime() + PATIENCE_NANOS;
    }

    /**
     * Begins to move a rank.
     *
     * @param host where to, as the user has said it
     * @param attempt another number for each move of this launcher
     * @throws IOException saying why it cannot be moved
     */
    static Migration begin(Job job, @Nullable ControlLine asker, int worldRank, String host, int attempt)
            throws IOException {
        RankSlot before = job.ranks.movable(worldRank);
        int agreed;
        try {
            agreed = job.coordination.incarnation(worldRank);
        } catch (CoordinationFailure e) {
            throw new IOException(e.getMessage(), e);
        }
        int incarnation = agreed + 1;
        RankPlaces.Beside beside = job.places.startBeside(worldRank, incarnation, before.life, host);
        Successor successor = Successor.of(before, incarnation, beside, job.ranks, job.streams, job.events);
        return new Migration(job, asker, before, successor, agreed, attempt);
    }

    /** Of the rounds from 0 on; the last one is that of the departure. */
    private String fileName(int number) {
        return "moving-" + before.worldRank + "-" + ProcessHandle.current().pid() + "-"
                + ((MOST_ROUNDS + 1) * attempt + number) + ".image";
    }

    private Stream<String> files() {
        return Stream.concat(rounds.stream().map(round -> round.file), Stream.of(image));
    }

    @Override
    boolean isNext(int worldRank, int incarnation) {
        return !isOver() && step != Step.DECIDED && successor.is(worldRank, incarnation);
    }

    @Override
    boolean isNumbered(int worldRank, int incarnation) {
        return successor.is(worldRank, incarnation);
    }

    @Override
    void connected(ControlMessage.Hello hello, ControlLine link) {
        successor.connected(hello, link, job.ranks);
    }

    @Override
    void nextSaid(ControlMessage message) {
        boolean known = successor.said(message, job.ranks);
        switch (message) {
            case ControlMessage.Prepared prepared
            when step == Step.STARTING -> {
                CrashPoint.hit("move.prepared");
                copyAhead();
            }
            case ControlMessage.Prepared prepared
            when step == Step.REHEARSING -> {
                Round last = rounds.getLast();
                last.tookNanos = job.ranks.machine().nanoTime() - last.beganNanos;
                if (isWorthAnother()) {
                    copyAhead();
                } else {
                    step = Step.LEAVING;
                    CrashPoint.hit("move.rehearsed");
                    before.tell(new ControlMessage.Depart(image));
                }
            }
            case ControlMessage.Arrived arrived
            when step == Step.ARRIVING -> {
                step = Step.COMPLETING;
                passed(3);
                CrashPoint.hit("move.arrived");
                decideIfComplete();
            }
            case ControlMessage.NotMoved not -> abort(not.reason());
            default -> {
                if (!known) {
                    abort("the new process has sent an unexpected "
                            + message.getClass().getSimpleName());
                }
            }
        }
    }

    private void copyAhead() {
        step = Step.COPYING;
        Round round = new Round(fileName(rounds.size()), job.ranks.machine().nanoTime());
        rounds.add(round);
        before.tell(new ControlMessage.CopyAhead(round.file));
    }

    /** The second round shows how fast it goes when nothing is done for the first time; each one leaves less to be copied. */
    private boolean isWorthAnother() {
        long lastNanos = rounds.getLast().tookNanos;
        boolean thereIsTime = job.ranks.machine().nanoTime() + 3 * lastNanos - untilNanos < 0;
        boolean faster = rounds.size() < 2 || lastNanos < WORTH_ANOTHER * rounds.get(rounds.size() - 2).tookNanos;
        return rounds.size() < MOST_ROUNDS && thereIsTime && faster;
    }

    /** Name of the image that a message is about, or empty. */
    static String imageOf(ControlMessage message) {
        return switch (message) {
            case ControlMessage.CopiedAhead copied -> copied.file();
            case ControlMessage.Departed departed -> departed.file();
            case ControlMessage.NotMoved not -> not.file();
            default -> "";
        };
    }

    /** Whether something that a rank says is of this move, not of one before that was given up. */
    boolean isOf(RankSlot slot, String file) {
        return slot.worldRank == before.worldRank && (file.isEmpty() || files().anyMatch(file::equals));
    }

    /** The process that is the rank so far, or from the decision on, says something that concerns the move. */
    void said(ControlMessage message) {
        if (isOver()) {
            // the image of a move that was given up while it was being written
            discard();
            return;
        }
        switch (message) {
            case ControlMessage.CopiedAhead now
            when step == Step.COPYING -> {
                Round round = rounds.getLast();
                round.stallNanos = now.stallNanos();
                round.bytes = now.bytes();
                step = Step.SENDING;
                ship(round.file);
            }
            case ControlMessage.Departed now
            when step == Step.LEAVING -> {
                departed = now;
                stall[0] = job.ranks.machine().nanoTime() - now.stallNanos();
                passed(1);
                step = Step.SHIPPING;
                CrashPoint.hit("move.departed");
                ship(image);
            }
            case ControlMessage.NotMoved not when step != Step.DECIDED -> abort(not.reason());
            case ControlMessage.Restored restored when step == Step.DECIDED -> done();
            default -> {
                // nothing that this step waits for
            }
        }
    }

    private void ship(String file) {
        CompletableFuture<Void> _ = job.places
                .ship(file, before.host, next.host)
                .thenAccept(error -> job.events.accept(new JobEvent.Shipped(file, error)));
    }

    /** An image is at the new process's host, or cannot be brought there. */
    void shipped(JobEvent.Shipped shipped) {
        if (files().noneMatch(shipped.image()::equals)) {
            return;
        }
        if (isOver()) {
            discard();
        } else if (!shipped.error().isEmpty()) {
            abort("its image could not be brought to host " + next.host + ": " + shipped.error());
        } else if (step == Step.SENDING) {
            step = Step.REHEARSING;
            next.tell(new ControlMessage.Rehearse(rounds.getLast().file));
        } else if (step == Step.SHIPPING) {
            step = Step.ARRIVING;
            passed(2);
            CrashPoint.hit("move.shipped");
            next.tell(new ControlMessage.Arrive(image));
        }
    }

    @Override
    void nextExited(int status) {
        abort("the new process has ended with status " + status);
    }

    /** What the old process has written comes another way than what it says: the output of the job is to be without gaps. */
    private void decideIfComplete() {
        ControlMessage.Departed position = departed;
        if (step == Step.COMPLETING && position != null && job.streams.isHere(before.worldRank, position)) {
            decide(position);
        }
    }

    /** The point of no return: one compare-and-set. What follows only carries it out. */
    private void decide(ControlMessage.Departed position) {
        ControlMessage.Bound at = successor.bound();
        if (at == null || !before.running()) {
            abort("the old process is gone");
            return;
        }
        ControlMessage.Table table = job.ranks.tableWith(next.worldRank, next.incarnation, at);
        try {
            if (!job.coordination.raiseIncarnation(next.worldRank, agreed)) {
                abort("the rank was started anew meanwhile");
                return;
            }
        } catch (CoordinationFailure e) {
            // raised or not: nobody acts on it but this launcher, and the next move begins from what is there then
            abort(String.valueOf(e.getMessage()));
            return;
        }
        step = Step.DECIDED;
        passed(4);
        CrashPoint.hit("move.decided");
        before.process.destroyForcibly();
        next.joined = true;
        job.ranks.replace(next, table);
        next.tell(new ControlMessage.Go());
        job.places.moved(next.worldRank, next.host);
        before.replaced();
        job.streams.moved(before, next, position);
        next.readOutput();
        discard();
        job.members.joined(next.worldRank, at);
    }

    private void done() {
        ControlMessage.Departed position = departed;
        passed(PARTS.length);
        String text = String.format(
                Locale.ROOT,
                "rank %d has moved from %s to %s: it stood still for %d ms (%.1f MB%s)"
                        + ", before that for %s ms (%.1f MB, copied ahead); the others ran on",
                next.worldRank,
                before.place(),
                next.place(),
                millis(stall[PARTS.length] - stall[0]),
                position == null ? 0.0 : position.bytes() / 1e6,
                parts(),
                rounds.stream()
                        .map(round -> Long.toString(millis(round.stallNanos)))
                        .collect(Collectors.joining(" + ")),
                rounds.stream().mapToLong(round -> round.bytes).sum() / 1e6);
        job.writeStatus.run();
        job.streams.say(text);
        succeeded(next, text);
    }

    private void passed(int part) {
        stall[part] = job.ranks.machine().nanoTime();
    }

    private String parts() {
        StringBuilder text = new StringBuilder();
        for (int part = 0; part < PARTS.length; part++) {
            text.append(part == 0 ? "; " : ", ")
                    .append(PARTS[part])
                    .append(' ')
                    .append(millis(stall[part + 1] - stall[part]));
        }
        return text.toString();
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    /** The move is off: the old process goes on. Nothing happens after the decision. */
    void abort(String reason) {
        if (isOver() || step == Step.DECIDED) {
            return;
        }
        next.process.destroyForcibly();
        before.tell(new ControlMessage.Stay(reason));
        discard();
        job.streams.say("rank " + before.worldRank + " stays where it is: " + reason);
        failed(reason);
    }

    @Override
    void drop(String reason) {
        abort(reason);
        if (!isOver()) {
            failed(reason);
        }
    }

    /** Decides when all that was written has come, gives up what takes too long. */
    @Override
    void tick(long nowNanos) {
        if (isOver()) {
            return;
        }
        decideIfComplete();
        if (nowNanos - untilNanos > 0) {
            abort("it took more than " + PATIENCE_NANOS / 1_000_000_000L + " s");
        }
    }

    private void discard() {
        files().forEach(file -> job.places.discard(file, before.host, next.host));
    }
}
