package org.gridmpj.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class OutputPumpTest {
    private static final byte[] TEXT = "all of it".getBytes(StandardCharsets.UTF_8);

    private final ByteArrayOutputStream taken = new ByteArrayOutputStream();
    private final CountDownLatch isTaking = new CountDownLatch(1);
    private final CountDownLatch mayTake = new CountDownLatch(1);

    private void take(byte[] bytes, int length) throws InterruptedException {
        isTaking.countDown();
        mayTake.await();
        taken.write(bytes, 0, length);
    }

    private static CompletableFuture<Boolean> awaitEnd(OutputPump pump, long patienceNanos) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return OutputPump.awaitEnds(List.of(pump), patienceNanos);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void shouldWaitForASlowTakerAsLongAsItTakes() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        OutputPump pump = OutputPump.start("pump", new ByteArrayInputStream(TEXT), 2, this::take, ended::countDown);
        isTaking.await();
        CompletableFuture<Boolean> waiting = awaitEnd(pump, Long.MAX_VALUE);
        assertThatThrownBy(() -> waiting.get(1_500, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        assertThat(pump.isTaking()).isTrue();
        mayTake.countDown();
        assertThat(waiting.get()).isTrue();
        ended.await();
        assertThat(taken.toByteArray()).isEqualTo(TEXT);
        assertThat(pump.isTaking()).isFalse();
    }

    @Test
    void shouldLosePatienceWithASlowTakerWhereItIsTo() throws Exception {
        OutputPump pump = OutputPump.start("pump", new ByteArrayInputStream(TEXT), 2, this::take, () -> {});
        isTaking.await();
        assertThat(awaitEnd(pump, 1).get()).isFalse();
        mayTake.countDown();
        assertThat(awaitEnd(pump, Long.MAX_VALUE).get()).isTrue();
    }

    @Test
    void shouldNotWaitForAStreamThatGivesNothingMore() throws Exception {
        mayTake.countDown();
        try (PipedOutputStream heldByAChild = new PipedOutputStream();
                PipedInputStream in = new PipedInputStream(heldByAChild)) {
            OutputPump pump = OutputPump.start("pump", in, 64, this::take, () -> {});
            heldByAChild.write(TEXT);
            heldByAChild.flush();
            isTaking.await();
            assertThat(awaitEnd(pump, Long.MAX_VALUE).get()).isFalse();
            assertThat(taken.toByteArray()).isEqualTo(TEXT);
        }
    }
}
