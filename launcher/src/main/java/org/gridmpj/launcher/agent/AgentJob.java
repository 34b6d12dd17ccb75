package org.gridmpj.launcher.agent;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.control.ControlCodec;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.Installation;
import org.gridmpj.launcher.Json;
import org.gridmpj.launcher.Sha256;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.RankProcess;
import org.gridmpj.launcher.job.ControlServer;
import org.gridmpj.launcher.job.JobRequest;
import org.gridmpj.launcher.job.RankStarter;
import org.gridmpj.launcher.job.RestoreDrill;
import org.gridmpj.runtime.RankEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * One job at this agent, for as long as its launcher is there: when the connection ends, or the launcher is silent for a
 * lease, all ranks are ended. The images stay for a launcher that resumes the job.
 *
 * <pre>
 *   agent/NAME/          secret, snapshots/ (images and copies), and images of ranks that move
 *   agent/parts/HASH.jar the programs' jars, for all jobs
 * </pre>
 *
 * The ranks' control connections come to this process, over loopback: a rank whose agent dies sees the end of file and
 * halts, so none is left behind.
 */
final class AgentJob {
    /** Folder of the programs' jars, beside those of the jobs. */
    static final String PARTS = "parts";

    private static final int BEATS_PER_LEASE = 4;
    private static final int LOOKS_PER_LEASE = 10;

    private final AgentMessage.Open open;
    private final AgentLink link;
    private final Agent.Place place;
    private final JobSecret cluster;
    private final Path folder;
    private final Path snapshots;
    private final JobRequest request;
    private final RankStarter starter;
    private final RestoreDrill drill;
    private final ControlServer control;
    private final Runnable ranksChanged;
    private final Map<RankProcess, AgentRank> ranks = new ConcurrentHashMap<>();
    /** A thread for each request under way: a copy that waits for a dead partner must not hold up the way back. */
    private final ExecutorService files = Executors.newCachedThreadPool(task -> thread("images", task));

    private final RankQueues queues = new RankQueues();

    private volatile boolean ended;

    AgentJob(
            AgentMessage.Open open,
            AgentLink link,
            Agent.Place place,
            JobSecret cluster,
            UserFolders user,
            Installation installation,
            Runnable ranksChanged)
            throws IOException {
        this.open = open;
        this.link = link;
        this.place = place;
        this.cluster = cluster;
        this.ranksChanged = ranksChanged;
        this.folder = folder(user, open.job());
        UserFolders.createOwnerOnly(folder);
        this.snapshots = UserFolders.createOwnerOnly(JobImages.snapshots(folder));
        MovingImage.discardAll(folder);
        writeSecret();
        Path parts = UserFolders.createOwnerOnly(user.root().resolve("agent").resolve(PARTS));
        this.request = request(parts);
        Installation ranksOwn = open.draftNames() ? installation.withDraftNames() : installation;
        this.starter = new RankStarter(request, ranksOwn, folder, request.checkpoints() ? snapshots : null);
        this.drill = new RestoreDrill(request, ranksOwn, snapshots);
        this.control = new ControlServer(JobSecret.of(open.secret()), this::met);
        try {
            fetch(parts);
        } catch (IOException e) {
            control.close();
            throw e;
        }
    }

    /** The folder of a job. */
    static Path folder(UserFolders user, String job) throws IOException {
        if (!job.matches("[\\w.-]+") || job.startsWith(".") || job.equals(PARTS)) {
            throw new IllegalArgumentException("\"" + job + "\" is no name of a job");
        }
        return UserFolders.createOwnerOnly(user.root().resolve("agent")).resolve(job);
    }

    static Thread start(String name, Runnable body) {
        Thread thread = thread(name, body);
        thread.start();
        return thread;
    }

    /** One that does little, and ends with this process. */
    static Thread thread(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 256 << 10);
        thread.setDaemon(true);
        return thread;
    }

    private void writeSecret() throws IOException {
        Path file = folder.resolve(RankEnvironment.SECRET_FILE);
        Files.deleteIfExists(file);
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(file, open.secret());
    }

    /** What the user asked for, with the paths of this host. */
    private JobRequest request(Path parts) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>(Json.parseObject(open.request()));
        List<String> jars =
                open.parts().stream().map(name -> part(parts, name).toString()).toList();
        json.put("classPath", jars);
        if (!Files.isDirectory(Path.of(String.valueOf(json.get("workingFolder"))))) {
            json.put("workingFolder", folder.toString());
        }
        return JobRequest.fromJson(json);
    }

    private static Path part(Path parts, String name) {
        if (!name.matches("[0-9a-f]{64}\\.jar")) {
            throw new IllegalArgumentException("\"" + name + "\" is no name of a jar");
        }
        return parts.resolve(name);
    }

    /** Asks for the jars that are not here; one gets its name only if that is the hash of what is on the disk. */
    private void fetch(Path parts) throws IOException {
        List<String> wanted = open.parts().stream()
                .distinct()
                .filter(name -> !Files.exists(part(parts, name)))
                .toList();
        open.parts().stream()
                .filter(name -> !wanted.contains(name))
                .forEach(name -> Leftovers.touch(part(parts, name)));
        link.send(new AgentMessage.Wanted(wanted));
        List<String> changed = new ArrayList<>();
        for (String name : wanted) {
            MessageDigest digest = Sha256.digest();
            Path coming = Files.createTempFile(parts, "coming", ".jar");
            try {
                try (FileChannel channel = FileChannel.open(coming, StandardOpenOption.WRITE)) {
                    boolean last = false;
                    while (!last) {
                        if (!(link.receive() instanceof AgentMessage.Part part)
                                || !part.name().equals(name)) {
                            throw new ProtocolException("the launcher does not send what it offered");
                        }
                        ByteBuffer bytes = part.bytes();
                        digest.update(bytes.duplicate());
                        while (bytes.hasRemaining()) {
                            channel.write(bytes);
                        }
                        last = part.last();
                    }
                    channel.force(true);
                }
                if (name.equals(HexFormat.of().formatHex(digest.digest()) + ".jar")) {
                    Files.move(coming, part(parts, name), StandardCopyOption.ATOMIC_MOVE);
                    JobImages.force(parts);
                } else {
                    changed.add(name);
                }
            } finally {
                Files.deleteIfExists(coming);
            }
        }
        if (!changed.isEmpty()) {
            // after all of them: who still sends would not read the refusal
            throw new IOException(
                    "the jar " + String.join(", ", changed)
                            + " has changed since the job began (its content does not fit its name): start or resume the job anew");
        }
        if (!wanted.isEmpty()) {
            link.send(new AgentMessage.Wanted(List.of()));
        }
    }

    /** Names of the program's jars. */
    List<String> parts() {
        return open.parts();
    }

    /** Number of ranks that run. */
    int running() {
        return (int) ranks.values().stream().filter(AgentRank::isAlive).count();
    }

    /** Serves the launcher until it is gone. */
    void serve() {
        Thread _ = start("lease", this::watch);
        Thread _ = start("beat", this::beat);
        try {
            AgentMessage message;
            while (!ended && (message = link.receive()) != null) {
                take(message);
            }
        } catch (IOException e) {
            // as an end of file: the launcher is gone
        }
    }

    private void beat() {
        try {
            while (!ended) {
                link.send(new AgentMessage.Beat());
                Thread.sleep(open.leaseMillis() / BEATS_PER_LEASE);
            }
        } catch (IOException | InterruptedException e) {
            link.close();
        }
    }

    /** Ends the job when the launcher is silent; sends nothing, for a send may not return. */
    private void watch() {
        int periodMillis = Math.max(1, open.leaseMillis() / LOOKS_PER_LEASE);
        try {
            while (!ended) {
                Thread.sleep(periodMillis);
                if (link.silenceNanos() > open.leaseMillis() * 1_000_000L) {
                    System.err.println("job " + open.job() + ": its launcher has given no sign of life for "
                            + open.leaseMillis() + " ms: its ranks end");
                    end();
                }
            }
        } catch (InterruptedException e) {
            // nobody interrupts this thread
            Thread.currentThread().interrupt();
        }
    }

    private void tell(AgentMessage message) {
        try {
            link.send(message);
        } catch (IOException e) {
            link.close();
        }
    }

    private void take(AgentMessage message) throws IOException {
        switch (message) {
            case AgentMessage.Beat beat -> {}
            case AgentMessage.Start m -> {
                // at once, as what is to be done for that rank may wait for this process
                predecessors(m.of()).forEach(AgentRank::abandon);
                queues.execute(m.of().worldRank(), () -> startRank(m.of()));
            }
            case AgentMessage.Control m -> {
                byte[] frame = new byte[m.frame().remaining()];
                m.frame().get(frame);
                ControlMessage said = ControlCodec.read(new ByteArrayInputStream(frame));
                if (said != null) {
                    with(m.of(), rank -> rank.control(said));
                }
            }
            case AgentMessage.Input m -> with(m.of(), rank -> rank.input(m.bytes()));
            case AgentMessage.Consumed m -> {
                AgentRank rank = ranks.get(m.of());
                if (rank != null) {
                    rank.consumed(m.stream(), m.bytes());
                }
            }
            case AgentMessage.Kill m -> {
                AgentRank rank = ranks.get(m.of());
                if (rank != null) {
                    rank.kill();
                } else {
                    with(m.of(), AgentRank::kill);
                }
            }
            case AgentMessage.Copy m -> answer(m.request(), () -> JobImages.copy(snapshots, open.job(), m, cluster));
            case AgentMessage.Check m -> answer(m.request(), () -> JobImages.check(snapshots, m));
            case AgentMessage.Put m -> answer(m.request(), () -> JobImages.put(snapshots, m.file(), m.content()));
            case AgentMessage.Drill m -> files.execute(() -> drill(m));
            case AgentMessage.Ship m -> answer(m.request(), () -> MovingImage.ship(folder, open.job(), m, cluster));
            case AgentMessage.Discard m -> files.execute(() -> MovingImage.discard(folder, m.file()));
            case AgentMessage.Remove m -> files.execute(() -> JobImages.remove(snapshots, m.epochFolder()));
            case AgentMessage.Keep m ->
                files.execute(() -> JobImages.keepOnly(snapshots, m.generation(), m.epochFolders()));
            case AgentMessage.Forget m -> {
                end();
                JobImages.removeTree(folder);
            }
            default -> throw new ProtocolException("a launcher does not send " + message);
        }
    }

    /** Does something for a process, after all that came for its rank before. */
    private void with(RankProcess of, Consumer<AgentRank> work) {
        queues.execute(of.worldRank(), () -> {
            AgentRank rank = ranks.get(of);
            if (rank != null) {
                work.accept(rank);
            }
        });
    }

    /** Processes of that rank that are not to live beside a new one. */
    private List<AgentRank> predecessors(RankProcess wanted) {
        return ranks.entrySet().stream()
                .filter(each -> each.getKey().worldRank() == wanted.worldRank())
                .filter(each -> each.getKey().life() != wanted.life()
                        || !each.getValue().isAlive())
                .map(Map.Entry::getValue)
                .toList();
    }

    private void startRank(RankProcess wanted) {
        List<AgentRank> before = predecessors(wanted);
        before.forEach(AgentRank::end);
        synchronized (this) {
            ranks.values().removeAll(before);
            if (ended) {
                return;
            }
            try {
                Process process = starter.start(
                        wanted.worldRank(), wanted.incarnation(), control.address(), place.address(), true);
                ranks.put(wanted, new AgentRank(wanted, process, this::tell, ranksChanged));
                if (ended) {
                    process.destroyForcibly();
                }
            } catch (IOException e) {
                tell(new AgentMessage.Exited(wanted, 1, String.valueOf(e.getMessage())));
                return;
            }
        }
        ranksChanged.run();
    }

    /** A process on this host has proved the job's secret. */
    private synchronized void met(ControlMessage first, ControlLink newLink) {
        AgentRank rank = first instanceof ControlMessage.Hello hello ? awaited(hello) : null;
        if (first instanceof ControlMessage.Hello hello && rank != null) {
            rank.connected(hello, newLink);
        } else {
            newLink.close();
        }
    }

    private @Nullable AgentRank awaited(ControlMessage.Hello hello) {
        for (Map.Entry<RankProcess, AgentRank> each : ranks.entrySet()) {
            RankProcess of = each.getKey();
            AgentRank rank = each.getValue();
            if (of.worldRank() == hello.worldRank()
                    && of.incarnation() == hello.incarnation()
                    && rank.pid() == hello.pid()
                    && !rank.isConnected()) {
                return rank;
            }
        }
        return null;
    }

    /** Something that is done with files. */
    interface FileWork {
        void run() throws IOException;
    }

    private void drill(AgentMessage.Drill wanted) {
        try {
            JobImages.put(snapshots, wanted.file(), wanted.content());
            boolean begun = drill.begin(
                    wanted.worldRank(),
                    said -> tell(new AgentMessage.Done(
                            wanted.request(), said.substring(0, Math.min(said.length(), AgentMessage.CHUNK_BYTES)))));
            if (!begun) {
                tell(new AgentMessage.Done(wanted.request(), "another drill is under way"));
            }
        } catch (IOException | RuntimeException e) {
            tell(new AgentMessage.Done(wanted.request(), "no drill: " + e));
        }
    }

    /** What has gone wrong with a file, for people: the message of some exceptions is only its name. */
    static String words(Exception e) {
        String message = e.getMessage();
        return switch (e) {
            case NoSuchFileException gone -> "there is no " + gone.getFile();
            case AccessDeniedException denied -> denied.getFile() + ": permission denied";
            default -> message == null ? e.toString() : message;
        };
    }

    private void answer(int number, FileWork work) {
        files.execute(() -> {
            String error = "";
            try {
                work.run();
            } catch (IOException | IllegalArgumentException e) {
                error = words(e);
            } catch (RuntimeException e) {
                error = e.toString(); // who asks waits for an answer, whatever it is
            }
            tell(new AgentMessage.Done(number, error));
        });
    }

    /** Ends all ranks; returns when they are gone. Idempotent. */
    void end() {
        ended = true;
        link.close();
        ranks.values().forEach(AgentRank::kill);
        ranks.values().forEach(AgentRank::end);
        drill.end();
        control.close();
        queues.close();
        files.shutdown();
    }
}
