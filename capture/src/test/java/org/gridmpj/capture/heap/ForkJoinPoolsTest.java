package org.gridmpj.capture.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool that is at a task, and one whose threads are only not at rest yet. */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
class ForkJoinPoolsTest {
    private final ForkJoinPool pool = new ForkJoinPool(2);
    private final CountDownLatch gate = new CountDownLatch(1);
    private final ForkJoinTask<Boolean> task = pool.submit(() -> gate.await(20, TimeUnit.SECONDS));

    @AfterEach
    void end() {
        gate.countDown();
        pool.shutdown();
    }

    @Test
    void shouldBeAtWorkWhenATaskGoesOn() {
        long begun = System.nanoTime();

        assertThat(ForkJoinPools.isAtRest(pool)).isFalse();

        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(10));
    }

    @Test
    void shouldBeAtRestWhenItsThreadsComeToRestSoon() {
        int[] looks = {0};
        LongSupplier standsStillAndOpensTheGate = () -> {
            if (++looks[0] == 3) {
                gate.countDown();
            }
            return 0;
        };

        assertThat(ForkJoinPools.isAtRest(pool, standsStillAndOpensTheGate)).isTrue();

        assertThat(task.join()).isTrue();
    }

    @Test
    void shouldNotAskForTheTimeTwiceWhenItIsAtRest() {
        gate.countDown();
        task.join();
        assertThat(ForkJoinPools.isAtRest(pool)).isTrue();
        int[] looks = {0};

        assertThat(ForkJoinPools.isAtRest(pool, () -> ++looks[0])).isTrue();

        assertThat(looks[0]).isEqualTo(1);
    }
}
