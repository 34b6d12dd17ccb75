package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.coordination.Coordination;
import org.jspecify.annotations.Nullable;

/**
 * All ranks of a job in their present life: their processes, how they find each other, their common end.
 *
 * <pre>
 *   start all ─▶ Connected × np ─▶ Bound × np ─▶ Table to all ─▶ … ─▶ Shutdown to all, a moment of grace, SIGKILL
 * </pre>
 *
 * Confined to the job's thread; only {@link #interrupt} may be called by another.
 */
final class Ranks {
    private static final long GRACE_NANOS = 250_000_000L;

    private final JobRequest request;
    private final RankPlaces places;
    private final Coordination coordination;
    private final Members members;
    private final JobStreams streams;
    private final Machine machine;
    private final Consumer<JobEvent> events;

    private JobSpec job;

    /** Written by the job's thread, read by {@link #interrupt} too. */
    private volatile RankSlot[] slots = new RankSlot[0];

    private volatile boolean interrupted;
    private int tables;
    private List<RankTable.Entry> addresses = List.of();
    private long beganNanos;

    Ranks(
            String jobName,
            JobRequest request,
            RankPlaces places,
            Coordination coordination,
            Members members,
            JobStreams streams,
            Machine machine,
            Consumer<JobEvent> events) {
        this.job = new JobSpec(jobName, request.size(), 0);
        this.request = request;
        this.places = places;
        this.coordination = coordination;
        this.members = members;
        this.streams = streams;
        this.machine = machine;
        this.events = events;
    }

    /** Finds out which places there are. */
    void reach(boolean resumed) {
        places.reach(resumed);
    }

    /** Waits until there are other places than there are now, or more room; returns whether it may be tried again. */
    boolean awaitOthers(long nanos) {
        return places.awaitOthers(nanos);
    }

    /**
     * Chooses places for all ranks, and brings there what they start from.
     *
     * @param from the epoch that they go back to, or null for the beginning
     */
    void prepare(int generation, @Nullable EpochManifest from) throws IOException {
        places.prepare(generation, from);
    }

    /** Starts all ranks in fresh JVMs, where {@link #prepare} has chosen. */
    void start(int generation, @Nullable EpochManifest from) throws IOException {
        job = new JobSpec(
                job.jobName(),
                generation,
                IntStream.range(0, size()).mapToObj(places::host).toList());
        beganNanos = machine.nanoTime();
        addresses = List.of();
        RankSlot[] next = new RankSlot[request.size()];
        for (int rank = 0; rank < next.length; rank++) {
            RankImage image = from == null ? null : from.images().get(rank);
            streams.begin(rank, image);
            RankPlaces.Beside begun = startProcess(rank, generation);
            if (rank == 0) {
                streams.feed(begun.process(), image);
            }
            next[rank] = new RankSlot(
                    rank,
                    generation,
                    coordination.incarnation(rank),
                    places.host(rank),
                    begun.process(),
                    streams.stdout(rank),
                    streams.stderr(rank),
                    machine,
                    events);
            next[rank].readOutput();
            if (begun.link() != null) {
                welcome(next[rank], begun.link(), from == null ? -1 : from.id().epoch());
            }
            slots = Arrays.copyOf(next, rank + 1);
            if (interrupted) {
                kill();
            }
        }
    }

    private RankPlaces.Beside startProcess(int rank, int generation) {
        try {
            return places.start(rank, coordination.incarnation(rank), generation);
        } catch (IOException e) {
            throw new UserError(1, "rank " + rank + " cannot be started: " + e.getMessage());
        }
    }

    /** What all processes of this life agree on. */
    JobSpec job() {
        return job;
    }

    /** Whose time it is, and who waits for processes. */
    Machine machine() {
        return machine;
    }

    /** Number of ranks of the job. */
    int size() {
        return request.size();
    }

    /** Whether this is the process that is the rank. */
    boolean isPresent(int worldRank, int incarnation) {
        return slots[worldRank].incarnation == incarnation;
    }

    /** Whether all ranks run and have met, so that each has an address. */
    boolean haveMet() {
        return addresses.size() == request.size()
                && Arrays.stream(slots).allMatch(slot -> slot.running() && slot.bound == null);
    }

    /** The table of all, with one rank in another process. */
    ControlMessage.Table tableWith(int worldRank, int incarnation, ControlMessage.Bound at) {
        List<RankTable.Entry> entries = new ArrayList<>(addresses);
        entries.set(worldRank, new RankTable.Entry(worldRank, at.host(), at.port(), incarnation, at.hostId()));
        return new ControlMessage.Table(new RankTable(tables++, entries));
    }

    /** A rank has died: no table names its present process any more, which may live on at a host that is out of reach. */
    void goesBack(int worldRank, int incarnation) {
        List<RankTable.Entry> entries = new ArrayList<>(addresses);
        entries.set(worldRank, entries.get(worldRank).goesBack(incarnation));
        addresses = entries;
    }

    /** From here on another process is the rank, and all are told so. */
    void replace(RankSlot by, ControlMessage.Table table) {
        RankSlot[] next = slots.clone();
        next[by.worldRank] = by;
        slots = next;
        addresses = table.table().entries();
        tell(table);
    }

    /**
     * The present process of a rank that may go on in another one.
     *
     * @throws IOException saying why it may not now
     */
    RankSlot movable(int worldRank) throws IOException {
        if (worldRank < 0 || worldRank >= size()) {
            throw new IOException("there is no rank " + worldRank);
        }
        RankSlot slot = slots[worldRank];
        if (!haveMet() || slot.finalized) {
            throw new IOException("the ranks have not all come out of MPI.Init, or some have ended");
        }
        return slot;
    }

    RankSlot slot(int worldRank) {
        return slots[worldRank];
    }

    RankSlot[] all() {
        return slots;
    }

    /** When this life began, by {@link Machine#nanoTime}. */
    long beganNanos() {
        return beganNanos;
    }

    /** A process says that it is a rank: it is welcomed if it is the one that was started as that rank. */
    void connected(ControlMessage.Hello hello, ControlLine link, int resumedEpoch) {
        int rank = hello.worldRank();
        if (rank < 0
                || rank >= slots.length
                || slots[rank].process.pid() != hello.pid()
                || slots[rank].link != null
                || hello.incarnation() != coordination.incarnation(rank)) {
            link.close();
            return;
        }
        welcome(slots[rank], link, resumedEpoch);
    }

    /** Tells a process of the present life first what the job is, and where it begins; from here on what it says is heard. */
    void welcome(RankSlot slot, ControlLine link, int resumeEpoch) {
        slot.connect(link, events);
        slot.tell(new ControlMessage.Welcome(job, resumeEpoch));
    }

    /**
     * A rank listens at an address. When all do, each gets the table of all.
     *
     * @return whether that was now
     */
    boolean bound(RankSlot slot, ControlMessage.Bound bound) {
        slot.bound = bound;
        slot.finalized = false;
        slot.joined = true;
        members.joined(slot.worldRank, bound);
        List<RankTable.Entry> entries = new ArrayList<>();
        for (RankSlot each : slots) {
            ControlMessage.Bound at = each.bound;
            if (at == null) {
                return false;
            }
            entries.add(new RankTable.Entry(
                    each.worldRank, at.host(), at.port(), coordination.incarnation(each.worldRank), at.hostId()));
        }
        if (entries.size() < request.size()) {
            return false;
        }
        addresses = entries;
        ControlMessage.Table table = new ControlMessage.Table(new RankTable(tables++, entries));
        for (RankSlot each : slots) {
            each.bound = null;
            each.tell(table);
        }
        return true;
    }

    /** A rank has something for another one. If that one has just died its next process is knocked for when it listens. */
    void passOn(ControlMessage.Knock knock) {
        tell(knock.toRank(), knock);
    }

    /** A rank has called Finalize, and says so to those with whom it has never had to do. */
    void passOn(ControlMessage.Goodbye goodbye) {
        for (int rank : goodbye.toRanks()) {
            tell(rank, new ControlMessage.Goodbye(goodbye.fromRank(), List.of(rank)));
        }
    }

    private void tell(int worldRank, ControlMessage message) {
        if (worldRank >= 0 && worldRank < slots.length) {
            slots[worldRank].tell(message);
        }
    }

    void tell(ControlMessage message) {
        for (RankSlot slot : slots) {
            slot.tell(message);
        }
    }

    /** The ranks whose processes were started there and have not ended by themselves. */
    List<Integer> ranksOf(RankPlaces.Host host) {
        return Arrays.stream(slots)
                .filter(slot -> slot.running() && host.has(slot.process))
                .map(slot -> slot.worldRank)
                .toList();
    }

    boolean anyRestored() {
        return Arrays.stream(slots).anyMatch(slot -> slot.restored);
    }

    /** Those whose programs go on without having asked for their state; none before all others have got theirs. */
    List<RankSlot> unasked() {
        return Arrays.stream(slots).allMatch(slot -> slot.restored || slot.unasked != null)
                ? Arrays.stream(slots).filter(slot -> slot.unasked != null).toList()
                : List.of();
    }

    boolean allRestored() {
        return Arrays.stream(slots).allMatch(slot -> slot.restored);
    }

    boolean allEndedWithZero() {
        return Arrays.stream(slots).allMatch(slot -> Integer.valueOf(0).equals(slot.exitStatus));
    }

    /** MPI calls that all ranks have made in this life, as far as their heartbeats say. */
    long mpiCalls() {
        long sum = 0;
        for (RankSlot slot : slots) {
            sum += slot.heartbeat.mpiCalls();
        }
        return sum;
    }

    /** Tells all ranks why they end, and ends those that do not; then all their output is out. */
    void end(JobFailure failure) {
        long untilNanos = machine.nanoTime() + GRACE_NANOS;
        tell(new ControlMessage.Shutdown(failure.exitCode(), failure.text()));
        for (RankSlot slot : slots) {
            try {
                boolean _ = slot.process.waitFor(Math.max(0, untilNanos - machine.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException("nobody interrupts the job's thread", e);
            }
        }
        killLast();
        for (RankSlot slot : slots) {
            slot.finishOutput(false);
        }
    }

    /** SIGKILL to all; returns when they are gone, without waiting long for who reads the launcher's output. */
    void kill() {
        kill(RankSlot.PATIENCE_NANOS);
    }

    /** SIGKILL to all at the end of the job; returns when they are gone and all that they wrote is on its way. */
    void killLast() {
        kill(Long.MAX_VALUE);
    }

    private void kill(long patienceNanos) {
        long beganNanos = machine.nanoTime();
        for (RankSlot slot : slots) {
            slot.sendKill();
        }
        for (RankSlot slot : slots) {
            slot.kill(
                    patienceNanos == Long.MAX_VALUE
                            ? Long.MAX_VALUE
                            : Math.max(0, patienceNanos - (machine.nanoTime() - beganNanos)));
        }
    }

    /** Kills all ranks, and those that are being started meanwhile. */
    void interrupt() {
        interrupted = true;
        kill();
        // a rank that was being started meanwhile
        kill();
    }

    boolean interrupted() {
        return interrupted;
    }
}
