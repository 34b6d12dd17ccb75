package org.gridmpj.pt2pt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.gridmpj.memory.AsymmetricFence;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ProgressLockTest {
    private final ProgressLock lock = new ProgressLock();
    /** Guarded by the lock, and not atomic: two at once would lose counts. */
    private long count;

    private void becomeFavourite() {
        for (int i = 0; i <= ProgressLock.TIMES_IN_A_ROW; i++) {
            lock.lock();
            lock.unlock();
        }
    }

    /** With pauses of so many nanoseconds between two outsiders' calls: short enough, and the favourite is one no more. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1_000, 300_000})
    void shouldLetOneThreadInAtATimeWhenAFavouriteAndOthersWantIt(long pauseNanos) throws Exception {
        AsymmetricFence.prepare();
        becomeFavourite();
        AtomicBoolean ended = new AtomicBoolean();
        List<CompletableFuture<Long>> others = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            boolean tries = i == 1;
            others.add(CompletableFuture.supplyAsync(() -> {
                long mine = 0;
                while (!ended.get()) {
                    if (tries && !lock.tryLock()) {
                        Thread.onSpinWait();
                        continue;
                    } else if (!tries) {
                        lock.lock();
                    }
                    count++;
                    mine++;
                    lock.unlock();
                    if (pauseNanos > 0) {
                        LockSupport.parkNanos(pauseNanos);
                    }
                }
                return mine;
            }));
        }
        long mine = 0;
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        while (System.nanoTime() < endNanos) {
            for (int i = 0; i < 1000; i++) {
                lock.lock();
                count++;
                mine++;
                lock.unlock();
            }
        }
        ended.set(true);
        long theirs = 0;
        for (CompletableFuture<Long> other : others) {
            theirs += other.get(20, TimeUnit.SECONDS);
        }
        assertThat(theirs).as("they get in").isPositive();
        lock.lock();
        assertThat(count).isEqualTo(mine + theirs);
        lock.unlock();
    }

    @Test
    void shouldBeReentrantWhenItsFavouriteHasIt() {
        AsymmetricFence.prepare();
        becomeFavourite();
        lock.lock();
        lock.lock();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        assertThat(elsewhere(lock::tryLock)).isFalse();
        lock.unlock();
        assertThat(elsewhere(lock::tryLock)).isFalse();
        assertThat(lock.isHeldByCurrentThread()).isTrue();
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isFalse();
        assertThat(elsewhere(this::tryAndGiveBack)).isTrue();
    }

    @Test
    void shouldBeReentrantWhenAnOutsiderHasIt() {
        AsymmetricFence.prepare();
        becomeFavourite();
        assertThat(elsewhere(() -> {
                    lock.lock();
                    lock.lock();
                    lock.unlock();
                    boolean held = lock.isHeldByCurrentThread();
                    lock.unlock();
                    return held && !lock.isHeldByCurrentThread();
                }))
                .isTrue();
        assertThat(tryAndGiveBack()).isTrue();
    }

    @Test
    void shouldHaveAFavouriteWhenTheSystemHasTheFence() {
        assumeThat(AsymmetricFence.prepare())
                .as("this system has no membarrier(2), or the JVM may not call it")
                .isTrue();
        assertThat(lock.isFavourite()).isFalse();
        becomeFavourite();
        assertThat(lock.isFavourite()).isTrue();
        assertThat(elsewhere(lock::isFavourite)).isFalse();
    }

    @Test
    void shouldRefuseToBeGivenBackWhenItIsNotHeld() {
        AsymmetricFence.prepare();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
        becomeFavourite();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalMonitorStateException.class);
    }

    private boolean tryAndGiveBack() {
        boolean got = lock.tryLock();
        if (got) {
            lock.unlock();
        }
        return got;
    }

    private static boolean elsewhere(java.util.function.BooleanSupplier question) {
        return CompletableFuture.supplyAsync(question::getAsBoolean).join();
    }

    @Test
    void shouldShowWhetherTheFavouriteIsInside() throws Exception {
        assumeThat(AsymmetricFence.prepare()).isTrue();
        becomeFavourite();

        assertThat(lock.isFavouriteInside()).isFalse();
        lock.lock();
        assertThat(CompletableFuture.supplyAsync(lock::isFavouriteInside).get(20, TimeUnit.SECONDS))
                .isTrue();
        lock.unlock();
        assertThat(lock.isFavouriteInside()).isFalse();
    }
}
