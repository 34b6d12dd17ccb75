package org.gridmpj.launcher.job;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.job.RankTable;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.Durations;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.jspecify.annotations.Nullable;

/**
 * One job on this host, from its start to its exit code.
 *
 * <pre>
 *           ┌──────────── killed, and restart allowed: all ranks end, generation + 1 ───────────┐
 *           ▼                                                                                   │
 *   start all ranks ─▶ Connected × np ─▶ Bound × np ─▶ Table ─▶ … running … ─▶ Exited ──────────┤
 *                                                                                │              │
 *                                               all with 0 ─▶ 0                  └─▶ failure ─▶ end all ─▶ code
 * </pre>
 *
 * Everything happens on the thread that calls {@link #run}, which takes {@link JobEvent}s from a queue; only
 * {@link #interrupt} may be called by another.
 */
public final class LocalJob implements AutoCloseable {
    /** Exit code of a job whose time is over. */
    public static final int TIMEOUT_EXIT_CODE = 124;

    private static final int SIGNAL_BASE = 128;
    private static final int HIGHEST_SIGNAL = 64;
    private static final int SIGPIPE = 13;
    private static final long TICK_MILLIS = 100;
    private static final long STATUS_NANOS = 500_000_000L;
    private static final long GRACE_NANOS = 250_000_000L;
    /** After an exception: a rank that fails only because another is gone often reports first. */
    private static final long SETTLE_NANOS = 200_000_000L;

    private static final long CONNECT_NANOS = 60_000_000_000L;
    private static final int IDLE_BEATS_OF_A_HANG = 2;

    private final JobRequest request;
    private final JobFolder folder;
    private final Coordination coordination;
    private final SharedOutput err;
    private final LinkedBlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private final ControlServer control;
    private final RankStarter starter;
    private final OutputChannel[] stdout;
    private final OutputChannel[] stderr;
    private final @Nullable PromptWatch prompts;
    private final @Nullable StdinFeed stdin;
    private final @Nullable Snapshots snapshots;
    private final RestartPolicy restarts = new RestartPolicy();
    private final List<String> invitation;

    /** Written by the job's thread, read by {@link #interrupt} too. */
    private volatile RankSlot[] slots = new RankSlot[0];

    private volatile boolean interrupted;
    private int generation;
    private int tables;
    private @Nullable EpochManifest resumedFrom;
    private long lifeBeganNanos;
    private long stdinOffset;
    private @Nullable String resumption;
    private long crashNanos;
    private @Nullable Failure pending;
    private long pendingUntilNanos;
    private long statusNanos;
    private String state = "starting";

    /** Why the job ends. */
    private record Failure(int exitCode, String text, boolean byException) {}

    LocalJob(JobLaunch launch) throws IOException {
        this.request = launch.request();
        this.folder = launch.folder();
        this.coordination = launch.coordination();
        this.generation = launch.coordination().generation();
        JobLaunch.Outputs outputs = launch.outputs(() -> events.add(new JobEvent.OutputClosed()));
        this.err = outputs.err();
        this.invitation = launch.announcement();
        this.starter = new RankStarter(request, launch.installation(), folder.path(), launch.snapshotFolder());
        int size = request.size();
        this.stdout = new OutputChannel[size];
        this.stderr = new OutputChannel[size];
        for (int rank = 0; rank < size; rank++) {
            String tag = request.tagOutput() ? "[" + rank + "] " : "";
            String who = "rank " + rank;
            stdout[rank] = new OutputChannel(
                    outputs.out(),
                    JobFolder.log(folder.path(), rank, false),
                    tag,
                    request.checkpoints(),
                    offset -> say(who + " printed something else than before it went back (at byte " + offset
                            + " of its output): what had been shown already is not shown again"),
                    System::nanoTime);
            stderr[rank] = new OutputChannel(
                    err, JobFolder.log(folder.path(), rank, true), tag, request.checkpoints(), offset -> {}, System::nanoTime);
        }
        this.prompts = outputs.showsPrompts()
                ? new PromptWatch(
                        Stream.of(stdout, stderr).flatMap(Arrays::stream).toList())
                : null;
        this.stdin = request.checkpoints() ? new StdinFeed(launch.stdin()) : null;
        this.snapshots = launch.snapshotFolder() == null
                ? null
                : new Snapshots(launch.snapshotFolder(), folder.name(), size, generation, coordination, this::say);
        this.control = new ControlServer(launch.secret(), events::add);
    }

    private void say(String text) {
        err.line(text);
    }

    /** Runs the job; returns its exit code. */
    public int run(boolean resume) throws IOException {
        invitation.forEach(this::say);
        writeJob(null);
        int code = 1;
        try {
            begin(resume);
            code = loop();
        } catch (CoordinationFailure e) {
            say(e.getMessage() + ": the job ends");
        } finally {
            killAll();
            if (!interrupted) {
                finished("ended", code);
            }
        }
        return code;
    }

    private int loop() throws IOException {
        long deadlineNanos = request.timeout() == null
                ? Long.MAX_VALUE
                : lifeBeganNanos + request.timeout().toNanos();
        while (true) {
            JobEvent event = poll();
            Integer code = event == null ? null : react(event);
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

    /** Starts all ranks in fresh JVMs. */
    private void begin(boolean resume) throws IOException {
        lifeBeganNanos = System.nanoTime();
        EpochManifest from = null;
        if (resume && snapshots != null) {
            snapshots.beginGeneration(generation);
            from = snapshots.resumePoint();
        }
        resumedFrom = from;
        pending = null;
        RankSlot[] next = new RankSlot[request.size()];
        for (int rank = 0; rank < next.length; rank++) {
            RankImage image = from == null ? null : from.images().get(rank);
            stdout[rank].begin(image == null ? 0 : image.stdoutBytes(), image != null);
            stderr[rank].begin(image == null ? 0 : image.stderrBytes(), image != null);
            Process process = start(rank);
            if (rank == 0 && stdin != null) {
                stdinOffset = image == null ? 0 : image.stdinBytes();
                stdin.feed(process.getOutputStream(), stdinOffset);
            }
            next[rank] = new RankSlot(rank, generation, process, stdout[rank], stderr[rank], events::add);
            slots = Arrays.copyOf(next, rank + 1);
            if (interrupted) {
                killAll();
            }
        }
        state = "running";
        writeStatus();
    }

    private Process start(int rank) {
        try {
            return starter.start(rank, coordination.incarnation(rank), control.address());
        } catch (IOException e) {
            throw new UserError(1, "rank " + rank + " cannot be started: " + e.getMessage());
        }
    }

    /** Returns the job's exit code, or null while it goes on. */
    private @Nullable Integer react(JobEvent event) throws IOException {
        return switch (event) {
            case JobEvent.Connected connected -> {
                connected(connected.hello(), connected.link());
                yield null;
            }
            case JobEvent.Said said -> said.life() == generation ? said(slots[said.worldRank()], said.message()) : null;
            case JobEvent.Exited exited ->
                exited.life() == generation ? exited(slots[exited.worldRank()], exited.status()) : null;
            case JobEvent.SnapshotAsked asked -> {
                snapshotAsked(asked);
                yield null;
            }
            case JobEvent.OutputClosed closed ->
                endAll(new Failure(
                        SIGNAL_BASE + SIGPIPE, "nobody reads the output of job " + folder.name() + " any more", false));
        };
    }

    private void connected(ControlMessage.Hello hello, ControlLink link) {
        int rank = hello.worldRank();
        if (rank < 0
                || rank >= slots.length
                || hello.incarnation() != coordination.incarnation(rank)
                || slots[rank].process.pid() != hello.pid()
                || slots[rank].link != null) {
            link.close();
            return;
        }
        RankSlot slot = slots[rank];
        slot.connect(link, events::add);
        slot.tell(new ControlMessage.Welcome(
                folder.name(),
                request.size(),
                generation,
                resumedFrom == null ? -1 : resumedFrom.id().epoch()));
    }

    private @Nullable Integer said(RankSlot slot, ControlMessage message) throws IOException {
        switch (message) {
            case ControlMessage.Heartbeat beat -> slot.beat(beat);
            case ControlMessage.Bound bound -> bound(slot, bound);
            case ControlMessage.Finalized finalized -> slot.finalized = true;
            case ControlMessage.Restored restored -> {
                slot.stdout.restored(restored.stdoutBytes());
                slot.stderr.restored(restored.stderrBytes());
                slot.restored = true;
                announceResumption();
            }
            case ControlMessage.SnapshotWritten written
            when snapshots != null -> {
                snapshots.written(generation, slot.worldRank, inProgramOffsets(slot, written), slots);
                if (stdin != null) {
                    stdin.committed(snapshots.committedStdin());
                }
            }
            case ControlMessage.SnapshotFailed failed
            when snapshots != null -> snapshots.failed(generation, slot.worldRank, failed, slots);
            case ControlMessage.RestoreFailed failed
            when snapshots != null -> {
                snapshots.restoreFailed(slot.worldRank, failed);
                return rollback("snapshot " + failed.epoch() + " did not restore", 1);
            }
            case ControlMessage.Ending ending -> {
                return ending(slot, ending);
            }
            default ->
                say("rank " + slot.worldRank + " has sent an unexpected "
                        + message.getClass().getSimpleName());
        }
        return null;
    }

    private ControlMessage.SnapshotWritten inProgramOffsets(RankSlot slot, ControlMessage.SnapshotWritten written) {
        return new ControlMessage.SnapshotWritten(
                written.epoch(),
                written.file(),
                written.bytes(),
                written.crc32c(),
                written.stallNanos(),
                slot.stdout.offset(written.stdoutBytes()),
                slot.stderr.offset(written.stderrBytes()),
                slot.worldRank == 0 ? stdinOffset + written.stdinBytes() : 0);
    }

    private void bound(RankSlot slot, ControlMessage.Bound bound) {
        slot.bound = bound;
        slot.finalized = false;
        slot.joined = true;
        coordination.join(slot.worldRank, bound.host() + ":" + bound.port());
        List<RankTable.Entry> entries = new ArrayList<>();
        for (RankSlot each : slots) {
            ControlMessage.Bound at = each.bound;
            if (at == null) {
                return;
            }
            entries.add(new RankTable.Entry(
                    each.worldRank, at.host(), at.port(), coordination.incarnation(each.worldRank), at.hostId()));
        }
        if (entries.size() < request.size()) {
            return;
        }
        ControlMessage.Table table = new ControlMessage.Table(new RankTable(tables++, entries));
        for (RankSlot each : slots) {
            each.bound = null;
            each.tell(table);
        }
        announceResumption();
    }

    /** Says once per rollback that the job runs again: when all ranks have their state back, or began anew. */
    private void announceResumption() {
        if (resumption == null || (resumedFrom != null && !Arrays.stream(slots).allMatch(slot -> slot.restored))) {
            return;
        }
        say(resumption + Durations.seconds(System.nanoTime() - crashNanos));
        resumption = null;
    }

    private @Nullable Integer ending(RankSlot slot, ControlMessage.Ending ending) {
        slot.ending = ending;
        return switch (ending.kind()) {
            case EXIT -> null; // the process status, which comes next, has the code
            case ABORT ->
                endAll(new Failure(
                        ending.exitCode(),
                        "rank " + slot.worldRank + " (" + place(slot) + ") called MPI.Abort(" + ending.exitCode() + ")"
                                + (ending.text().isEmpty() ? "" : ": " + ending.text()),
                        false));
            case UNCAUGHT -> {
                fail(new Failure(
                        ending.exitCode(),
                        "rank " + slot.worldRank + " (" + place(slot) + ") ended the job with an uncaught exception: "
                                + ending.text(),
                        true));
                yield null;
            }
        };
    }

    private static String place(RankSlot slot) {
        return "this host, pid " + slot.process.pid();
    }

    /** Takes the failure to its end a little later: what caused it may have a report of its own under way. */
    private void fail(Failure failure) {
        if (pending == null) {
            pending = failure;
            pendingUntilNanos = System.nanoTime() + SETTLE_NANOS;
        } else if (secondary(pending) && !secondary(failure)) {
            pending = failure;
        }
    }

    private static boolean secondary(Failure failure) {
        return failure.byException() && failure.text().contains("PROC_FAILED");
    }

    private @Nullable Integer exited(RankSlot slot, int status) throws IOException {
        slot.exitStatus = status;
        if (slot.joined) {
            coordination.leave(slot.worldRank);
        }
        ControlMessage.Ending ending = slot.ending;
        int signal = ending == null ? status - SIGNAL_BASE : 0;
        if (signal > 0 && signal <= HIGHEST_SIGNAL) {
            return killed(slot, signal);
        }
        slot.stdout.finish();
        slot.stderr.finish();
        if (status == 0) {
            return Arrays.stream(slots).allMatch(each -> Integer.valueOf(0).equals(each.exitStatus)) && pending == null
                    ? Integer.valueOf(0)
                    : null;
        }
        if (ending != null && ending.kind() != ControlMessage.EndKind.EXIT) {
            return null; // reported already
        }
        if (slot.link == null) {
            return endAll(new Failure(
                    status,
                    "the JVM of rank " + slot.worldRank + " ended with code " + status + " before the program began"
                            + (request.jvmOptions().isEmpty()
                                    ? ""
                                    : " (its options: --jvm " + request.jvmOptions() + ")"),
                    false));
        }
        return endAll(new Failure(
                status,
                "rank " + slot.worldRank + " (" + place(slot) + ") ended the job with System.exit(" + status + ")",
                false));
    }

    private @Nullable Integer killed(RankSlot slot, int signal) throws IOException {
        String what = "rank " + slot.worldRank + " was killed (signal " + signal + ")";
        if (request.restart() && !interrupted) {
            return rollback(what, SIGNAL_BASE + signal);
        }
        slot.stdout.finish();
        slot.stderr.finish();
        return endAll(new Failure(SIGNAL_BASE + signal, what + ", " + place(slot) + ": the job ends", false));
    }

    /** All ranks go back to the last committed epoch, in fresh JVMs. */
    private @Nullable Integer rollback(String cause, int codeIfGivenUp) throws IOException {
        crashNanos = System.nanoTime();
        killAll();
        long mpiCalls = 0;
        for (RankSlot slot : slots) {
            mpiCalls += slot.heartbeat.mpiCalls();
        }
        int committed = snapshots == null ? 0 : snapshots.committedCount();
        if (!restarts.again(mpiCalls, committed)) {
            say(cause + ", for the " + RestartPolicy.MAX_FRUITLESS
                    + "rd time in a row without any progress: the job is given up");
            return codeIfGivenUp;
        }
        if (!coordination.raiseGeneration(generation)) {
            say(cause + "; another launcher has taken job " + folder.name() + " over: this one ends");
            return codeIfGivenUp;
        }
        generation++;
        for (int rank = 0; rank < request.size(); rank++) {
            int incarnation = coordination.incarnation(rank);
            if (!coordination.raiseIncarnation(rank, incarnation)) {
                throw new CoordinationFailure("rank " + rank + " was started anew by another launcher", null);
            }
        }
        long committedNanos = snapshots == null ? 0 : snapshots.latestNanos();
        begin(true);
        if (resumedFrom == null) {
            resumption = cause + ": no snapshot yet, started again from the beginning in ";
        } else {
            String lost = committedNanos == 0 || resumedFrom.id().epoch() != latestEpoch()
                    ? ""
                    : " (" + Durations.seconds(crashNanos - committedNanos) + " lost)";
            resumption = cause + ": back to snapshot " + resumedFrom.id().epoch() + lost + ", resumed in ";
        }
        return null;
    }

    private int latestEpoch() {
        return snapshots == null ? -1 : snapshots.latestEpoch();
    }

    private void snapshotAsked(JobEvent.SnapshotAsked asked) {
        if (snapshots == null) {
            try (ControlLink asker = asked.asker()) {
                asker.send(new ControlMessage.SnapshotFailed(-1, "the job was started without --checkpoint"));
            } catch (IOException e) {
                // mpjctl has not waited
            }
            return;
        }
        snapshots.ask(asked.asker());
        for (RankSlot slot : slots) {
            slot.tell(new ControlMessage.CheckpointNow(asked.reason()));
        }
    }

    private @Nullable Integer tick(long deadlineNanos) {
        long now = System.nanoTime();
        Failure failure = pending;
        if (failure != null && now >= pendingUntilNanos) {
            return endAll(failure);
        }
        if (now > deadlineNanos) {
            return endAll(new Failure(TIMEOUT_EXIT_CODE, "the job's time is over" + whereRanksAre(), false));
        }
        if (now - lifeBeganNanos > CONNECT_NANOS) {
            for (RankSlot slot : slots) {
                if (slot.running() && slot.link == null) {
                    return endAll(new Failure(
                            1,
                            "the JVM of rank " + slot.worldRank + " has not come up within "
                                    + CONNECT_NANOS / 1_000_000_000L + " s",
                            false));
                }
            }
        }
        if (now - statusNanos > STATUS_NANOS) {
            writeStatus();
        }
        return abandoned();
    }

    /** A rank has left without Finalize, and all that are still there wait: they would wait for ever. */
    private @Nullable Integer abandoned() {
        RankSlot left = null;
        for (RankSlot slot : slots) {
            if (slot.running()) {
                boolean waitsForAll = slot.bound != null;
                if (!waitsForAll && slot.idleBeats < IDLE_BEATS_OF_A_HANG) {
                    return null;
                }
            } else if (!slot.finalized) {
                left = slot;
            }
        }
        if (left == null || Arrays.stream(slots).noneMatch(RankSlot::running)) {
            return null;
        }
        return endAll(new Failure(
                1,
                "rank " + left.worldRank + " has ended without MPI.Finalize while the others wait for it"
                        + whereRanksAre(),
                false));
    }

    private String whereRanksAre() {
        StringBuilder text = new StringBuilder();
        for (RankSlot slot : slots) {
            if (slot.running()) {
                ControlMessage.Heartbeat beat = slot.heartbeat;
                String where = beat.where().isEmpty() ? "" : " in " + beat.where();
                text.append(text.isEmpty() ? ": " : ", ")
                        .append("rank ")
                        .append(slot.worldRank)
                        .append(' ')
                        .append(slot.bound != null ? "waiting in MPI.Init" : beat.state() + where);
            }
        }
        return text.toString();
    }

    private int endAll(Failure failure) {
        if (!interrupted) {
            say(failure.text());
        }
        long untilNanos = System.nanoTime() + GRACE_NANOS;
        for (RankSlot slot : slots) {
            slot.tell(new ControlMessage.Shutdown(failure.exitCode(), failure.text()));
        }
        for (RankSlot slot : slots) {
            try {
                boolean _ = slot.process.waitFor(Math.max(0, untilNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts the job's thread", e);
            }
        }
        killAll();
        for (RankSlot slot : slots) {
            slot.stdout.finish();
            slot.stderr.finish();
        }
        return failure.exitCode();
    }

    private void killAll() {
        for (RankSlot slot : slots) {
            slot.process.destroyForcibly();
        }
        for (RankSlot slot : slots) {
            slot.kill();
        }
    }

    /** Ctrl-C or SIGTERM: ends all ranks; called in a shutdown hook, after which this JVM is gone. */
    public void interrupt() {
        if (state.equals("ended")) {
            return;
        }
        interrupted = true;
        killAll();
        // a rank that was being started meanwhile
        killAll();
        say("job " + folder.name() + " was interrupted");
        try {
            writeJob(SIGNAL_BASE + 2);
        } catch (IOException e) {
            // mpjctl will find a job without a launcher
        }
    }

    private void writeStatus() {
        statusNanos = System.nanoTime();
        try {
            folder.writeJson("status.json", StatusDocument.of(state, generation, latestEpoch(), slots), false);
        } catch (IOException e) {
            // a full disk: mpjctl shows what was last written
        }
    }

    private void finished(String endState, int code) throws IOException {
        state = endState;
        writeStatus();
        writeJob(code);
        coordination.state("ended " + code);
    }

    private void writeJob(@Nullable Integer exitCode) throws IOException {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("version", JobFolder.VERSION);
        document.put("name", folder.name());
        document.put("launcherPid", ProcessHandle.current().pid());
        document.put(
                "control",
                control.address().getHostString() + ":" + control.address().getPort());
        document.put("started", Instant.now().toString());
        document.put("exitCode", exitCode);
        document.put("request", request.toJson());
        folder.writeJson("job.json", document, request.checkpoints());
    }

    @Override
    public void close() {
        control.close();
        if (prompts != null) {
            prompts.close();
        }
        for (int rank = 0; rank < stdout.length; rank++) {
            stdout[rank].close();
            stderr[rank].close();
        }
    }
}
