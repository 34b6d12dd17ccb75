package org.gridmpj.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AsymmetricFenceTest {
    private static final int ROUNDS = 2_000;
    private static final int PER_ROUND = 50;

    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(int[].class);
    /** Apart by more than a cache line. */
    private static final int STRIDE = 32;

    @Test
    @Timeout(60)
    void shouldLetOneSeeTheOtherWhenBothWriteAndThenRead() throws Exception {
        assumeThat(AsymmetricFence.prepare())
                .as("this system has no membarrier(2), or the JVM may not call it")
                .isTrue();
        int[] often = new int[PER_ROUND * STRIDE];
        int[] seldom = new int[PER_ROUND * STRIDE];
        int[] seenByOften = new int[PER_ROUND];
        int[] seenBySeldom = new int[PER_ROUND];
        CyclicBarrier start = new CyclicBarrier(2);
        CyclicBarrier end = new CyclicBarrier(2);
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
            for (int round = 0; round < ROUNDS; round++) {
                meet(start);
                for (int i = 0; i < PER_ROUND; i++) {
                    CELL.setOpaque(often, i * STRIDE, 1);
                    AsymmetricFence.light();
                    seenByOften[i] = (int) CELL.getOpaque(seldom, i * STRIDE);
                }
                meet(end);
                meet(end);
            }
        });
        for (int round = 0; round < ROUNDS; round++) {
            meet(start);
            for (int i = 0; i < PER_ROUND; i++) {
                CELL.setOpaque(seldom, i * STRIDE, 1);
                AsymmetricFence.heavy();
                seenBySeldom[i] = (int) CELL.getOpaque(often, i * STRIDE);
            }
            meet(end);
            for (int i = 0; i < PER_ROUND; i++) {
                assertThat(seenByOften[i] + seenBySeldom[i])
                        .as("round %d, pair %d: neither saw the other", round, i)
                        .isPositive();
                often[i * STRIDE] = 0;
                seldom[i * STRIDE] = 0;
            }
            meet(end);
        }
        other.get(10, TimeUnit.SECONDS);
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }
}
