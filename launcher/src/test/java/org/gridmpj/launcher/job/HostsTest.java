package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.curator.test.TestingServer;
import org.awaitility.Awaitility;
import org.gridmpj.checkpoint.EpochId;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.RankImage;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.control.ControlCodec;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.AgentRegistry;
import org.gridmpj.launcher.hosts.RankProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The launcher's part; the agents do nothing, and the test says what they would. */
@Timeout(60)
class HostsTest {
    /** Longer than any test: nobody is given up for silence. */
    private static final int LEASE_MILLIS = 600_000;

    private static final RankProcess RANK_0 = new RankProcess(0, 0, 0);
    private static final EpochManifest EPOCH = new EpochManifest(
            "job", new EpochId(0, 1), List.of(new RankImage(0, "g0-e1/rank-0.image", 1000, 7, 1, 0, 0, 0, 0)));

    private static TestingServer zookeeper;

    private final JobSecret cluster = JobSecret.random();
    private final LinkedBlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<String> said = new LinkedBlockingQueue<>();
    /** Where to rest takes no time. */
    private final LaterMachine machine = new LaterMachine() {
        @Override
        public void rest(long seconds) {
            skip(Duration.ofSeconds(seconds));
        }
    };

    private FakeAgent h1;
    private FakeAgent h2;
    private Hosts hosts;

    @BeforeAll
    static void startZooKeeper() throws Exception {
        zookeeper = new TestingServer();
    }

    @AfterAll
    static void stopZooKeeper() throws Exception {
        zookeeper.close();
    }

    @BeforeEach
    void begin() throws Exception {
        h1 = new FakeAgent("h1", 2);
        h2 = new FakeAgent("h2", 2);
        AgentRegistry registry = new AgentRegistry(zookeeper.getConnectString(), 10_000);
        Awaitility.await().until(() -> registry.agents().size() == 2);
        AgentMessage.Open open = new AgentMessage.Open("job", "secret", "{}", false, List.of(), LEASE_MILLIS);
        ProgramParts parts = new ProgramParts(List.of(), Map.of());
        hosts = new Hosts(
                2,
                HostWish.of("--hosts", HostWish.ALL),
                new AgentCluster(open, parts, registry, cluster, events::add, said::add),
                machine,
                events::add,
                said::add);
        hosts.reach(false);
        hosts.prepare(0, null);
        assertThat(hosts.ranksOf("h1")).containsExactly(0, 1);
    }

    @AfterEach
    void end() throws IOException {
        hosts.close();
        h1.close();
        h2.close();
    }

    @Test
    void shouldSayOnceWhichRegistrationCannotBeReadAndUseTheOthers() throws Exception {
        try (UnreadableAgent _ = new UnreadableAgent(zookeeper.getConnectString(), "h0")) {
            hosts.reach(false);
            hosts.reach(false);
            assertThat(hosts.freeSlots().has("h2")).isTrue();
            assertThat(said)
                    .singleElement()
                    .asString()
                    .startsWith("host h0 cannot be used: /gridmpj/agents/h0 cannot be read")
                    .endsWith("of version 2");
        }
    }

    /** An agent that opens every job, and keeps what it is told for the test. */
    private final class FakeAgent implements AutoCloseable {
        final LinkedBlockingQueue<AgentMessage> told = new LinkedBlockingQueue<>();
        private final LinkedBlockingQueue<AgentLink> opened = new LinkedBlockingQueue<>();
        private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final AgentRegistry registry = new AgentRegistry(zookeeper.getConnectString(), 10_000);

        FakeAgent(String host, int slots) throws IOException {
            Thread.ofVirtual().start(this::serve);
            registry.register(new AgentRegistration(host, "127.0.0.1", server.getLocalPort(), slots, 0, 4711));
        }

        private void serve() {
            try {
                while (true) {
                    AgentLink link = AgentLink.accepted(server.accept(), cluster);
                    Thread.ofVirtual().start(() -> meet(link));
                }
            } catch (IOException e) {
                // the test is over
            }
        }

        private void meet(AgentLink link) {
            try (link) {
                AgentMessage message;
                while ((message = link.receive()) != null) {
                    if (message instanceof AgentMessage.Open) {
                        link.send(new AgentMessage.Wanted(List.of()));
                        opened.add(link);
                    } else if (!(message instanceof AgentMessage.Beat)) {
                        told.add(message);
                    }
                }
            } catch (IOException e) {
                // the launcher is gone
            }
        }

        /** The connection with the launcher, in the order in which they were made. */
        AgentLink launcher() throws InterruptedException {
            return opened.take();
        }

        /** The next message of a kind. */
        <T extends AgentMessage> T next(Class<T> kind) throws InterruptedException {
            while (true) {
                AgentMessage message = told.take();
                if (kind.isInstance(message)) {
                    return kind.cast(message);
                }
            }
        }

        @Override
        public void close() throws IOException {
            registry.close();
            server.close();
            AgentLink link;
            while ((link = opened.poll()) != null) {
                link.close();
            }
        }
    }

    private AgentHost link(String host) {
        return hosts.all().stream()
                .filter(each -> each.name().equals(host))
                .findFirst()
                .orElseThrow();
    }

    private static void says(AgentLink launcher, ControlMessage message) throws IOException {
        launcher.send(new AgentMessage.Control(RANK_0, ByteBuffer.wrap(ControlCodec.encode(message))));
    }

    private static ControlMessage.SnapshotWritten written(int epoch) {
        return new ControlMessage.SnapshotWritten(epoch, "g0-e" + epoch + "/rank-0.image", 1000, 7, epoch, 0, 0, 0, 0);
    }

    private <T extends JobEvent> T next(Class<T> kind) throws InterruptedException {
        while (true) {
            JobEvent event = events.take();
            if (kind.isInstance(event)) {
                return kind.cast(event);
            }
        }
    }

    @Test
    void shouldFailTheCopyToAHostThatIsGivenUpAndThenDoWithoutIt() throws Exception {
        hosts.start(0, 0, 0);
        AgentLink launcher = h1.launcher();
        says(launcher, new ControlMessage.Hello(0, 0, 1));
        ControlLine line = next(JobEvent.Connected.class).link();
        says(launcher, written(1));
        // h1 is in the middle of sending to h2, which is frozen: neither says anything more
        assertThat(h1.next(AgentMessage.Copy.class).file()).isEqualTo("g0-e1/rank-0.image");
        hosts.giveUp(link("h2"), "it is frozen");
        Thread.ofVirtual().start(() -> follow(line));
        assertThat(next(JobEvent.Said.class).message())
                .isEqualTo(new ControlMessage.SnapshotFailed(
                        1, "g0-e1/rank-0.image could not be copied from host h1 to host h2: host h2 is gone"));

        says(launcher, written(2));
        assertThat(next(JobEvent.Said.class).message()).isEqualTo(written(2));
    }

    private static void follow(ControlLine line) {
        try {
            while (line.receive() != null) {
                // the job's thread would be told
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Even where there is nobody to copy it to: what a rank has said before says what its image's numbers mean. */
    @Test
    void shouldReportAnImageBehindWhatItsRankSaidBefore() throws Exception {
        Process started = hosts.start(0, 0, 0).process();
        hosts.giveUp(link("h2"), "it is frozen");
        AgentLink launcher = h1.launcher();
        says(launcher, new ControlMessage.Hello(0, 0, 1));
        ControlLine line = next(JobEvent.Connected.class).link();
        says(launcher, new ControlMessage.Restored(1, 5, 0, 0));
        says(launcher, written(2));
        assertThat(line.receive()).isInstanceOf(ControlMessage.Restored.class);
        // the agent's next word is read behind that of the image
        launcher.send(new AgentMessage.Started(RANK_0, 4711));
        Awaitility.await().until(() -> started.pid() == 4711);
        assertThat(events).noneMatch(JobEvent.Said.class::isInstance);
        Thread.ofVirtual().start(() -> follow(line));
        assertThat(next(JobEvent.Said.class).message()).isEqualTo(written(2));
    }

    /** Rank 0 runs at h1, and has an image there and at h2; the connection with h1. */
    private AgentLink writeImage() throws Exception {
        hosts.start(0, 0, 0);
        AgentLink launcher = h1.launcher();
        says(launcher, new ControlMessage.Hello(0, 0, 1));
        ControlLine line = next(JobEvent.Connected.class).link();
        Thread.ofVirtual().start(() -> follow(line));
        says(launcher, written(1));
        launcher.send(new AgentMessage.Done(h1.next(AgentMessage.Copy.class).request(), ""));
        assertThat(next(JobEvent.Said.class).message()).isEqualTo(written(1));
        return launcher;
    }

    @Test
    void shouldBringAnImageToAHostThatHasBeenAwayThoughItHadIt() throws Exception {
        AgentLink _ = writeImage();
        h2.launcher().close();
        AgentHost before = link("h2");
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(before::isEnded);
        hosts.reach(true);
        assertThat(link("h2")).isNotSameAs(before);
        hosts.moved(0, "h2");
        CompletableFuture<String> brought = hosts.bring(EPOCH, 0);
        AgentMessage.Put manifest = h2.next(AgentMessage.Put.class);
        h2.launcher().send(new AgentMessage.Done(manifest.request(), ""));
        while (!brought.isDone() && h1.told.stream().noneMatch(AgentMessage.Copy.class::isInstance)) {
            Thread.onSpinWait();
        }
        assertThat(h1.told).anyMatch(AgentMessage.Copy.class::isInstance);
    }

    private FutureTask<String> prepare() {
        FutureTask<String> prepared = new FutureTask<>(() -> {
            hosts.prepare(1, EPOCH);
            return "prepared";
        });
        Thread.ofVirtual().start(prepared);
        return prepared;
    }

    /** A host cannot take the manifest; once may be chance. */
    private static void refuseTwice(FakeAgent at, AgentLink launcher) throws Exception {
        for (int i = 0; i < 2; i++) {
            launcher.send(new AgentMessage.Done(at.next(AgentMessage.Put.class).request(), "No space left on device"));
        }
    }

    @Test
    void shouldStartRanksAtAnotherHostWhereTheirOwnHasNoRoom() throws Exception {
        AgentLink launcher = writeImage();
        FutureTask<String> prepared = prepare();
        refuseTwice(h1, launcher);
        AgentMessage.Put elsewhere = h2.next(AgentMessage.Put.class);
        h2.launcher().send(new AgentMessage.Done(elsewhere.request(), ""));
        assertThat(prepared.get(10, TimeUnit.SECONDS)).isEqualTo("prepared");
        assertThat(hosts.ranksOf("h2")).containsExactly(0, 1);
        assertThat(said)
                .containsExactly(
                        "host h1 cannot take what ranks go back to (No space left on device): they go on at other"
                                + " hosts");
    }

    @Test
    void shouldTryAgainAfterAWhileWhereNoHostHasRoom() throws Exception {
        assertThat(hosts.awaitOthers(TimeUnit.SECONDS.toNanos(300)))
                .as("nothing is known against those that there are")
                .isFalse();
        AgentLink launcher = writeImage();
        FutureTask<String> prepared = prepare();
        refuseTwice(h1, launcher);
        AgentLink other = h2.launcher();
        refuseTwice(h2, other);
        assertThatThrownBy(() -> prepared.get(10, TimeUnit.SECONDS))
                .hasCauseInstanceOf(HostsAwayException.class)
                .hasMessageContaining(
                        "cannot be brought to any host: No space left on device; No space left on device");
        long begunNanos = machine.nanoTime();
        assertThat(hosts.awaitOthers(TimeUnit.SECONDS.toNanos(300))).isTrue();
        assertThat(machine.nanoTime() - begunNanos)
                .isBetween(TimeUnit.SECONDS.toNanos(60), TimeUnit.SECONDS.toNanos(120));
        assertThat(hosts.ranksOf("h1")).as("where they were").containsExactly(0, 1);

        FutureTask<String> again = prepare();
        launcher.send(new AgentMessage.Done(h1.next(AgentMessage.Put.class).request(), ""));
        assertThat(again.get(10, TimeUnit.SECONDS)).isEqualTo("prepared");
        assertThat(hosts.awaitOthers(TimeUnit.SECONDS.toNanos(300))).isFalse();
        assertThat(said).isEmpty();
    }

    @Test
    void shouldFailToShipAnImageToAHostThatIsGivenUp() throws Exception {
        CompletableFuture<String> shipped = hosts.ship("moving-0-1-0.image", "h1", "h2");
        h1.next(AgentMessage.Ship.class);
        hosts.giveUp(link("h2"), "it is frozen");
        assertThat(shipped.get(10, TimeUnit.SECONDS)).isEqualTo("host h2 is gone");
    }

    @Test
    void shouldGiveUpAHostWhoseConnectionHasEndedBeforeItIsUsedAgain() throws Exception {
        Process rank = hosts.start(0, 0, 0).process();
        AgentHost before = link("h1");
        h1.launcher().close();
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(before::isEnded);
        // the job's thread looks for room before the watch has seen anything
        hosts.freeSlots();
        assertThat(rank.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(rank.exitValue()).isEqualTo(RemoteProcess.LOST_STATUS);
        JobEvent.HostLost lost = next(JobEvent.HostLost.class);
        assertThat(lost.host()).isSameAs(before);
        assertThat(lost.cause()).startsWith("its agent has dropped the connection of ");
        AgentLink _ = h1.launcher();
        assertThat(link("h1")).isNotSameAs(before);
        assertThat(link("h1").isEnded()).isFalse();

        // the watch, which had seen it all the same
        hosts.giveUp(before, "late");
        assertThat(link("h1").isEnded()).isFalse();
        assertThat(events).noneMatch(JobEvent.HostLost.class::isInstance);
    }

    /** ZooKeeper loses sessions while it elects a leader, and nobody has died. */
    @Test
    void shouldKeepAHostThatZooKeeperHasLostWhileItsLeaseLasts() throws Exception {
        AgentRegistry registry = new AgentRegistry(zookeeper.getConnectString(), 10_000);
        try (registry) {
            h1.registry.close();
            Awaitility.await().until(() -> registry.agents().size() == 1);
            // the watch has seen the first before it looks at the hosts, and has looked when it sees the second
            for (String drained : List.of("first", "second")) {
                registry.drain(drained, true);
                JobEvent event;
                do {
                    event = events.take();
                    assertThat(event).isNotInstanceOf(JobEvent.HostLost.class);
                } while (!event.equals(new JobEvent.HostDraining(drained)));
            }
            assertThat(link("h1").isEnded()).isFalse();
        } finally {
            for (String drained : List.of("first", "second")) {
                h2.registry.drain(drained, false);
            }
        }
    }

    @Test
    void shouldNotStartWhatCouldBeTakenForAProcessThatIsEnding() throws Exception {
        Process before = hosts.startAt(0, 1, 0, "h2").process();
        before.destroyForcibly();
        assertThatThrownBy(() -> hosts.startAt(0, 1, 0, "h2"))
                .hasMessage("a process of rank 0 that was given up before has not ended yet at host h2: try again");
        RankProcess ending = h2.next(AgentMessage.Kill.class).of();
        h2.launcher().send(new AgentMessage.Exited(ending, 137, ""));
        assertThat(before.waitFor()).isEqualTo(137);

        Process again = hosts.startAt(0, 1, 0, "h2").process();
        again.destroyForcibly();
        assertThat(h2.next(AgentMessage.Kill.class).of()).isEqualTo(ending);
    }
}
