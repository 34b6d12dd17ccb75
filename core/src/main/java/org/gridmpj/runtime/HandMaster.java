package org.gridmpj.runtime;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.Newcomers;
import org.gridmpj.job.RankTable;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;

/**
 * Rank 0 of a job started by hand, in the part of mpjrun: waits for the slaves' connections, hands out the IP table, and
 * ends all when one of them fails.
 *
 * <p>One thread per slave reads its connection. The tables of addresses are guarded by this object's monitor.
 */
final class HandMaster implements Parent {
    private static final int MAX_UNPROVED = 64;
    /** More missing ranks are counted only. */
    private static final int NAMED = 8;

    private final JobSpec job;
    private final IntConsumer halt;
    private final ControlLink[] slaves;
    private final boolean[] finalized;
    private final TreeMap<Integer, ControlMessage.Bound> bound = new TreeMap<>();
    private int tables;
    private RankTable latest = new RankTable(0, List.of());

    private HandMaster(JobSpec job, IntConsumer halt) {
        this.job = job;
        this.halt = halt;
        this.slaves = new ControlLink[job.size()];
        this.finalized = new boolean[job.size()];
    }

    /** Listens at the address until all slaves have come. */
    static HandMaster open(
            InetSocketAddress address, int size, JobSecret secret, Duration meetingTime, IntConsumer halt)
            throws IOException {
        try (ServerSocket server = new ServerSocket()) {
            server.setReuseAddress(true);
            server.bind(address);
            return open(server, size, secret, meetingTime, halt);
        }
    }

    /** As above, at a socket that listens; it is closed when all have come. */
    static HandMaster open(ServerSocket server, int size, JobSecret secret, Duration meetingTime, IntConsumer halt)
            throws IOException {
        HandMaster master =
                new HandMaster(new JobSpec("by-hand-" + ProcessHandle.current().pid(), size, 0), halt);
        master.gather(server, secret, meetingTime);
        for (int rank = 1; rank < size; rank++) {
            master.follow(rank);
        }
        return master;
    }

    private void gather(ServerSocket server, JobSecret secret, Duration meetingTime) throws IOException {
        HandWait waiting = new HandWait(meetingTime);
        String door = server.getInetAddress().getHostAddress() + ":" + server.getLocalPort();
        Newcomers newcomers = new Newcomers(MAX_UNPROVED, 2 * ControlLink.HANDSHAKE_MILLIS);
        IOException problem = null;
        while (!missing().isEmpty()) {
            if (waiting.leftNanos() <= 0) {
                throw new IOException(
                        missing().size() + " of " + (slaves.length - 1) + " slaves have not come within "
                                + meetingTime.toSeconds() + " s: " + missingRanks()
                                + (problem == null ? "" : "; the last connection could not be accepted: " + problem),
                        problem);
            }
            try {
                waiting.say("rank 0 waits at " + door + " for " + missingRanks());
                server.setSoTimeout(waiting.pauseMillis());
                Socket socket = server.accept();
                // a stranger who says little, slowly, keeps no slave waiting
                newcomers.meet(socket, "gridmpj-newcomer", () -> {
                    welcome(socket, secret, newcomers);
                    if (missing().isEmpty()) {
                        endAccepting(server);
                    }
                });
            } catch (SocketTimeoutException e) {
                // the loop says who is missing
            } catch (IOException e) {
                // closed because all have come, or there is no descriptor for a connection now
                if (server.isClosed() && !missing().isEmpty()) {
                    throw e;
                }
                problem = e;
                Newcomers.pauseUnlessClosed(server);
                if (Thread.currentThread().isInterrupted()) {
                    throw new IOException("interrupted while waiting for the slaves", e);
                }
            }
        }
    }

    private static void endAccepting(ServerSocket server) {
        try {
            server.close();
        } catch (IOException e) {
            // nobody can dial it any more either way
        }
    }

    private synchronized List<Integer> missing() {
        return IntStream.range(1, slaves.length)
                .filter(rank -> slaves[rank] == null)
                .boxed()
                .toList();
    }

    /** "ranks 1, 3", the first few of them. */
    private String missingRanks() {
        List<Integer> missing = missing();
        String named = missing.stream().limit(NAMED).map(String::valueOf).collect(Collectors.joining(", "));
        return (missing.size() == 1 ? "rank " : "ranks ")
                + named
                + (missing.size() > NAMED ? " and " + (missing.size() - NAMED) + " more" : "");
    }

    private void welcome(Socket socket, JobSecret secret, Newcomers newcomers) {
        String who = String.valueOf(socket.getRemoteSocketAddress());
        try {
            ControlLink link = ControlLink.accepted(socket, secret);
            boolean entered = false;
            try {
                ControlMessage first = link.receive(ControlLink.HANDSHAKE_MILLIS);
                entered = newcomers.remove(socket) && first instanceof ControlMessage.Hello hello && enter(hello, link);
            } finally {
                if (!entered) {
                    link.close();
                }
            }
        } catch (IOException e) {
            System.err.println("gridmpj: turned a connection of " + who + " away: " + e);
        } finally {
            boolean _ = newcomers.remove(socket);
        }
    }

    private synchronized boolean enter(ControlMessage.Hello hello, ControlLink link) throws IOException {
        int rank = hello.worldRank();
        if (rank <= 0 || rank >= slaves.length) {
            link.send(new ControlMessage.Shutdown(1, "the job has the ranks 0 to " + (slaves.length - 1)));
            return false;
        }
        if (slaves[rank] != null) {
            link.send(new ControlMessage.Shutdown(1, "there is a rank " + rank + " already"));
            return false;
        }
        link.send(new ControlMessage.Welcome(job, -1));
        slaves[rank] = link;
        return true;
    }

    private void follow(int rank) {
        Thread thread = new Thread(null, () -> read(rank), "gridmpj-slave-" + rank, 256 << 10);
        thread.setDaemon(true);
        thread.start();
    }

    private void read(int rank) {
        try {
            ControlMessage message;
            while ((message = slaves[rank].receive()) != null) {
                switch (message) {
                    case ControlMessage.Bound address -> bound(rank, address);
                    case ControlMessage.Finalized done -> setFinalized(rank);
                    case ControlMessage.Ending ending -> endAll(rank, ending);
                    default -> {}
                }
            }
        } catch (IOException e) {
            // as an end of file
        }
        if (!isFinalized(rank)) {
            endAll(
                    rank,
                    new ControlMessage.Ending(
                            ControlMessage.EndKind.UNCAUGHT, 1, "its process has ended without MPI.Finalize"));
        }
    }

    private synchronized void setFinalized(int rank) {
        finalized[rank] = true;
    }

    private synchronized boolean isFinalized(int rank) {
        return finalized[rank];
    }

    private synchronized void bound(int rank, ControlMessage.Bound address) {
        finalized[rank] = false;
        bound.put(rank, address);
        if (bound.size() < job.size()) {
            return;
        }
        List<RankTable.Entry> entries = new ArrayList<>();
        bound.forEach((r, a) -> entries.add(new RankTable.Entry(r, a.host(), a.port(), 0, a.hostId())));
        bound.clear();
        latest = new RankTable(tables++, entries);
        tell(new ControlMessage.Table(latest));
        notifyAll();
    }

    private void tell(ControlMessage message) {
        for (int rank = 1; rank < slaves.length; rank++) {
            try {
                slaves[rank].send(message);
            } catch (IOException e) {
                // its reading thread says that it is gone
            }
        }
    }

    private void endAll(int rank, ControlMessage.Ending ending) {
        ProgramOutput.flush();
        System.err.println("rank " + rank + " ended the job with code " + ending.exitCode() + ": " + ending.text());
        tell(new ControlMessage.Shutdown(ending.exitCode(), ending.text()));
        halt.accept(ending.exitCode());
    }

    @Override
    public JobSpec job() {
        return job;
    }

    @Override
    public int resumeEpoch() {
        return -1;
    }

    @Override
    public synchronized RankTable exchange(ControlMessage.Bound own) {
        int seen = tables;
        bound(0, own);
        while (tables == seen) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new MpiFailure(ErrorClass.OTHER, "interrupted while MPI.Init waited for the slaves", e);
            }
        }
        return latest;
    }

    @Override
    public void report(ControlMessage message) {
        // what concerns this rank is known here already
    }

    @Override
    public void listen(Consumer<ControlMessage> listener) {
        // a job started by hand has no snapshots and no later tables
    }

    @Override
    public void heartbeat(Supplier<ControlMessage.Heartbeat> source) {
        // the slaves see the end of the connection
    }

    @Override
    public void end(ControlMessage.EndKind kind, int exitCode, String text) {
        endAll(0, new ControlMessage.Ending(kind, exitCode, text));
    }
}
