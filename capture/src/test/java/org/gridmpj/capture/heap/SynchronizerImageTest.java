package org.gridmpj.capture.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What threads are coordinated by, while none is in it, comes out of an image as it was, and works. Lambdas are what the agent makes
 * of a program's.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SynchronizerImageTest {
    @Test
    void shouldBeCompleteWhenTheFutureWas() throws Exception {
        CompletableFuture<String> failed = new CompletableFuture<>();
        failed.completeExceptionally(new IllegalStateException("as it should"));
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        cancelled.cancel(false);
        List<CompletableFuture<String>> again = GraphImageTest.copy(
                List.of(CompletableFuture.completedFuture("done"), failed, cancelled, new CompletableFuture<>()));
        assertThat(again.get(0).join()).isEqualTo("done");
        assertThatThrownBy(() -> again.get(1).join())
                .isInstanceOf(CompletionException.class)
                .hasRootCauseMessage("as it should");
        assertThatThrownBy(() -> again.get(2).join()).isInstanceOf(CancellationException.class);
        assertThat(again.get(3)).isNotDone();
        again.get(3).complete("later");
        assertThat(again.get(3).get()).isEqualTo("later");
        CompletableFuture<?> nothing = GraphImageTest.copy(CompletableFuture.completedFuture(null));
        assertThat(nothing.isDone()).isTrue();
        assertThat(nothing.join()).isNull();
    }

    @Test
    void shouldGoOnToItsStagesWhenItWasPending() throws Exception {
        CompletableFuture<Integer> first = new CompletableFuture<>();
        CompletableFuture<String> last = first.thenCombine(
                        CompletableFuture.completedFuture(5),
                        (BiFunction<Integer, Integer, Integer> & Serializable) Integer::sum)
                .thenApplyAsync((Function<Integer, String> & Serializable) sum -> "sum " + sum);
        CompletableFuture<Void> both = CompletableFuture.allOf(first, last);
        Object[] again = GraphImageTest.copy(new Object[] {first, last, both});
        @SuppressWarnings("unchecked")
        CompletableFuture<Integer> firstAgain = (CompletableFuture<Integer>) again[0];
        firstAgain.complete(7);
        assertThat(((CompletableFuture<?>) again[1]).get()).isEqualTo("sum 12");
        assertThat(((CompletableFuture<?>) again[2]).get()).isNull();
        assertThat(last).isNotDone();
    }

    @Test
    void shouldHaveTheOutcomeOfATaskThatHasRun() throws Exception {
        FutureTask<Integer> run = new FutureTask<>(() -> 3);
        run.run();
        FutureTask<Integer> toRun = new FutureTask<>((Callable<Integer> & Serializable) () -> 4);
        List<FutureTask<Integer>> again = GraphImageTest.copy(List.of(run, toRun));
        assertThat(again.get(0).get()).isEqualTo(3);
        assertThat(again.get(1)).isNotDone();
        again.get(1).run();
        assertThat(again.get(1).get()).isEqualTo(4);
    }

    @Test
    void shouldCountOnWhereItWas() throws Exception {
        CountDownLatch latch = new CountDownLatch(3);
        latch.countDown();
        CountDownLatch latchAgain = GraphImageTest.copy(latch);
        assertThat(latchAgain.getCount()).isEqualTo(2);
        latchAgain.countDown();
        latchAgain.countDown();
        latchAgain.await();
        Semaphore semaphore = new Semaphore(3, true);
        semaphore.acquire(2);
        Semaphore semaphoreAgain = GraphImageTest.copy(semaphore);
        assertThat(semaphoreAgain.isFair()).isTrue();
        assertThat(semaphoreAgain.availablePermits()).isEqualTo(1);
        assertThat(semaphoreAgain.tryAcquire(2)).isFalse();
        semaphoreAgain.release();
        assertThat(semaphoreAgain.tryAcquire(2)).isTrue();
        Phaser phaser = new Phaser(1);
        int _ = phaser.arrive();
        Phaser phaserAgain = GraphImageTest.copy(phaser);
        assertThat(phaserAgain.getPhase()).isEqualTo(1);
        assertThat(phaserAgain.arriveAndAwaitAdvance()).isEqualTo(2);
    }

    @Test
    void shouldLetThroughWhenAllHaveCome() throws Exception {
        int[] opened = {0};
        CyclicBarrier barrier = new CyclicBarrier(2, (Runnable & Serializable) () -> opened[0]++);
        Object[] again = GraphImageTest.copy(new Object[] {barrier, opened});
        CyclicBarrier barrierAgain = (CyclicBarrier) again[0];
        assertThat(barrierAgain.getParties()).isEqualTo(2);
        for (int round = 1; round <= 2; round++) {
            CompletableFuture<Integer> other = CompletableFuture.supplyAsync(() -> {
                try {
                    return barrierAgain.await();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(barrierAgain.await() + other.get()).isEqualTo(1);
            assertThat((int[]) again[1]).containsExactly(round);
        }
    }

    @Test
    @SuppressWarnings({"LockNotBeforeTry", "WaitNotInLoop"}) // nobody else has these locks, and nobody signals
    void shouldBeFreeWhenNobodyHasTheLock() throws Exception {
        ReentrantLock lock = new ReentrantLock(true);
        Condition condition = lock.newCondition();
        lock.lock();
        lock.unlock();
        Object[] again = GraphImageTest.copy(new Object[] {lock, condition});
        ReentrantLock lockAgain = (ReentrantLock) again[0];
        assertThat(lockAgain.isFair()).isTrue();
        lockAgain.lock();
        assertThat(lockAgain.isHeldByCurrentThread()).isTrue();
        assertThat(((Condition) again[1]).await(1, TimeUnit.MILLISECONDS)).isFalse();
        lockAgain.unlock();
        ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        both.readLock().lock();
        both.readLock().unlock();
        ReentrantReadWriteLock bothAgain = GraphImageTest.copy(both);
        bothAgain.readLock().lock();
        assertThat(bothAgain.getReadHoldCount()).isEqualTo(1);
        bothAgain.readLock().unlock();
        assertThat(bothAgain.writeLock().tryLock()).isTrue();
        StampedLock stamped = GraphImageTest.copy(new StampedLock());
        stamped.unlock(stamped.writeLock());
    }

    /** Main has it, and a copy of it in the thread that reads. */
    @Test
    @SuppressWarnings("LockNotBeforeTry") // a lock that is held is what is copied
    void shouldBeHeldWhenMainHasTheLock() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        ReentrantLock again = GraphImageTest.copy(lock);
        lock.unlock();
        assertThat(again.isHeldByCurrentThread()).isTrue();
        again.unlock();
        assertThat(again.isLocked()).isFalse();
    }

    static Stream<Queue<Object>> queues() {
        return Stream.of(
                new ArrayBlockingQueue<>(3, true),
                new LinkedBlockingQueue<>(3),
                new LinkedBlockingDeque<>(3),
                new LinkedTransferQueue<>(),
                new PriorityBlockingQueue<>(),
                new ConcurrentLinkedQueue<>(),
                new ConcurrentLinkedDeque<>());
    }

    @ParameterizedTest
    @MethodSource("queues")
    void shouldHaveItsElementsInOrder(Queue<Object> queue) throws Exception {
        queue.add("0");
        queue.add("1");
        queue.remove();
        queue.add("2");
        Queue<Object> again = GraphImageTest.copy(queue);
        assertThat(again).containsExactly("1", "2");
        again.add("3");
        if (again instanceof BlockingQueue<Object> blocking) {
            assertThat(blocking.remainingCapacity())
                    .isEqualTo(((BlockingQueue<?>) queue).remainingCapacity() == 1 ? 0 : Integer.MAX_VALUE);
            assertThat(blocking.take()).isEqualTo("1");
        } else {
            assertThat(again.poll()).isEqualTo("1");
        }
        assertThat(again).containsExactly("2", "3");
    }

    @Test
    void shouldHandOverWhenThereIsNothingInIt() throws Exception {
        SynchronousQueue<String> queue = GraphImageTest.copy(new SynchronousQueue<>());
        CompletableFuture<Void> giver = CompletableFuture.runAsync(() -> {
            while (!queue.offer("given")) {
                Thread.onSpinWait();
            }
        });
        assertThat(queue.take()).isEqualTo("given");
        giver.join();
        Exchanger<String> exchanger = GraphImageTest.copy(new Exchanger<>());
        assertThat(exchanger).isNotNull();
    }

    @Test
    void shouldFindItsKeys() throws Exception {
        Object identity = new Object();
        ConcurrentHashMap<Object, Integer> map = new ConcurrentHashMap<>();
        for (int i = 0; i < 1000; i++) {
            map.put("key " + i, i);
        }
        map.put(identity, -1);
        Object[] again = GraphImageTest.copy(new Object[] {map, identity});
        @SuppressWarnings("unchecked")
        ConcurrentHashMap<Object, Integer> mapAgain = (ConcurrentHashMap<Object, Integer>) again[0];
        assertThat(mapAgain).hasSize(1001).containsEntry("key 77", 77).containsEntry(again[1], -1);
        assertThat(mapAgain.merge("key 5", 10, Integer::sum)).isEqualTo(15);
        ConcurrentSkipListMap<String, Integer> sorted = new ConcurrentSkipListMap<>();
        sorted.put("b", 2);
        sorted.put("a", 1);
        assertThat(GraphImageTest.copy(sorted)).isEqualTo(sorted);
        assertThat(GraphImageTest.copy(new CopyOnWriteArrayList<>(List.of(1, 2))))
                .containsExactly(1, 2);
    }
}
