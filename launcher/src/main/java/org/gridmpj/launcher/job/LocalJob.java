package org.gridmpj.launcher.job;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gridmpj.checkpoint.WriteRate;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.jspecify.annotations.Nullable;

/**
 * One job, on this host or on several, from its start to its exit code.
 *
 * <pre>
 *           ┌──────────── killed, and restart allowed: all ranks end, generation + 1 ───────────┐
 *           ▼                                                                                   │
 *   start all ranks ─▶ Connected × np ─▶ Bound × np ─▶ Table ─▶ … running … ─▶ Exited ──────────┤
 *                                                                                │              │
 *                                               all with 0 ─▶ 0                  └─▶ failure ─▶ end all ─▶ code
 * </pre>
 *
 * Everything happens on the thread that calls {@link #run}, which takes {@link JobEvent}s from a queue and hands them to
 * whom they concern; only {@link #interrupt} may be called by another.
 */
public final class LocalJob implements AutoCloseable {
    /** Exit code of a job whose time is over. */
    public static final int TIMEOUT_EXIT_CODE = 124;

    private static final int SIGNAL_BASE = 128;
    /** Exit code of a job that was told to end, by SIGTERM or one that announces it. */
    static final int TERMINATED_EXIT_CODE = SIGNAL_BASE + 15;

    private static final int INTERRUPTED_EXIT_CODE = SIGNAL_BASE + 2;

    /** Names of the threads in which a JVM answers signals, and the exit codes; a last snapshot is taken for these. */
    private static final Map<String, Integer> TERMINATIONS = Map.of(
            "SIGTERM handler", TERMINATED_EXIT_CODE,
            "SIGUSR1 handler", TERMINATED_EXIT_CODE,
            "SIGUSR2 handler", TERMINATED_EXIT_CODE,
            "SIGHUP handler", SIGNAL_BASE + 1);

    /** How long a last snapshot may take: batch systems leave thirty seconds between SIGTERM and SIGKILL. */
    public static final int LAST_SNAPSHOT_SECONDS = 20;

    /** For who reads what an interrupted job said last: he may have stopped reading. */
    private static final long LAST_WORDS_NANOS = 1_000_000_000L;

    private static final int SIGPIPE = 13;
    private static final long TICK_MILLIS = 100;

    private final JobRequest request;
    private final String name;
    private final Coordination coordination;
    private final List<String> invitation;
    private final Machine machine;
    private final BlockingQueue<JobEvent> events;
    private final ControlServer control;
    private final JobStreams streams;
    private final JobDocuments documents;
    private final @Nullable Hosts hosts;
    private final @Nullable Relocations relocations;
    private final Spares spares;
    private final RankPlaces places;
    private final Members members;
    private final Ranks ranks;
    private final Diagnosis diagnosis;
    private final Partitions partitions;
    private final @Nullable Snapshots snapshots;
    private final @Nullable Trial trial;
    private final UnreadOutput unread;
    private final Recovery recovery;
    private final Moves moves;
    private final @Nullable LoneReturns returns;
    private final FailureRecord failures;
    /** Whether this job makes start-up caches. */
    private final boolean rehearses;
    /** How many snapshots were committed before this life. */
    private int committedBefore;

    private volatile String state = "starting";
    /** The job's exit code once it was told to end, else 0: no rank starts another life then. */
    private volatile int stopCode;

    LocalJob(JobLaunch launch) throws IOException {
        this(launch, Surroundings.of(launch));
    }

    LocalJob(JobLaunch launch, Surroundings around) throws IOException {
        this.machine = around.machine();
        this.events = around.events();
        this.request = launch.request();
        this.name = launch.folder().name();
        this.rehearses = launch.installation().rehearses();
        this.coordination = launch.coordination();
        this.invitation = launch.announcement();
        this.streams = new JobStreams(
                request, launch.folder().path(), around, loss -> events.add(new JobEvent.OutputLost(loss)));
        this.control = new ControlServer(launch.secret(), this::met);
        this.hosts = around.hosts(streams::say);
        this.relocations = hosts == null ? null : new Relocations(name, hosts, streams);
        this.snapshots = launch.snapshotFolder() == null
                ? null
                : new Snapshots(
                        around.store(launch.snapshotFolder(), hosts),
                        name,
                        request.size(),
                        coordination.generation(),
                        new Announcements(coordination, around.notes(), streams::say),
                        drills(launch, launch.snapshotFolder(), hosts, events::add),
                        machine.clock(),
                        streams::say);
        this.trial = request.isTrial() && snapshots != null ? new Trial(snapshots) : null;
        RankStarter starter =
                new RankStarter(request, launch.installation(), launch.folder().path(), launch.snapshotFolder());
        this.spares = Spares.of(request, machine, around.spares(starter, control.address()));
        this.places = around.places(hosts, starter, control.address(), spares);
        this.members = new Members(coordination, streams::say);
        this.ranks = new Ranks(name, request, places, coordination, members, streams, machine, events::add);
        this.unread = new UnreadOutput(
                streams,
                rank -> ranks.slot(rank).unasked != null,
                rank -> ranks.slot(rank).awaitsReader());
        this.diagnosis = new Diagnosis(request, ranks);
        this.partitions = new Partitions(streams::say, this::writeStatus);
        this.recovery = new Recovery(name, coordination, snapshots, ranks, streams, this::writeStatus);
        this.returns = request.returnsAlone() && snapshots != null
                ? new LoneReturns(ranks, places, coordination, members, streams, events::add, recovery, snapshots)
                : null;
        this.moves = new Moves(
                new Migration.Job(name, ranks, places, coordination, members, streams, events::add, this::writeStatus),
                hosts,
                returns);
        this.failures = FailureRecord.in(launch.folder().path());
        this.documents = new JobDocuments(launch.folder(), request, control.address(), machine.clock());
    }

    /** A process has dialled the launcher and said what it wants. */
    private void met(ControlMessage first, ControlLink link) {
        switch (first) {
            case ControlMessage.Hello hello -> events.add(new JobEvent.Connected(hello, link));
            case ControlMessage.CheckpointNow asked -> events.add(new JobEvent.SnapshotAsked(link, asked.reason()));
            case ControlMessage.Move move -> events.add(new JobEvent.MoveAsked(link, move));
            default -> link.close();
        }
    }

    /** Runs the job; returns its exit code. */
    public int run(Beginning how) throws IOException {
        // before anybody reads that the job goes on: what is there tells of its last life
        writeStatus();
        documents.writeJob(null);
        invitation.forEach(streams::say);
        int code = 1;
        try {
            boolean begun = recovery.begin(how);
            state = "running";
            if (hosts != null) {
                streams.say(hosts.summary());
            }
            writeStatus();
            code = begun ? shown(loop()) : 1;
            if (trial != null) {
                code = trial.ended(code, streams);
            }
        } catch (CoordinationFailure e) {
            streams.say(e.getMessage() + ": the job ends");
        } finally {
            moves.drop("the job has ended");
            if (returns != null) {
                returns.allGoBack();
            }
            spares.close();
            ranks.killLast();
            endDrills();
            if (!ranks.interrupted()) {
                finished(code);
            }
        }
        return code;
    }

    private int loop() throws IOException {
        long deadlineNanos = request.timeout() == null
                ? Long.MAX_VALUE
                : ranks.beganNanos() + request.timeout().toNanos();
        if (request.timeout() != null) {
            recovery.endsAt(deadlineNanos);
        }
        while (true) {
            JobEvent event = poll();
            Integer code = imagesAreWhole();
            if (code == null && event != null) {
                code = react(event);
            }
            if (code == null) {
                code = tick(deadlineNanos);
            }
            if (code != null) {
                return code;
            }
        }
    }

    private @Nullable JobEvent poll() {
        try {
            return events.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the job's thread", e);
        }
    }

    /** Returns the job's exit code, or null while it goes on. */
    private @Nullable Integer react(JobEvent event) throws IOException {
        int life = recovery.generation();
        return switch (event) {
            case JobEvent.Connected connected when spares.connected(connected.hello(), connected.link()) -> null;
            case JobEvent.Connected connected
            when returns != null
                    && returns.isNext(
                            connected.hello().worldRank(), connected.hello().incarnation()) -> {
                returns.connected(connected.hello(), connected.link());
                yield null;
            }
            case JobEvent.Connected connected -> {
                if (!moves.connected(connected)) {
                    ranks.connected(connected.hello(), connected.link(), recovery.resumedEpoch());
                }
                yield null;
            }
            case JobEvent.Shipped shipped -> {
                moves.shipped(shipped);
                yield null;
            }
            case JobEvent.Brought brought -> brought.life() == life ? brought(brought) : null;
            case JobEvent.Said said -> said.life() == life ? said(said) : null;
            case JobEvent.Exited exited -> exited.life() == life ? exited(exited) : null;
            case JobEvent.SnapshotAsked asked -> {
                snapshotAsked(asked);
                yield null;
            }
            case JobEvent.Drilled drilled -> {
                if (snapshots != null) {
                    snapshots.drilled(drilled, ranks);
                }
                yield null;
            }
            case JobEvent.Terminated terminated -> {
                if (snapshots != null) {
                    snapshots.want("the job is to end", ranks);
                }
                yield null;
            }
            case JobEvent.MoveAsked asked -> {
                moveAsked(asked);
                yield null;
            }
            case JobEvent.HostLost lost -> hostLost(lost);
            case JobEvent.HostDraining draining -> {
                hostDraining(draining.host());
                yield null;
            }
            case JobEvent.OutputLost lost -> end(outputLost(lost.loss()));
        };
    }

    private JobFailure outputLost(SharedOutput.Loss loss) {
        if (loss.isReaderGone()) {
            return new JobFailure(SIGNAL_BASE + SIGPIPE, "nobody reads the output of job " + name + " any more");
        }
        return new JobFailure(
                1,
                "standard output cannot be written: " + loss.why() + ": job " + name + " ends; "
                        + (snapshots == null
                                ? "make room, or send it elsewhere, and start the job again"
                                : "make room, or send it elsewhere, and mpjrun --resume " + name
                                        + " goes on with the lines that are not there"));
    }

    /** A job whose output is not all there has not ended well. */
    private int shown(int code) {
        SharedOutput.Loss loss = code == 0 ? streams.shown() : null;
        return loss == null || loss.isReaderGone() ? code : end(outputLost(loss));
    }

    private @Nullable Integer said(JobEvent.Said said) throws IOException {
        if (moves.said(said)) {
            return null;
        }
        if (returns != null && returns.isNext(said.worldRank(), said.incarnation())) {
            String why = returns.nextSaid(said.worldRank(), said.message());
            return why == null ? null : rollback(why, 1);
        }
        RankSlot slot = ranks.slot(said.worldRank());
        if (!counts(said, slot)) {
            return null;
        }
        return said.message() instanceof ControlMessage.SnapshotWritten written && snapshots != null
                ? unread.holds(said, written, machine.nanoTime()) ? null : written(said, written, snapshots)
                : said(slot, said.message());
    }

    /** The output has come that images waited for. */
    private @Nullable Integer imagesAreWhole() throws IOException {
        Integer code = null;
        JobEvent.Said said = unread.next(machine.nanoTime());
        while (code == null && said != null) {
            boolean isNow = said.life() == recovery.generation() && counts(said, ranks.slot(said.worldRank()));
            if (isNow && snapshots != null && said.message() instanceof ControlMessage.SnapshotWritten written) {
                code = written(said, written, snapshots);
            }
            said = unread.next(machine.nanoTime());
        }
        return code;
    }

    private @Nullable Integer written(JobEvent.Said said, ControlMessage.SnapshotWritten written, Snapshots known)
            throws IOException {
        RankSlot slot = ranks.slot(said.worldRank());
        known.written(
                recovery.generation(),
                slot.worldRank,
                streams.inProgramOffsets(slot, said.incarnation(), written),
                ranks.all());
        streams.committed(known.keptStdin());
        tellLife();
        return relocate(known.latestEpoch());
    }

    /** Whether what a process has said concerns its rank, whose present process may be another one. */
    private boolean counts(JobEvent.Said said, RankSlot slot) {
        boolean isPresent = ranks.isPresent(said.worldRank(), said.incarnation());
        if (returns != null) {
            // not of the dead: an image may be of an epoch that only they have heard of, and a catching up of an
            // earlier return
            return isPresent && slot.running();
        }
        // an image of a process that has moved since is its rank's all the same
        return isPresent
                || said.message() instanceof ControlMessage.SnapshotWritten
                || said.message() instanceof ControlMessage.SnapshotFailed;
    }

    private @Nullable Integer brought(JobEvent.Brought brought) throws IOException {
        String why = returns != null && returns.isNext(brought.worldRank(), brought.incarnation())
                ? returns.brought(brought.worldRank(), brought.error())
                : null;
        return why == null ? null : rollback(why, 1);
    }

    private @Nullable Integer exited(JobEvent.Exited exited) throws IOException {
        if (moves.exited(exited)) {
            return null;
        }
        if (returns != null && returns.isNext(exited.worldRank(), exited.incarnation())) {
            return rollback(LoneReturns.nextExited(exited.worldRank(), exited.status()), 1);
        }
        return ranks.isPresent(exited.worldRank(), exited.incarnation())
                ? exited(ranks.slot(exited.worldRank()), exited.status())
                : null;
    }

    private @Nullable Integer said(RankSlot slot, ControlMessage message) throws IOException {
        switch (message) {
            case ControlMessage.Heartbeat beat -> slot.beat(beat);
            case ControlMessage.Knock knock -> ranks.passOn(knock);
            case ControlMessage.Goodbye goodbye -> ranks.passOn(goodbye);
            case ControlMessage.Bound bound -> {
                if (ranks.bound(slot, bound)) {
                    tellLife();
                    mayBeBack();
                }
            }
            case ControlMessage.Finalized finalized -> {
                slot.finalized = true;
                if (isReturning()) {
                    return endedTooEarly(slot);
                }
            }
            case ControlMessage.NotAlone not
            when returns != null -> {
                String why = returns.notAlone(slot.worldRank, not);
                if (why != null) {
                    return rollback(why, 1);
                }
                slot.tell(new ControlMessage.Heard());
            }
            case ControlMessage.CaughtUp caughtUp when returns != null -> returns.caughtUp(caughtUp);
            case ControlMessage.Diverged diverged -> {
                return rollback(diverged.what(), 1);
            }
            case ControlMessage.CopiedAhead copied -> moves.said(slot, copied);
            case ControlMessage.Departed departed -> moves.said(slot, departed);
            case ControlMessage.NotMoved not -> moves.said(slot, not);
            case ControlMessage.Restored restored -> {
                slot.restored(restored);
                // who reads that a rank is there again is to find it so
                writeStatus();
                if (returns != null) {
                    returns.restored(slot.worldRank);
                }
                moves.said(slot, restored);
                return settled();
            }
            case ControlMessage.Unasked unasked -> {
                slot.unasked = unasked;
                return settled();
            }
            case ControlMessage.SnapshotFailed failed
            when snapshots != null -> snapshots.failed(recovery.generation(), slot.worldRank, failed, ranks.all());
            case ControlMessage.Pace pace
            when snapshots != null -> {
                snapshots.pace(pace);
                writeStatus();
            }
            case ControlMessage.RestoreFailed failed
            when snapshots != null -> {
                if (failed.isOtherProgram()) {
                    return end(otherProgram(slot, failed));
                }
                snapshots.restoreFailed(slot.worldRank, failed);
                return rollback("snapshot " + failed.epoch() + " did not restore", 1);
            }
            case ControlMessage.Ending ending
            when isReturning() -> {
                slot.ends(ending);
                return endedTooEarly(slot);
            }
            case ControlMessage.Ending ending -> {
                return endIf(diagnosis.ending(slot, ending));
            }
            default ->
                streams.say("rank " + slot.worldRank + " has sent an unexpected "
                        + message.getClass().getSimpleName());
        }
        return null;
    }

    private @Nullable Integer exited(RankSlot slot, int status) throws IOException {
        if (!slot.running()) {
            return null; // it was given up with its host
        }
        ended(slot, status);
        int signal = Diagnosis.signal(slot, status);
        if (signal > 0 && request.restart()) {
            String cause = Diagnosis.killedBy(slot, signal);
            if (stopCode != 0) {
                return end(toldToEnd(cause));
            }
            if (returns == null) {
                return rollback(cause, SIGNAL_BASE + signal);
            }
            String why = moves.hasProcessLeft(slot)
                    ? "the process of its last move, which came to nothing, has not ended yet"
                    : returns.begin(cause, slot);
            if (why == null && !slot.leaving) {
                failures.failed();
            }
            return why == null
                    ? null
                    : rollback(cause + ", and cannot go back alone (" + why + ")", SIGNAL_BASE + signal, !slot.leaving);
        }
        if (isReturning() && stopCode == 0) {
            return endedTooEarly(slot);
        }
        slot.finishOutput(true);
        if (signal > 0) {
            return end(Diagnosis.killed(slot, signal));
        }
        if (status == 0) {
            return ranks.allEndedWithZero() && !diagnosis.isPending() ? Integer.valueOf(0) : null;
        }
        return endIf(diagnosis.exited(slot, status));
    }

    private void ended(RankSlot slot, int status) {
        slot.exitStatus = status;
        diagnosis.left();
        if (slot.joined) {
            members.left(slot.worldRank);
        }
    }

    /** Where rank 0 chooses how often snapshots are taken. */
    private void tellLife() {
        if (request.checkpoint().equals("auto")) {
            ranks.slot(0).tell(failures.message());
        }
    }

    private boolean isReturning() {
        return returns != null && returns.isUnderWay();
    }

    /** Before all ranks that go back have caught up, nobody knows whether what it does is what it did. */
    private @Nullable Integer endedTooEarly(RankSlot slot) throws IOException {
        return rollback("rank " + slot.worldRank + " has ended before all that went back alone had caught up", 1);
    }

    private @Nullable Integer rollback(String cause, int codeIfGivenUp) throws IOException {
        return rollback(cause, codeIfGivenUp, true);
    }

    private @Nullable Integer rollback(String cause, int codeIfGivenUp, boolean crash) throws IOException {
        if (stopCode != 0) {
            return end(toldToEnd(cause));
        }
        moves.drop(cause);
        if (returns != null) {
            returns.allGoBack();
        }
        if (crash) {
            failures.failed();
        }
        if (!recovery.rollback(cause, crash)) {
            return codeIfGivenUp;
        }
        lifeBegins();
        return null;
    }

    /** No earlier snapshot fits either, and a job that begins anew would lose what it has. */
    private JobFailure otherProgram(RankSlot slot, ControlMessage.RestoreFailed failed) {
        return new JobFailure(
                1,
                "snapshot " + failed.epoch() + " is whole, but rank " + slot.worldRank + " cannot go back to it: "
                        + failed.reason() + ". The job ends, its snapshots are kept: put the program back as it was,"
                        + " then mpjrun --resume " + name + " goes on");
    }

    /** With all ranks heard it is known what the life of those is whose programs have not asked for their state. */
    private @Nullable Integer settled() {
        boolean goesOn = ranks.anyRestored();
        List<RankSlot> all = ranks.unasked();
        for (RankSlot slot : all) {
            ControlMessage.Unasked unasked = Objects.requireNonNull(slot.unasked);
            if (goesOn) {
                slot.goOn(unasked);
                recovery.goesOnUnasked(slot.worldRank, unasked.epoch());
            } else if (streams.isFedFromImage(slot.worldRank)) {
                return end(withoutItsInput(slot, unasked));
            } else {
                slot.beginAnew();
                if (slot == all.getFirst()) {
                    recovery.beginsAnew(slot.worldRank, unasked.epoch());
                }
            }
        }
        if (!all.isEmpty()) {
            writeStatus();
        }
        mayBeBack();
        return null;
    }

    private JobFailure withoutItsInput(RankSlot slot, ControlMessage.Unasked unasked) {
        return new JobFailure(
                1,
                "rank " + slot.worldRank + " runs from its beginning, since it has not asked for its state of snapshot "
                        + unasked.epoch()
                        + ", behind which its input goes on: what it had read before is gone. The job ends, its snapshots"
                        + " are kept: a program that asks isResumed first can go on with mpjrun --resume " + name);
    }

    /** No rank begins another life: it is for --resume to go on. */
    private JobFailure toldToEnd(String cause) {
        return new JobFailure(stopCode, cause + ", and the job was told to end");
    }

    private void lifeBegins() throws IOException {
        committedBefore = snapshots == null ? 0 : snapshots.committedCount();
        diagnosis.forget();
        writeStatus();
    }

    /** Ranks that wait for a snapshot to go on elsewhere do so now. */
    private @Nullable Integer relocate(int committedEpoch) throws IOException {
        String cause = relocations == null ? null : relocations.due(committedEpoch);
        if (relocations == null || cause == null) {
            return null;
        }
        moves.drop(cause);
        if (!recovery.relocate(cause)) {
            return 1;
        }
        relocations.done();
        lifeBegins();
        return null;
    }

    private void moveAsked(JobEvent.MoveAsked asked) {
        if (snapshots == null) {
            Moves.refuse(asked.asker(), "the job was started without --checkpoint: there is nothing that could move");
        } else if (request.transparent()) {
            moves.ask(asked);
        } else if (relocations == null) {
            Moves.refuse(
                    asked.asker(),
                    "a rank of a cooperative program cannot move alone, and all ranks of this job are on the launcher's"
                            + " host: start it with --capture transparent, or with --hosts");
        } else if (relocations.move(asked.move(), asked.asker(), snapshots.latestEpoch())) {
            snapshots.want("a rank moves", ranks);
        }
    }

    private void hostDraining(String host) {
        if (hosts == null || relocations == null || hosts.ranksOf(host).isEmpty()) {
            return;
        }
        if (snapshots == null) {
            String why = "was started without --checkpoint: its ranks stay until it ends";
            streams.say("host " + host + " is to be drained, but this job " + why);
            hosts.object(host, "job " + name + " " + why);
        } else if (request.transparent()) {
            moves.drain(host);
        } else if (relocations.drain(host, snapshots.latestEpoch())) {
            snapshots.want("host " + host + " is drained", ranks);
        }
    }

    private @Nullable Integer hostLost(JobEvent.HostLost lost) throws IOException {
        List<Integer> gone = ranks.ranksOf(lost.host());
        lost.host().lost();
        String what = "host " + lost.host().name() + " is lost (" + lost.cause() + ")";
        if (gone.isEmpty()) {
            streams.say(what + "; none of the ranks was there");
            return null;
        }
        String cause = what + ", and with it " + Hosts.words(gone);
        if (returns != null && stopCode == 0) {
            List<RankSlot> dead = gone.stream().map(ranks::slot).toList();
            dead.forEach(slot -> ended(slot, RemoteProcess.LOST_STATUS));
            String why = returns.begin(cause, dead);
            if (why == null) {
                failures.failed();
            }
            return why == null
                    ? null
                    : rollback(
                            cause + ", " + (gone.size() == 1 ? "which" : "which together") + " cannot go back alone ("
                                    + why + ")",
                            1);
        }
        return request.restart() ? rollback(cause, 1) : end(new JobFailure(1, cause + ": the job ends"));
    }

    private void snapshotAsked(JobEvent.SnapshotAsked asked) {
        if (snapshots == null) {
            try (ControlLine asker = asked.asker()) {
                asker.send(new ControlMessage.SnapshotFailed(-1, "the job was started without --checkpoint"));
            } catch (IOException e) {
                // mpjctl has not waited
            }
            return;
        }
        snapshots.ask(asked.asker());
        snapshots.want(asked.reason(), ranks);
    }

    /** With all ranks there, the job is said to run; and a snapshot may have been asked for when they could not hear it yet. */
    private void mayBeBack() {
        recovery.announce();
        if (snapshots != null && recovery.areRanksBack()) {
            snapshots.remind(ranks);
        }
    }

    private @Nullable Integer tick(long deadlineNanos) throws IOException {
        long now = machine.nanoTime();
        moves.tick(now);
        partitions.tick(now, ranks.all());
        if (snapshots != null) {
            snapshots.tick(now, ranks.all());
        }
        keepSpares();
        String late = returns == null ? null : returns.overdue(now);
        if (late != null) {
            return rollback(late, 1);
        }
        if (relocations != null) {
            relocations.expire(now);
        }
        JobFailure shown = trial == null ? null : trial.outcome(now);
        if (shown != null) {
            return end(shown);
        }
        JobFailure overdue = diagnosis.overdue(now, deadlineNanos);
        if (overdue == null && documents.isStatusDue(now)) {
            writeStatus();
        }
        return endIf(overdue == null && !isReturning() ? diagnosis.abandoned() : overdue);
    }

    /** Not before a snapshot of this life: until then the ranks need the processors, and there is little to go back for. */
    private void keepSpares() {
        boolean calm = snapshots != null
                && !rehearses
                && snapshots.committedCount() > committedBefore
                && ranks.haveMet()
                && !isReturning()
                && !moves.isUnderWay();
        if (calm && stopCode == 0) {
            spares.complete(ranks);
        }
    }

    private @Nullable Integer endIf(@Nullable JobFailure failure) {
        return failure == null ? null : end(failure);
    }

    private Integer end(JobFailure failure) {
        if (!ranks.interrupted()) {
            streams.say(failure.text());
        }
        moves.drop("the job ends");
        ranks.end(failure);
        return failure.exitCode();
    }

    /** Ctrl-C, SIGTERM or the like: ends all ranks; called in a shutdown hook, after which this JVM is gone. */
    public void interrupt() {
        if (state.equals("ended")) {
            return;
        }
        Integer termination = Thread.getAllStackTraces().keySet().stream()
                .map(thread -> TERMINATIONS.get(thread.getName()))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        stopCode = termination == null ? INTERRUPTED_EXIT_CODE : termination;
        if (termination != null) {
            lastSnapshot();
        }
        if (state.equals("ended")) {
            streams.flush(LAST_WORDS_NANOS);
            return;
        }
        ranks.interrupt();
        endDrills();
        streams.say("job " + name + " was interrupted");
        writeStatus();
        try {
            documents.writeJob(stopCode);
        } catch (IOException e) {
            // mpjctl will find a job without a launcher
        }
        places.ended(snapshots == null);
        streams.flush(LAST_WORDS_NANOS);
    }

    /** Whoever terminates a job, a batch system for instance, leaves some seconds: enough for what --resume goes on from. */
    private void lastSnapshot() {
        Snapshots known = snapshots;
        boolean takes = known != null && (request.transparent() || known.committedCount() > 0);
        if (known == null
                || !takes
                || !state.equals("running")
                || !recovery.awaited().isEmpty()) {
            return;
        }
        int before = known.committedCount();
        events.add(new JobEvent.Terminated());
        long endNanos = machine.nanoTime() + TimeUnit.SECONDS.toNanos(LAST_SNAPSHOT_SECONDS);
        while (known.committedCount() == before && !state.equals("ended") && machine.nanoTime() - endNanos < 0) {
            machine.pause(TICK_MILLIS * 1_000_000L);
        }
        if (known.committedCount() == before && state.equals("ended")) {
            return;
        }
        streams.say(
                known.committedCount() == before
                        ? "no last snapshot within " + LAST_SNAPSHOT_SECONDS + " s"
                        : "a last snapshot was taken: mpjrun --resume " + name + " goes on from there");
    }

    /** Also called as the JVM ends, while the loop may be anywhere: then for the last snapshot, which is known by then. */
    private synchronized void writeStatus() {
        int committed = snapshots == null ? -1 : snapshots.usableEpoch();
        documents.writeStatus(
                recovery.awaited().isEmpty() ? state : "waiting: " + recovery.awaited(),
                recovery.generation(),
                committed,
                snapshots == null ? "" : snapshots.unfinished(),
                request.variables().getOrDefault(WriteRate.VARIABLE, ""),
                snapshots == null ? "" : snapshots.drilled(),
                snapshots == null ? "" : snapshots.pace(),
                failures,
                spares.count(),
                returns != null ? returns.status() : Map.of("mode", request.restart() ? "restart" : "none"),
                ranks.all());
    }

    private static @Nullable Drills drills(
            JobLaunch launch, Path snapshots, @Nullable Hosts hosts, Consumer<JobEvent> events) {
        if (!RestoreDrill.isWanted(launch.request())) {
            return null;
        }
        return hosts == null
                ? Drills.here(new RestoreDrill(launch.request(), launch.installation(), snapshots), events)
                : new HostedDrills(hosts.images(), events);
    }

    private void endDrills() {
        if (snapshots != null) {
            snapshots.endDrills();
        }
    }

    private void finished(int code) {
        state = "ended";
        writeStatus();
        try {
            documents.writeJob(code);
        } catch (IOException e) {
            streams.say(
                    "that job " + name + " has ended with code " + code + " could not be written into " + e.getMessage()
                            + ": mpjctl shows it as one whose launcher is lost"
                            + (code == 0 ? "; it is complete: mpjctl remove " + name : ""));
        }
        try {
            coordination.state("ended " + code);
        } catch (CoordinationFailure e) {
            // what the job has come to is in its folder, and what it says to its caller is the code
            streams.say(
                    "that job " + name + " has ended with code " + code + " could not be announced: " + e.getMessage());
        }
        places.ended(code == 0 || snapshots == null);
    }

    @Override
    public void close() {
        control.close();
        members.close();
        places.close();
        streams.close();
    }
}
