package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class EpollDoorbellTest {
    private static final long PATIENCE_NANOS = 30_000_000_000L;
    /** More than what naps, and more reads than a link leaves after. */
    private static final int MANY = 600;

    private final ByteBuffer one = ByteBuffer.allocateDirect(1);
    private final WireBuffer target = new WireBuffer(64);
    private Socket peer;
    private Socket socket;
    private EpollDoorbell doorbell;
    private FdLink link;

    @BeforeEach
    void connect() throws IOException {
        open(false);
    }

    private void open(boolean isAsked) throws IOException {
        LoopbackPair pair = LoopbackPair.open();
        peer = pair.dialled();
        socket = pair.accepted();
        doorbell = new EpollDoorbell(isAsked);
        assertThat(doorbell.watch(socket)).isTrue();
        link = new FdLink(socket, new byte[0], doorbell, "peer");
        for (int i = 0; i < MANY; i++) {
            doorbell.await(1);
        }
    }

    @AfterEach
    void close() throws IOException {
        link.close();
        doorbell.close();
        peer.close();
    }

    private void send() throws IOException {
        one.clear();
        assertThat(peer.write(one, 0, 1)).isEqualTo(1);
    }

    private void sendAndRead(int messages) throws IOException {
        for (int i = 0; i < messages; i++) {
            send();
            int read = 0;
            while (read == 0) {
                read = link.read(target, 0, 64);
            }
            assertThat(read).isEqualTo(1);
        }
    }

    @Test
    void shouldWakeWhoBlocksWhenTheLinkWasNotWatchedBefore() throws Exception {
        sendAndRead(MANY);
        send();
        assertThat(doorbell.isReadable())
                .as("the socket costs nothing meanwhile")
                .isFalse();

        CompletableFuture<Void> waiter = CompletableFuture.runAsync(() -> doorbell.await(PATIENCE_NANOS));

        waiter.get(PATIENCE_NANOS / 2, TimeUnit.NANOSECONDS);
        assertThat(doorbell.isReadable()).isTrue();
    }

    @Test
    void shouldBlockAtOnceWhenItHasRehearsed() throws Exception {
        EpollDoorbell rehearsed = new EpollDoorbell(false);
        rehearsed.rehearse();
        CompletableFuture<Void> waiter = CompletableFuture.runAsync(() -> rehearsed.await(PATIENCE_NANOS));
        await().until(rehearsed::isBlocking);
        rehearsed.ring();
        waiter.get(PATIENCE_NANOS / 2, TimeUnit.NANOSECONDS);
        rehearsed.close();
    }

    @Test
    void shouldWatchAlwaysWhenItIsAsked() throws IOException {
        close();
        open(true);
        sendAndRead(MANY);
        send();
        assertThat(doorbell.isReadable()).isTrue();
    }

    @Test
    void shouldNotLeaveWhileSomebodyBlocks() throws Exception {
        CompletableFuture<Void> waiter = CompletableFuture.runAsync(() -> doorbell.await(PATIENCE_NANOS));
        await().until(() -> doorbell.isBlocking());
        assertThat(doorbell.leave(link, socket)).isFalse();
        send();
        waiter.get(PATIENCE_NANOS / 2, TimeUnit.NANOSECONDS);
        assertThat(doorbell.leave(link, socket)).isTrue();
    }

    @Test
    void shouldWakeWhoBlocksWhenAnotherThreadReadsMeanwhile() throws Exception {
        AtomicInteger woken = new AtomicInteger();
        int rounds = 200;
        CompletableFuture<Void> waiter = CompletableFuture.runAsync(() -> {
            while (woken.get() < rounds) {
                doorbell.await(PATIENCE_NANOS);
                synchronized (target) {
                    woken.addAndGet(link.read(target, 1, 1) > 0 && isLast() ? 1 : 0);
                }
            }
        });
        for (int round = 0; round < rounds; round++) {
            synchronized (target) {
                target.segment.set(ValueLayout.JAVA_BYTE, 1, (byte) 0);
                sendAndRead(300);
            }
            one.put(0, (byte) 1);
            send();
            one.put(0, (byte) 0);
            int expected = round + 1;
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .atMost(PATIENCE_NANOS / 2, TimeUnit.NANOSECONDS)
                    .until(() -> woken.get() == expected);
        }
        waiter.get(PATIENCE_NANOS / 2, TimeUnit.NANOSECONDS);
    }

    private boolean isLast() {
        return target.segment.get(ValueLayout.JAVA_BYTE, 1) == 1;
    }
}
