package org.gridmpj.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NewcomersTest {
    private static final int LONG = 600_000;

    @Test
    void shouldLetTheOldestMakeRoom() {
        Newcomers newcomers = new Newcomers(2, LONG);
        Socket proved = new Socket();
        Socket oldest = new Socket();
        Socket second = new Socket();
        Socket third = new Socket();
        newcomers.add(proved);
        newcomers.add(oldest);
        assertThat(newcomers.remove(proved)).isTrue();
        newcomers.add(second);
        assertThat(oldest.isClosed()).isFalse();
        newcomers.add(third);
        assertThat(oldest.isClosed()).isTrue();
        assertThat(newcomers.remove(oldest)).isFalse();
        assertThat(second.isClosed()).isFalse();
        assertThat(third.isClosed()).isFalse();
        assertThat(proved.isClosed()).isFalse();
    }

    @Test
    void shouldCloseWhoHasProvedNothingInTime() {
        Newcomers newcomers = new Newcomers(2, 50);
        Socket silent = new Socket();
        Socket proved = new Socket();
        newcomers.add(proved);
        assertThat(newcomers.remove(proved)).isTrue();
        newcomers.add(silent);
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(silent::isClosed);
        assertThat(newcomers.remove(silent)).isFalse();
        assertThat(proved.isClosed()).isFalse();
    }

    /** As by a program of the same JVM. */
    @Test
    void shouldCloseWhoHasProvedNothingThoughTheCommonPoolIsBlocked() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        try {
            for (int i = 0; i <= ForkJoinPool.getCommonPoolParallelism(); i++) {
                Future<?> _ = ForkJoinPool.commonPool().submit(() -> {
                    end.await();
                    return null;
                });
            }
            Socket silent = new Socket();
            new Newcomers(2, 50).add(silent);
            Awaitility.await().atMost(Duration.ofSeconds(10)).until(silent::isClosed);
        } finally {
            end.countDown();
        }
    }
}
