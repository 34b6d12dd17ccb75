package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Pattern;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * Prestarted JVMs of a job on this host: for each rank a process that would be its next incarnation. It has loaded what a rank has
 * loaded before main, has dialled the launcher, and waits for its Welcome; until then it uses no processor. Confined to the job's
 * thread.
 *
 * <pre>
 *   a snapshot is committed ─▶ one after the other: started ─▶ Hello ─▶ waits ─▶ taken: Welcome, and it goes on as any rank's process
 *                                                                 └─ its rank has another incarnation by now, or it ends: another one
 * </pre>
 */
public final class Spares {
    /** Variable of a job's request: {@value #NONE} starts no JVM before it is needed. */
    public static final String VARIABLE = "GRIDMPJ_SPARES";

    public static final String NONE = "none";

    /** A job of more ranks has none: their memory would be felt. */
    private static final int MOST_RANKS = 8;

    private static final long LEAST_AVAILABLE_BYTES = 2L << 30;
    private static final long START_NANOS = 30_000_000_000L;
    /** So many that were not taken and have ended: something is against them. */
    private static final int MOST_DEAD = 3;

    /** Options that two JVMs of a rank can have at a time, and that touch no memory and no file before main. */
    private static final Pattern HARMLESS = Pattern.compile(
            "-D(?!com[.]sun[.]management).*|-Xm[xsn].*|-Xss.*|-XX:\\+Use.*|-XX:-Use.*|-ea.*|-da.*|--enable-.*|--add-.*");

    /** Starts what would be a rank's next process. */
    @FunctionalInterface
    interface Start {
        Process of(int worldRank, int incarnation) throws IOException;
    }

    private final Machine machine;
    private final Start start;
    private final @Nullable Spare[] spares;
    private int dead;

    private static final class Spare {
        final Process process;
        final int incarnation;
        final long begunNanos;

        @Nullable
        ControlLine link;

        Spare(Process process, int incarnation, long begunNanos) {
            this.process = process;
            this.incarnation = incarnation;
            this.begunNanos = begunNanos;
        }

        boolean isReady() {
            return link != null && process.isAlive();
        }
    }

    private Spares(int ranks, Machine machine, Start start) {
        this.machine = machine;
        this.start = start;
        this.spares = new @Nullable Spare[ranks];
    }

    /**
     * None for a job that wants none, has ranks at other hosts or many of them, never goes back, or has options with which two JVMs of
     * a rank might disturb each other.
     */
    static Spares of(JobRequest request, Machine machine, Start start) {
        boolean wanted = request.checkpoints()
                && !request.hosted()
                && request.restart()
                && request.size() <= MOST_RANKS
                && !NONE.equals(request.variables().get(VARIABLE))
                && request.jvmOptions().stream()
                        .allMatch(option -> HARMLESS.matcher(option).matches());
        return new Spares(wanted ? request.size() : 0, machine, start);
    }

    /**
     * All ranks compute, and there is a snapshot of this life: what has become useless is ended, and the next one that is missing is
     * started, if the one before has come. Not for ever, if they die.
     */
    void complete(Ranks ranks) {
        boolean starting = false;
        for (int rank = 0; rank < spares.length; rank++) {
            Spare spare = spares[rank];
            if (spare == null) {
                continue;
            }
            boolean isLate = spare.link == null && machine.nanoTime() - spare.begunNanos > START_NANOS;
            if (!spare.process.isAlive() || isLate) {
                dead++;
                drop(rank);
            } else if (spare.incarnation != ranks.slot(rank).incarnation + 1) {
                drop(rank);
            } else {
                starting |= spare.link == null;
            }
        }
        int missing = Arrays.asList(spares).indexOf(null);
        if (missing < 0 || starting || dead >= MOST_DEAD || !machine.hasRoom(LEAST_AVAILABLE_BYTES)) {
            return;
        }
        int incarnation = ranks.slot(missing).incarnation + 1;
        try {
            spares[missing] = new Spare(start.of(missing, incarnation), incarnation, machine.nanoTime());
        } catch (IOException e) {
            // no process to be had now: tried again at the next tick
        }
    }

    /** Takes a connection if it is that of a spare. */
    boolean connected(ControlMessage.Hello hello, ControlLine link) {
        for (Spare spare : spares) {
            if (spare != null && spare.link == null && spare.process.pid() == hello.pid()) {
                spare.link = link;
                return true;
            }
        }
        return false;
    }

    /** The process that waits to be this incarnation of a rank; null if there is none. */
    RankPlaces.@Nullable Beside take(int worldRank, int incarnation) {
        Spare spare = worldRank < spares.length ? spares[worldRank] : null;
        if (spare == null || !spare.isReady() || spare.incarnation != incarnation) {
            return null;
        }
        spares[worldRank] = null;
        return new RankPlaces.Beside("", spare.process, Objects.requireNonNull(spare.link));
    }

    /** How many wait. */
    int count() {
        return (int) Arrays.stream(spares)
                .filter(spare -> spare != null && spare.isReady())
                .count();
    }

    private void drop(int rank) {
        Spare spare = Objects.requireNonNull(spares[rank]);
        spares[rank] = null;
        spare.process.destroyForcibly();
        if (spare.link != null) {
            spare.link.close();
        }
    }

    /** The job ends. */
    void close() {
        for (int rank = 0; rank < spares.length; rank++) {
            if (spares[rank] != null) {
                drop(rank);
            }
        }
    }
}
