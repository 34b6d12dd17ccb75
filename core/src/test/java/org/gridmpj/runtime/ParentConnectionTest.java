package org.gridmpj.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ParentConnectionTest {
    private static final ControlMessage.NotAlone CHANCE = new ControlMessage.NotAlone(3, false, "a send was cancelled");

    private final JobSecret secret = JobSecret.random();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CompletableFuture<Integer> halted = new CompletableFuture<>();
    private ServerSocket server;
    private ControlLink launcher;
    private ParentConnection parent;

    @BeforeEach
    void connect() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        CompletableFuture<ControlLink> accepting = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        ControlLink link = ControlLink.accepted(server.accept(), secret);
                        assertThat(link.receive()).isInstanceOf(ControlMessage.Hello.class);
                        link.send(new ControlMessage.Welcome(new JobSpec("amber-fox", 2, 0), -1));
                        return link;
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                threads);
        InetSocketAddress address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
        parent = ParentConnection.open(address, secret, 1, 0, halted::complete, false);
        launcher = accepting.join();
    }

    @AfterEach
    void close() throws IOException {
        launcher.close();
        server.close();
        threads.shutdown();
    }

    /** What the rank has said, but for its heartbeats. */
    private @Nullable ControlMessage said() throws IOException {
        ControlMessage message = launcher.receive();
        while (message instanceof ControlMessage.Heartbeat) {
            message = launcher.receive();
        }
        return message;
    }

    @Test
    void shouldGoOnOnlyWhenTheLauncherHasHeardWhatStandsAgainstALoneReturn() throws IOException {
        CompletableFuture<Void> first = CompletableFuture.runAsync(() -> parent.reportHeard(CHANCE), threads);
        assertThat(said()).isEqualTo(CHANCE);
        CompletableFuture<Void> second = CompletableFuture.runAsync(() -> parent.reportHeard(CHANCE), threads);
        assertThat(said()).isEqualTo(CHANCE);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        launcher.send(new ControlMessage.Heard());
        first.join();
        assertThat(second).isNotDone();
        launcher.send(new ControlMessage.Heard());
        second.join();
    }

    @Test
    void shouldHearThatALockNeedNotBeGivenBackForWhoReportsUnderIt() throws IOException, InterruptedException {
        ReentrantLock progress = new ReentrantLock();
        CountDownLatch listening = new CountDownLatch(1);
        LinkedBlockingQueue<ControlMessage> told = new LinkedBlockingQueue<>();
        parent.listenApart();
        parent.listen(message -> {
            listening.countDown();
            progress.lock();
            try {
                told.add(message);
            } finally {
                progress.unlock();
            }
        });
        progress.lock();
        try {
            launcher.send(new ControlMessage.EpochCommitted(4));
            listening.await();
            CompletableFuture<Void> answering = CompletableFuture.runAsync(
                    () -> {
                        try {
                            assertThat(said()).isEqualTo(CHANCE);
                            launcher.send(new ControlMessage.Heard());
                        } catch (IOException e) {
                            throw new CompletionException(e);
                        }
                    },
                    threads);
            parent.reportHeard(CHANCE);
            answering.join();
            assertThat(told).isEmpty();
        } finally {
            progress.unlock();
        }
        launcher.send(new ControlMessage.EpochCommitted(5));
        assertThat(told.take()).isEqualTo(new ControlMessage.EpochCommitted(4));
        assertThat(told.take()).isEqualTo(new ControlMessage.EpochCommitted(5));
    }

    /** MPI.Init for the second time: a rank that is sooner may call Finalize before this one has an engine again. */
    @Test
    void shouldKeepWhatComesBehindANewTableForTheEngineThatIsToCome() throws IOException, InterruptedException {
        LinkedBlockingQueue<ControlMessage> before = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<ControlMessage> after = new LinkedBlockingQueue<>();
        exchangeTables(0);
        parent.listen(before::add);
        exchangeTables(1);
        CompletableFuture<Void> reporting = CompletableFuture.runAsync(() -> parent.reportHeard(CHANCE), threads);
        assertThat(said()).isEqualTo(CHANCE);
        launcher.send(new ControlMessage.Goodbye(0, List.of(1)));
        launcher.send(new ControlMessage.Heard());
        // what was said before that has been taken, too
        reporting.join();
        parent.listen(after::add);
        assertThat(after.take()).isEqualTo(new ControlMessage.Goodbye(0, List.of(1)));
        assertThat(before).isEmpty();
        assertThat(parent.passesOn()).isTrue();
    }

    private void exchangeTables(int epoch) throws IOException {
        ControlMessage.Bound bound = new ControlMessage.Bound("127.0.0.1", 4711, "host");
        CompletableFuture<RankTable> exchanging = CompletableFuture.supplyAsync(() -> parent.exchange(bound), threads);
        assertThat(said()).isEqualTo(bound);
        RankTable table = new RankTable(epoch, List.of());
        launcher.send(new ControlMessage.Table(table));
        assertThat(exchanging.join()).isEqualTo(table);
    }

    @Test
    void shouldStayOutOfSystemCallsWhileTheProcessExitsAndStillHearTheLauncher() throws IOException {
        launcher.send(new ControlMessage.Farewell());
        while (Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("gridmpj-control")
                        && thread.getState() == Thread.State.TIMED_WAITING)) {
            // a thread that reads is RUNNABLE; @Timeout ends the loop
            Thread.onSpinWait();
        }
        launcher.send(new ControlMessage.Shutdown(7, "another rank has called Abort"));
        assertThat(halted.join()).isEqualTo(7);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHaltWhenTheLauncherIsGoneAlsoWhileTheProcessExits(boolean exits) throws IOException {
        if (exits) {
            launcher.send(new ControlMessage.Farewell());
        }
        launcher.close();
        assertThat(halted.join()).isEqualTo(ParentConnection.ORPHAN_EXIT_CODE);
    }
}
