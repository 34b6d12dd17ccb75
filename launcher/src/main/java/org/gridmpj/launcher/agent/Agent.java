package org.gridmpj.launcher.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.Newcomers;
import org.gridmpj.launcher.Installation;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.AgentRegistry;
import org.jspecify.annotations.Nullable;

/**
 * One host's agent: registers it, and serves launchers (a job each) and other agents (copies of images).
 *
 * <p>Each connection has a thread. Whoever does not prove the cluster's secret is dropped; at most {@value #MAX_UNPROVED}
 * may be trying at a time: the oldest makes room.
 */
public final class Agent implements AutoCloseable {
    private static final int MAX_UNPROVED = 64;
    private static final int FIRST_MESSAGE_MILLIS = 10_000;
    private static final Duration LEFTOVERS_EVERY = Duration.ofDays(1);
    private static final int ZOOKEEPER_MILLIS = 60_000;
    private static final int OTHER_MILLIS = 2_000;

    /**
     * What an agent is to be.
     *
     * @param host its name
     * @param address that the others dial
     * @param port 0 for a free one
     * @param slots ranks that it is good for
     */
    public record Place(String host, String address, int port, int slots) {}

    private final Place place;
    private final JobSecret cluster;
    private final UserFolders user;
    private final Installation installation;
    private final ServerSocket server;
    private final DiskWatch disk = new DiskWatch();
    private final long instance = new SecureRandom().nextLong(1L << 53);
    private final Newcomers newcomers = new Newcomers(MAX_UNPROVED, 2 * FIRST_MESSAGE_MILLIS);
    private final Map<String, AgentJob> jobs = new ConcurrentHashMap<>();
    private volatile @Nullable AgentRegistry registry;
    private volatile boolean closed;

    public Agent(Place place, JobSecret cluster, UserFolders user, Installation installation) throws IOException {
        this.place = place;
        this.cluster = cluster;
        this.user = user;
        this.installation = installation;
        this.server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(InetAddress.getByName(place.address()), place.port()), MAX_UNPROVED);
    }

    /** Where it listens. */
    public int port() {
        return server.getLocalPort();
    }

    /** Makes the host known, waiting for ZooKeeper if need be. */
    public void register(String zookeeper) {
        AgentRegistry opened = new AgentRegistry(zookeeper, ZOOKEEPER_MILLIS);
        registry = opened;
        refuseNameOfAnother(opened);
        opened.register(registration());
    }

    /**
     * What one that has died has left is written over, before its session is over; one that answers would stay registered, but
     * where this one is.
     */
    private void refuseNameOfAnother(AgentRegistry known) {
        for (AgentRegistration other : known.agents()) {
            boolean here = other.address().equals(place.address()) && other.port() == port();
            if (other.host().equals(place.host()) && !here) {
                try (AgentLink _ = AgentLink.dial(other.address(), other.port(), OTHER_MILLIS, cluster)) {
                    throw new CoordinationFailure(
                            "host " + place.host() + " has an agent already, at " + other.address() + ":" + other.port()
                                    + ": end it first, or give this one another name by --name",
                            null);
                } catch (IOException e) {
                    // nobody is there any more
                }
            }
        }
    }

    private AgentRegistration registration() {
        int used = jobs.values().stream().mapToInt(AgentJob::running).sum();
        return new AgentRegistration(place.host(), place.address(), port(), place.slots(), used, instance);
    }

    /** The number of ranks has changed; said as far as ZooKeeper can be reached. */
    void ranksChanged() {
        AgentRegistry known = registry;
        if (known != null && !closed) {
            try {
                known.register(registration());
            } catch (CoordinationFailure e) {
                // the next change says it
            }
        }
    }

    /** Serves until {@link #close}. */
    public void serve() {
        Thread _ = AgentJob.start("leftovers", this::removeLeftovers);
        while (!closed) {
            try {
                Socket socket = server.accept();
                newcomers.meet(socket, "agent-peer", () -> meet(socket));
            } catch (IOException e) {
                // closed, a peer that was gone before it was accepted, or no descriptor for it
                Newcomers.pauseUnlessClosed(server);
            }
        }
    }

    private void removeLeftovers() {
        try {
            while (!closed) {
                Set<String> parts = jobs.values().stream()
                        .flatMap(job -> job.parts().stream())
                        .collect(Collectors.toSet());
                Leftovers.remove(user.root().resolve("agent"), Set.copyOf(jobs.keySet()), parts, Instant.now());
                Thread.sleep(LEFTOVERS_EVERY);
            }
        } catch (InterruptedException e) {
            // nobody interrupts this thread
            Thread.currentThread().interrupt();
        }
    }

    private void meet(Socket socket) {
        try {
            AgentLink link;
            AgentMessage first;
            try {
                link = AgentLink.accepted(socket, cluster);
                first = link.receive(FIRST_MESSAGE_MILLIS);
            } finally {
                boolean _ = newcomers.remove(socket);
            }
            try (link) {
                switch (first) {
                    case AgentMessage.Open open -> run(open, link);
                    case AgentMessage.Store store -> keep(store, link);
                    case AgentMessage.Deliver delivery -> take(delivery, link);
                    case AgentMessage.Drop dropped -> drop(dropped, link);
                    case null, default -> {}
                }
            }
        } catch (IOException e) {
            // a stranger, or a peer that is gone
        }
    }

    private void run(AgentMessage.Open open, AgentLink link) throws IOException {
        AgentJob job;
        try {
            job = new AgentJob(open, link, place, cluster, user, installation, this::ranksChanged);
        } catch (IOException | IllegalArgumentException e) {
            link.send(new AgentMessage.Done(0, "host " + place.host() + " cannot take the job: " + e.getMessage()));
            return;
        }
        AgentJob before = jobs.put(open.job(), job);
        if (before != null) {
            // its launcher is dead or has dropped the connection: none of its ranks may be left
            before.end();
        }
        try {
            job.serve();
        } finally {
            job.end();
            jobs.remove(open.job(), job);
            ranksChanged();
        }
    }

    private void keep(AgentMessage.Store store, AgentLink link) throws IOException {
        answer(link, () -> JobImages.keep(AgentJob.folder(user, store.job()), store, link, disk));
    }

    private void drop(AgentMessage.Drop dropped, AgentLink link) throws IOException {
        answer(link, () -> {
            Path folder = AgentJob.folder(user, dropped.job());
            if (jobs.containsKey(dropped.job())) {
                throw new IOException("the job runs there");
            }
            JobImages.removeTree(folder);
            if (Files.exists(folder)) {
                throw new IOException("its folder " + folder + " there could not be removed");
            }
        });
    }

    private void take(AgentMessage.Deliver delivery, AgentLink link) throws IOException {
        answer(link, () -> {
            if (!jobs.containsKey(delivery.job())) {
                throw new IOException("host " + place.host() + " knows no job " + delivery.job());
            }
            MovingImage.take(AgentJob.folder(user, delivery.job()), delivery, link);
        });
    }

    private static void answer(AgentLink link, AgentJob.FileWork work) throws IOException {
        String error = "";
        try {
            work.run();
        } catch (IOException | IllegalArgumentException e) {
            error = AgentJob.words(e);
        }
        link.send(new AgentMessage.Done(0, error));
    }

    /** Ends all ranks, and this agent. */
    @Override
    public void close() {
        closed = true;
        jobs.values().forEach(AgentJob::end);
        AgentRegistry known = registry;
        if (known != null) {
            known.close();
        }
        try {
            server.close();
        } catch (IOException e) {
            // nobody can dial it any more either way
        }
    }
}
