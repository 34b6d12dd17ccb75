package org.gridmpj.launcher.job;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.gridmpj.job.control.ControlCodec;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.RankProcess;
import org.jspecify.annotations.Nullable;

/**
 * A job's connection with one agent: the processes there, the requests under way. Two threads of its own, one reads, one beats.
 */
final class HostLink implements AgentHost {
    private static final int OPEN_MILLIS = 60_000;
    private static final int BEATS_PER_LEASE = 4;

    /** A process of a rank and, from its first message on, its line. */
    private static final class Rank {
        final RankProcess self;
        final RemoteProcess process;
        volatile @Nullable RelayedLine line;

        Rank(RankProcess self, RemoteProcess process) {
            this.self = self;
            this.process = process;
        }
    }

    private final AgentRegistration agent;
    private final AgentLink link;
    private final Listener listener;
    private final Map<RankProcess, Rank> ranks = new ConcurrentHashMap<>();
    private final Map<Integer, CompletableFuture<String>> requests = new ConcurrentHashMap<>();
    /** What other hosts were asked to bring here. */
    private final Map<Integer, CompletableFuture<String>> coming = new ConcurrentHashMap<>();

    private final AtomicInteger lastRequest = new AtomicInteger();
    private volatile boolean ended;

    private HostLink(AgentRegistration agent, AgentLink link, Listener listener) {
        this.agent = agent;
        this.link = link;
        this.listener = listener;
    }

    /**
     * Opens the job at an agent: shows which jars the program has, and sends those that are missing there.
     *
     * @param parts jar of each name in {@code open.parts()}
     */
    static HostLink open(
            AgentRegistration agent, AgentLink link, AgentMessage.Open open, Map<String, Path> parts, Listener listener)
            throws IOException {
        HostLink host = new HostLink(agent, link, listener);
        try {
            link.send(open, OPEN_MILLIS);
            List<String> wanted = host.wanted();
            for (String name : wanted) {
                Path jar = parts.get(name);
                if (jar == null) {
                    throw new ProtocolException("the agent wants a jar that was not offered");
                }
                host.sendPart(name, jar);
            }
            if (!wanted.isEmpty() && !host.wanted().isEmpty()) {
                throw new ProtocolException("the agent could not keep the program's jars");
            }
        } catch (IOException | RuntimeException e) {
            link.close();
            throw e;
        }
        start("host-" + agent.host(), host::read);
        start("beat-" + agent.host(), () -> host.beat(open.leaseMillis() / BEATS_PER_LEASE));
        return host;
    }

    private static void start(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 256 << 10);
        thread.setDaemon(true);
        thread.start();
    }

    private List<String> wanted() throws IOException {
        return switch (link.receive(OPEN_MILLIS)) {
            case AgentMessage.Wanted wanted -> wanted.parts();
            case AgentMessage.Done refused -> throw new IOException(refused.error());
            case null -> throw new IOException("the agent has closed the connection");
            default -> throw new ProtocolException("the agent does not keep to the protocol");
        };
    }

    private void sendPart(String name, Path jar) throws IOException {
        try (InputStream in = Files.newInputStream(jar)) {
            boolean last = false;
            while (!last) {
                byte[] bytes = in.readNBytes(AgentMessage.CHUNK_BYTES);
                last = bytes.length < AgentMessage.CHUNK_BYTES;
                link.send(new AgentMessage.Part(name, last, ByteBuffer.wrap(bytes)), OPEN_MILLIS);
            }
        }
    }

    @Override
    public AgentRegistration agent() {
        return agent;
    }

    @Override
    public String name() {
        return agent.host();
    }

    @Override
    public boolean has(Process process) {
        return process instanceof RemoteProcess remote && remote.isOf(this);
    }

    @Override
    public Process start(RankProcess wanted) throws IOException {
        ranks.values()
                .removeIf(before -> before.self.worldRank() == wanted.worldRank()
                        && (before.self.life() != wanted.life() || !before.process.isAlive()));
        if (ranks.containsKey(wanted)) {
            throw new IOException("a process of rank " + wanted.worldRank()
                    + " that was given up before has not ended yet at host " + name() + ": try again");
        }
        RemoteProcess process = new RemoteProcess(this, wanted, this::tell);
        ranks.put(wanted, new Rank(wanted, process));
        tell(new AgentMessage.Start(wanted));
        if (ended) {
            process.lost();
        }
        return process;
    }

    @Override
    public CompletableFuture<String> request(IntFunction<AgentMessage> message) {
        int number = lastRequest.incrementAndGet();
        CompletableFuture<String> answer = new CompletableFuture<>();
        requests.put(number, answer);
        tell(message.apply(number));
        if (ended) {
            giveUpRequests();
        }
        return answer;
    }

    @Override
    public CompletableFuture<String> comes(CompletableFuture<String> answer) {
        int number = lastRequest.incrementAndGet();
        coming.put(number, answer);
        CompletableFuture<String> noted = answer.whenComplete((error, failure) -> coming.remove(number));
        if (ended) {
            giveUpRequests();
        }
        return noted;
    }

    @Override
    public void tell(AgentMessage message) {
        try {
            link.send(message);
        } catch (IOException e) {
            link.close();
        }
    }

    @Override
    public long silenceNanos() {
        return link.silenceNanos();
    }

    @Override
    public boolean isEnded() {
        return ended;
    }

    private void beat(int everyMillis) {
        try {
            while (!ended) {
                link.send(new AgentMessage.Beat());
                Thread.sleep(everyMillis);
            }
        } catch (IOException | InterruptedException e) {
            link.close();
        }
    }

    private void read() {
        try {
            AgentMessage message;
            while ((message = link.receive()) != null) {
                take(message);
            }
        } catch (IOException e) {
            // as an end of file: the hosts' watch finds out what has become of the agent
        }
        ended = true;
        link.close();
        giveUpRequests();
    }

    private void giveUpRequests() {
        String why = "host " + name() + " is gone";
        requests.values().forEach(answer -> answer.complete(why));
        coming.values().forEach(answer -> answer.complete(why));
    }

    private void take(AgentMessage message) throws IOException {
        switch (message) {
            case AgentMessage.Beat beat -> {}
            case AgentMessage.Started m -> withProcess(m.of(), rank -> rank.process.started(m.pid()));
            case AgentMessage.Output m -> withProcess(m.of(), rank -> rank.process.output(m.stream(), m.bytes()));
            case AgentMessage.Consumed m -> withProcess(m.of(), rank -> rank.process.inputConsumed(m.bytes()));
            case AgentMessage.Control m -> {
                byte[] frame = new byte[m.frame().remaining()];
                m.frame().get(frame);
                ControlMessage said = ControlCodec.read(new ByteArrayInputStream(frame));
                if (said != null) {
                    withProcess(m.of(), rank -> said(rank, said));
                }
            }
            case AgentMessage.Exited m -> {
                if (!m.problem().isEmpty()) {
                    listener.notStarted(this, m.of().worldRank(), m.problem());
                }
                withProcess(m.of(), rank -> {
                    RelayedLine line = rank.line;
                    if (line != null) {
                        line.close();
                    }
                    rank.process.exited(m.status());
                });
            }
            case AgentMessage.Done m -> {
                CompletableFuture<String> answer = requests.remove(m.request());
                if (answer != null) {
                    answer.complete(m.error());
                }
            }
            default -> throw new ProtocolException("an agent does not send " + message);
        }
    }

    private void withProcess(RankProcess of, Consumer<Rank> action) {
        Rank rank = ranks.get(of);
        if (rank != null) {
            action.accept(rank);
        }
    }

    private void said(Rank rank, ControlMessage message) {
        RelayedLine line = rank.line;
        if (message instanceof ControlMessage.Hello hello) {
            if (line == null && hello.worldRank() == rank.self.worldRank()) {
                RelayedLine opened = new RelayedLine(answer ->
                        tell(new AgentMessage.Control(rank.self, ByteBuffer.wrap(ControlCodec.encode(answer)))));
                rank.line = opened;
                listener.connected(hello, opened);
            }
        } else if (line != null && message instanceof ControlMessage.SnapshotWritten written) {
            listener.written(this, rank.self, written, line.heard());
        } else if (line != null) {
            line.add(message);
        }
    }

    @Override
    public void lost() {
        close();
        for (Rank rank : ranks.values()) {
            RelayedLine line = rank.line;
            if (line != null) {
                line.close();
            }
            rank.process.lost();
        }
    }

    @Override
    public void close() {
        ended = true;
        link.close();
        giveUpRequests();
    }
}
