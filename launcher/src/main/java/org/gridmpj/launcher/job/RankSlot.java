package org.gridmpj.launcher.job;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.OutputPump;
import org.jspecify.annotations.Nullable;

/**
 * One rank in its present life. Confined to the job's thread, but for the threads that pump its output and wait for its
 * end, which only post events.
 */
final class RankSlot {
    private static final int PUMP_BYTES = 64 << 10;

    /** Time for the rest of what a process said that has ended. */
    private static final long DRAIN_MILLIS = 1000;

    /** How long a process that is killed, or a death that is to be told, waits for who reads the launcher's output. */
    static final long PATIENCE_NANOS = 1_000_000_000L;

    private static final long REAPING_NANOS = 10_000_000_000L;

    final int worldRank;
    final int life;
    final int incarnation;
    /** Name of its host, or empty for this one. */
    final String host;

    final Process process;
    final OutputChannel stdout;
    final OutputChannel stderr;
    private final Machine machine;
    /** Of stdout and stderr, or none if nobody reads them yet. */
    private volatile List<OutputPump> pumps = List.of();

    private volatile int stdoutLife;
    private volatile int stderrLife;

    @Nullable
    ControlLine link;

    private volatile @Nullable Thread follower;
    ControlMessage.@Nullable Bound bound;
    ControlMessage.@Nullable Ending ending;
    ControlMessage.Heartbeat heartbeat = new ControlMessage.Heartbeat(0, "starting", "", 0, List.of());
    boolean joined;
    boolean finalized;
    boolean restored;
    /** The program goes on without having asked for its state, and what that means is not settled yet. */
    ControlMessage.@Nullable Unasked unasked;
    /** Whether all that the process said to the launcher before its end was read; written before its exit is an event. */
    private volatile boolean heardToTheEnd;

    @Nullable
    Integer exitStatus;
    /** The process that is to be the rank when this one has ended, if it was started before that. */
    @Nullable
    Successor successor;
    /** The launcher ends this process so that the rank goes on in its successor. */
    boolean leaving;
    /** Beats in a row in which the rank waited without making an MPI call. */
    int idleBeats;

    RankSlot(
            int worldRank,
            int life,
            int incarnation,
            String host,
            Process process,
            OutputChannel stdout,
            OutputChannel stderr,
            Machine machine,
            Consumer<JobEvent> events) {
        this.worldRank = worldRank;
        this.life = life;
        this.incarnation = incarnation;
        this.host = host;
        this.process = process;
        this.stdout = stdout;
        this.stderr = stderr;
        this.machine = machine;
        Thread _ = machine.daemon("wait-" + worldRank, () -> await(events));
    }

    /** Reads the process's output from now on: a rank has one process at a time whose output is read. */
    void readOutput() {
        stdoutLife = stdout.life();
        stderrLife = stderr.life();
        pumps = List.of(
                pump(process.getInputStream(), stdout, stdoutLife, "stdout-" + worldRank),
                pump(process.getErrorStream(), stderr, stderrLife, "stderr-" + worldRank));
    }

    private OutputPump pump(InputStream in, OutputChannel out, int ofLife, String name) {
        return OutputPump.start(
                name, in, PUMP_BYTES, (bytes, length) -> out.accept(ofLife, bytes, length), () -> {}, machine::start);
    }

    private void await(Consumer<JobEvent> events) {
        try {
            int status = process.waitFor();
            // a job that ends well ends when all is shown; after a death it does something, and must not wait for a
            // reader
            boolean _ = OutputPump.awaitEnds(pumps, status == 0 ? Long.MAX_VALUE : PATIENCE_NANOS);
            Thread reading = follower;
            if (reading != null) {
                reading.join(DRAIN_MILLIS);
            }
            heardToTheEnd = reading == null || !reading.isAlive();
            events.accept(new JobEvent.Exited(life, worldRank, incarnation, status));
        } catch (InterruptedException e) {
            // nobody interrupts this thread
            Thread.currentThread().interrupt();
        }
    }

    /** The rank's control connection is here. */
    void connect(ControlLine newLink, Consumer<JobEvent> events) {
        link = newLink;
        follower = ControlServer.follow(newLink, life, worldRank, incarnation, machine, events);
    }

    /** Sends to the rank; if it is gone, its process says so. */
    void tell(ControlMessage message) {
        ControlLine to = link;
        if (to != null) {
            try {
                to.send(message);
            } catch (IOException e) {
                // the end of the process is an event of its own
            }
        }
    }

    /** The rank has said that its process is about to end. */
    void ends(ControlMessage.Ending message) {
        ending = message;
        tell(new ControlMessage.Farewell());
    }

    /** Whether what the process said last is known; asked when it has ended. */
    boolean isHeardToTheEnd() {
        return heardToTheEnd;
    }

    boolean running() {
        return exitStatus == null;
    }

    /** The program has its state back. */
    void restored(ControlMessage.Restored message) {
        stdout.restored(message.stdoutBytes());
        stderr.restored(message.stderrBytes());
        restored = true;
    }

    /** No rank's program has asked for its state: they run from their beginning. */
    void beginAnew() {
        stdout.anew();
        stderr.anew();
        restored = true;
        unasked = null;
    }

    /** The program has not asked for its state, but others have: it goes on as these do. */
    void goOn(ControlMessage.Unasked message) {
        restored(new ControlMessage.Restored(
                message.epoch(), message.stdoutBytes(), message.stderrBytes(), message.stdinBytes()));
        unasked = null;
    }

    /**
     * What is left of the last lines is passed on, but for a stream of which more is waiting for the reader.
     *
     * @param byItself whether the process has ended by itself, and not because the job ends
     */
    void finishOutput(boolean byItself) {
        List<OutputPump> reading = pumps;
        if (reading.isEmpty() || !reading.getFirst().isTaking()) {
            stdout.finish(byItself);
        }
        if (reading.isEmpty() || !reading.getLast().isTaking()) {
            stderr.finish(byItself);
        }
    }

    /** Whether something of its output waits for who reads the launcher's. */
    boolean awaitsReader() {
        return pumps.stream().anyMatch(OutputPump::isTaking);
    }

    /** SIGKILL. Process.destroyForcibly would close the pipes too, and what is in them is still to be read. */
    void sendKill() {
        if (process instanceof RemoteProcess) {
            process.destroyForcibly();
        } else {
            boolean _ = process.toHandle().destroyForcibly();
        }
    }

    /** SIGKILL, and waits until the process is reaped and its output read, as {@link #PATIENCE_NANOS} allows. */
    void kill() {
        kill(PATIENCE_NANOS);
    }

    /**
     * SIGKILL, and waits until the process is reaped and its output read.
     *
     * @param patienceNanos for who reads the launcher's output; what he has not taken by then is dropped. Long.MAX_VALUE: he
     *     gets all of it
     */
    void kill(long patienceNanos) {
        long beganNanos = machine.nanoTime();
        sendKill();
        try {
            boolean reaped = process.waitFor(Math.min(patienceNanos, REAPING_NANOS), TimeUnit.NANOSECONDS);
            if (!reaped && patienceNanos < REAPING_NANOS) {
                // the end of a process at an agent comes after its output
                dropOutput();
                boolean _ = process.waitFor(REAPING_NANOS, TimeUnit.NANOSECONDS);
            }
            long leftNanos = patienceNanos - (machine.nanoTime() - beganNanos);
            if (!OutputPump.awaitEnds(pumps, leftNanos)) {
                if (patienceNanos < Long.MAX_VALUE) {
                    dropOutput();
                }
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void dropOutput() {
        if (awaitsReader()) {
            stdout.drop(stdoutLife);
            stderr.drop(stderrLife);
        }
    }

    /**
     * Another process is the rank, and all that this one wrote as the rank is here: SIGKILL, without waiting for a host that
     * may be out of reach, nor for who reads the launcher's output.
     */
    void replaced() {
        process.destroyForcibly();
        if (process instanceof RemoteProcess remote) {
            remote.lost();
        }
        kill(0);
    }

    /** "process 4711 at host h1", for people. */
    String place() {
        return "process " + process.pid() + (host.isEmpty() ? "" : " at host " + host);
    }

    /** "rank 3 at host h1", for people. */
    String name() {
        return "rank " + worldRank + (host.isEmpty() ? "" : " at host " + host);
    }

    void beat(ControlMessage.Heartbeat next) {
        // "finalized" before Finalized has come: it waits for the others' goodbyes
        boolean waiting = next.state().equals("waiting") || (next.state().equals("finalized") && !finalized);
        boolean waits = waiting && next.mpiCalls() == heartbeat.mpiCalls();
        idleBeats = waits ? idleBeats + 1 : 0;
        heartbeat = next;
    }
}
