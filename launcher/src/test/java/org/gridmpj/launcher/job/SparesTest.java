package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.Installation;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.FolderCoordination;
import org.gridmpj.launcher.program.Program;
import org.gridmpj.runtime.ArgsLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The launcher's part; the processes do nothing, and the test says what they would. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class SparesTest {
    private static final int SIZE = 3;

    @TempDir
    Path root;

    private final LinkedBlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private final List<Process> started = new ArrayList<>();
    private final List<String> numbers = new ArrayList<>();
    private final List<ControlMessage> told = new ArrayList<>();
    private Path idle;
    private JobFolder folder;
    private JobStreams streams;
    private Members members;
    private Ranks ranks;
    private Spares spares;
    private Coordination coordination;

    @BeforeEach
    void begin() throws IOException {
        idle = Files.writeString(root.resolve("idle"), "#!/bin/sh\nexec sleep 600\n");
        Files.setPosixFilePermissions(idle, PosixFilePermissions.fromString("rwx------"));
        Installation installation = new Installation(idle, List.of(), null, null);
        JobRequest request = request(SIZE, "1s", true, List.of(), "", Map.of());
        folder = JobFolder.create(new UserFolders(root), null, new Random(1));
        coordination = new FolderCoordination(folder.path());
        streams = JobRequests.streams(new JobLaunch(
                request, folder, installation, coordination, folder.renewSecret(), null, null, List.of()));
        spares = Spares.of(request, Machine.THIS, this::start);
        RankPlaces places = new ThisHost(
                folder.path(),
                new RankStarter(request, installation, folder.path(), null),
                InetSocketAddress.createUnresolved("localhost", 1),
                spares);
        members = new Members(coordination, streams::say);
        ranks = new Ranks("idle", request, places, coordination, members, streams, Machine.THIS, events::add);
        ranks.prepare(0, null);
        ranks.start(0, null);
    }

    @AfterEach
    void end() {
        spares.close();
        ranks.kill();
        members.close();
        streams.close();
        folder.close();
        started.forEach(Process::destroyForcibly);
    }

    private JobRequest request(
            int size,
            String checkpoint,
            boolean restart,
            List<String> jvmOptions,
            String hosts,
            Map<String, String> variables) {
        Map<String, String> all = new HashMap<>(variables);
        all.put(CoreShares.VARIABLE, CoreShares.NONE);
        return new JobRequest(
                new Program("Idle", List.of(), "Idle"),
                List.of(),
                size,
                "gridtcp",
                "auto",
                checkpoint,
                null,
                false,
                restart,
                ArgsLayout.MPIJAVA,
                jvmOptions,
                all,
                root,
                false,
                null,
                "",
                hosts,
                false);
    }

    private Process start(int rank, int incarnation) throws IOException {
        Process process = new ProcessBuilder(idle.toString()).start();
        started.add(process);
        numbers.add(rank + "/" + incarnation);
        return process;
    }

    private boolean hello(int rank, int incarnation, Process process) {
        return spares.connected(new ControlMessage.Hello(rank, incarnation, process.pid()), new KeptLine(told));
    }

    private void completeAll() {
        for (int rank = 0; rank < SIZE; rank++) {
            spares.complete(ranks);
            assertThat(hello(rank, 1, started.getLast())).isTrue();
        }
    }

    @Test
    void shouldStartOneAfterTheOtherForEachRanksNextIncarnation() {
        spares.complete(ranks);
        spares.complete(ranks);
        assertThat(numbers).containsExactly("0/1");
        assertThat(spares.count()).isZero();
        assertThat(spares.take(0, 1)).as("it has not said Hello").isNull();
        assertThat(hello(0, 1, ranks.slot(0).process)).as("the rank itself").isFalse();
        assertThat(hello(0, 1, started.getFirst())).isTrue();
        assertThat(spares.count()).isEqualTo(1);
        spares.complete(ranks);
        assertThat(hello(1, 1, started.get(1))).isTrue();
        spares.complete(ranks);
        assertThat(hello(2, 1, started.get(2))).isTrue();
        spares.complete(ranks);
        assertThat(numbers).containsExactly("0/1", "1/1", "2/1");
        assertThat(spares.count()).isEqualTo(SIZE);
        assertThat(told).isEmpty();
    }

    @Test
    void shouldBeTheNextLifesProcessesAndBeWelcomedAtOnce() throws IOException {
        completeAll();
        ranks.kill();
        for (int rank = 0; rank < SIZE; rank++) {
            assertThat(coordination.raiseIncarnation(rank, 0)).isTrue();
        }
        ranks.prepare(1, null);
        ranks.start(1, null);
        for (int rank = 0; rank < SIZE; rank++) {
            assertThat(ranks.slot(rank).process).isSameAs(started.get(rank));
            assertThat(ranks.slot(rank).link).isNotNull();
            assertThat(ranks.slot(rank).life).isEqualTo(1);
        }
        assertThat(told).hasSize(SIZE).allMatch(ControlMessage.Welcome.class::isInstance);
        assertThat(spares.count()).isZero();
    }

    @Test
    void shouldGiveNoneOfAnotherIncarnationAndReplaceIt() throws Exception {
        completeAll();
        assertThat(spares.take(1, 2)).isNull();
        assertThat(coordination.raiseIncarnation(1, 0)).isTrue();
        assertThat(coordination.raiseIncarnation(1, 1)).isTrue();
        RankSlot before = ranks.slot(1);
        RankSlot moved =
                new RankSlot(1, 0, 2, "", start(1, 2), streams.stdout(1), streams.stderr(1), Machine.THIS, events::add);
        for (RankSlot slot : ranks.all()) {
            ranks.bound(slot, new ControlMessage.Bound("127.0.0.1", 1 + slot.worldRank, "here"));
        }
        ranks.replace(moved, ranks.tableWith(1, 2, new ControlMessage.Bound("127.0.0.1", 9, "here")));
        before.kill();
        spares.complete(ranks);
        assertThat(started.get(1).waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(numbers).endsWith("1/3");
        assertThat(hello(1, 3, started.getLast())).isTrue();
        assertThat(Objects.requireNonNull(spares.take(1, 3)).process()).isSameAs(started.getLast());
    }

    @Test
    void shouldNotGiveADeadOne() throws Exception {
        completeAll();
        started.getFirst().destroyForcibly().waitFor();
        assertThat(spares.take(0, 1)).isNull();
        assertThat(spares.count()).isEqualTo(SIZE - 1);
        spares.complete(ranks);
        assertThat(numbers).endsWith("0/1").hasSize(SIZE + 1);
        assertThat(spares.take(0, 1)).isNull();
    }

    @Test
    void shouldStartNoMoreWhereTheyDie() throws Exception {
        for (int time = 0; time < 10; time++) {
            spares.complete(ranks);
            started.getLast().destroyForcibly().waitFor();
        }
        assertThat(numbers).containsExactly("0/1", "0/1", "0/1");
        assertThat(spares.count()).isZero();
    }

    @Test
    void shouldEndThemWithTheJob() throws Exception {
        completeAll();
        spares.close();
        for (Process each : started) {
            assertThat(each.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(spares.count()).isZero();
    }

    @Test
    void shouldHaveNoneWhereTwoJvmsOfARankOrTheirMemoryMightDisturb() {
        for (JobRequest without : List.of(
                request(SIZE, "", true, List.of(), "", Map.of()),
                request(SIZE, "1s", false, List.of(), "", Map.of()),
                request(9, "1s", true, List.of(), "", Map.of()),
                request(SIZE, "1s", true, List.of("-agentlib:jdwp=transport=dt_socket,address=5005"), "", Map.of()),
                request(SIZE, "1s", true, List.of("-Xmx1g", "-XX:+AlwaysPreTouch"), "", Map.of()),
                request(SIZE, "1s", true, List.of("-Dcom.sun.management.jmxremote.port=9010"), "", Map.of()),
                request(SIZE, "1s", true, List.of("-XX:StartFlightRecording:filename=a.jfr"), "", Map.of()),
                request(SIZE, "1s", true, List.of(), "h1,h2", Map.of()),
                request(SIZE, "1s", true, List.of(), "", Map.of(Spares.VARIABLE, Spares.NONE)))) {
            Spares none = Spares.of(without, Machine.THIS, this::start);
            none.complete(ranks);
            assertThat(numbers).isEmpty();
            assertThat(none.take(0, 1)).isNull();
        }
        JobRequest usual = request(SIZE, "1s", true, List.of("-Xmx1g", "-XX:+UseZGC", "-Da=b"), "", Map.of());
        Spares.of(usual, Machine.THIS, this::start).complete(ranks);
        assertThat(numbers).hasSize(1);
    }
}
