package org.gridmpj.launcher.job;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * One rank in its present life. Confined to the job's thread, but for the threads that pump its output and wait for its
 * end, which only post events.
 */
final class RankSlot {
    private static final int PUMP_BYTES = 64 << 10;

    /** Time for the rest of the output of a process that has ended, when a child of its own holds the pipe. */
    private static final long DRAIN_MILLIS = 1000;

    final int worldRank;
    final int life;
    final int incarnation;
    /** Name of its host, or empty for this one. */
    final String host;

    final Process process;
    final OutputChannel stdout;
    final OutputChannel stderr;
    private volatile Thread[] pumps = {};

    @Nullable
    ControlLine link;

    private volatile @Nullable Thread follower;
    ControlMessage.@Nullable Bound bound;
    ControlMessage.@Nullable Ending ending;
    ControlMessage.Heartbeat heartbeat = new ControlMessage.Heartbeat(0, "starting", "", 0);
    boolean joined;
    boolean finalized;
    boolean restored;
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
            Consumer<JobEvent> events) {
        this.worldRank = worldRank;
        this.life = life;
        this.incarnation = incarnation;
        this.host = host;
        this.process = process;
        this.stdout = stdout;
        this.stderr = stderr;
        daemon("wait-" + worldRank, () -> await(events));
    }

    private static void daemon(String name, Runnable body) {
        thread(name, body).start();
    }

    private static Thread thread(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 256 << 10);
        thread.setDaemon(true);
        return thread;
    }

    /** Reads the process's output from now on: a rank has one process at a time whose output is read. */
    void readOutput() {
        Thread[] reading = {
            pump(process.getInputStream(), stdout, "stdout-" + worldRank),
            pump(process.getErrorStream(), stderr, "stderr-" + worldRank)
        };
        for (Thread pump : reading) {
            pump.start();
        }
        pumps = reading;
    }

    private static Thread pump(InputStream in, OutputChannel out, String name) {
        int life = out.life();
        return thread(name, () -> {
            byte[] buffer = new byte[PUMP_BYTES];
            try {
                int length;
                while ((length = in.read(buffer)) >= 0) {
                    out.accept(life, buffer, length);
                }
            } catch (IOException e) {
                // the process is gone
            }
        });
    }

    private void await(Consumer<JobEvent> events) {
        try {
            int status = process.waitFor();
            for (Thread pump : pumps) {
                pump.join(DRAIN_MILLIS);
            }
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
        follower = ControlServer.follow(newLink, life, worldRank, incarnation, events);
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

    /** What is left of the last lines is passed on. */
    void finishOutput() {
        stdout.finish();
        stderr.finish();
    }

    /** SIGKILL, and waits until the process is reaped and its output read. */
    void kill() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
            for (Thread pump : pumps) {
                pump.join(DRAIN_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Another process is the rank, and all that this one wrote as the rank is here: SIGKILL, without waiting for a host that
     * may be out of reach.
     */
    void replaced() {
        process.destroyForcibly();
        if (process instanceof RemoteProcess remote) {
            remote.lost();
        }
        kill();
    }

    /** "process 4711 at host h1", for people. */
    String place() {
        return "process " + process.pid() + (host.isEmpty() ? "" : " at host " + host);
    }

    void beat(ControlMessage.Heartbeat next) {
        // "finalized" before Finalized has come: it waits for the others' goodbyes
        boolean waiting = next.state().equals("waiting") || (next.state().equals("finalized") && !finalized);
        boolean waits = waiting && next.mpiCalls() == heartbeat.mpiCalls();
        idleBeats = waits ? idleBeats + 1 : 0;
        heartbeat = next;
    }
}
