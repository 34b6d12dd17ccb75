package org.gridmpj.capture.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import jdk.internal.misc.Unsafe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools of the JDK without work come out of an image as they were, but for their threads; those with work are refused. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class IdlePoolImageTest {
    static Stream<ExecutorService> pools() {
        Stream<BlockingQueue<Runnable>> queues = Stream.of(
                new LinkedBlockingQueue<>(),
                new LinkedBlockingQueue<>(7),
                new ArrayBlockingQueue<>(3, true),
                new LinkedBlockingDeque<>(4),
                new LinkedTransferQueue<>(),
                new PriorityBlockingQueue<>(),
                new SynchronousQueue<>(),
                new SynchronousQueue<>(true));
        return Stream.concat(
                queues.map(queue -> new ThreadPoolExecutor(2, 4, 1, TimeUnit.MINUTES, queue)),
                Stream.of(
                        Executors.newCachedThreadPool(),
                        Executors.newSingleThreadExecutor(),
                        Executors.newScheduledThreadPool(2),
                        Executors.newSingleThreadScheduledExecutor(),
                        Executors.newWorkStealingPool(2),
                        new ForkJoinPool(2),
                        Executors.unconfigurableExecutorService(Executors.newFixedThreadPool(1))));
    }

    /** The thread that has run a task, when it waits for the next one. */
    private static Thread used(ExecutorService pool) throws Exception {
        Thread thread = pool.submit(Thread::currentThread).get();
        await().until(() ->
                thread.getState() == Thread.State.WAITING || thread.getState() == Thread.State.TIMED_WAITING);
        return thread;
    }

    private static void end(ExecutorService pool) throws InterruptedException {
        pool.shutdown();
        assertThat(pool.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("pools")
    void shouldRunTasksWhenItHadNone(ExecutorService pool) throws Exception {
        ExecutorService unused = GraphImageTest.copy(pool);
        Thread first = used(pool);
        ExecutorService once = GraphImageTest.copy(pool);
        Thread second = used(once);
        ExecutorService twice = GraphImageTest.copy(once);
        assertThat(twice).isExactlyInstanceOf(pool.getClass());
        assertThat(List.of(first, second)).doesNotHaveDuplicates().doesNotContain(used(twice), used(unused));
        if (twice instanceof ScheduledExecutorService scheduled) {
            assertThat(scheduled.schedule(() -> 5, 1, TimeUnit.MILLISECONDS).get())
                    .isEqualTo(5);
        }
        for (ExecutorService each : List.of(unused, pool, once, twice)) {
            end(each);
        }
    }

    @Test
    void shouldKeepItsParameters() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                1, 1, 3, TimeUnit.SECONDS, new ArrayBlockingQueue<>(3), new ThreadPoolExecutor.DiscardPolicy());
        pool.allowCoreThreadTimeOut(true);
        String name = used(pool).getName();
        ThreadPoolExecutor again = GraphImageTest.copy(pool);
        assertThat(again.getPoolSize()).isZero();
        assertThat(again.getCompletedTaskCount()).isEqualTo(1);
        assertThat(again.getLargestPoolSize()).isEqualTo(1);
        assertThat(again.getKeepAliveTime(TimeUnit.SECONDS)).isEqualTo(3);
        assertThat(again.allowsCoreThreadTimeOut()).isTrue();
        assertThat(again.getRejectedExecutionHandler()).isInstanceOf(ThreadPoolExecutor.DiscardPolicy.class);
        assertThat(again.getQueue().remainingCapacity()).isEqualTo(3);
        String next = used(again).getName();
        assertThat(next).endsWith("-thread-2").startsWith(name.substring(0, name.lastIndexOf('-')));
        assertThat(again.getPoolSize()).isEqualTo(1);
        end(pool);
        end(again);
    }

    @Test
    void shouldKeepParallelismAndNamesWhenItForks() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(3, ForkJoinPool.defaultForkJoinWorkerThreadFactory, null, true);
        String name = used(pool).getName();
        ForkJoinPool again = GraphImageTest.copy(pool);
        assertThat(again.getParallelism()).isEqualTo(3);
        assertThat(again.getAsyncMode()).isTrue();
        assertThat(again.getPoolSize()).isZero();
        assertThat(used(again).getName()).startsWith(name.substring(0, name.lastIndexOf('-')));
        end(pool);
        end(again);
    }

    @Test
    void shouldBeOneWhenTwoHaveIt() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        used(pool);
        Object[] again = GraphImageTest.copy(new Object[] {pool, List.of(pool), pool.getQueue()});
        ThreadPoolExecutor one = (ThreadPoolExecutor) again[0];
        assertThat(((List<?>) again[1]).getFirst()).isSameAs(one);
        assertThat(again[2]).isSameAs(one.getQueue());
        end(pool);
        end(one);
    }

    @Test
    void shouldBeThatOfTheProcessWhenItIsTheCommonPool() throws Exception {
        Object[] pools = {
            ForkJoinPool.commonPool(), CompletableFuture.completedFuture(1).defaultExecutor()
        };
        assertThat(GraphImageTest.copy(pools)).containsExactly(pools);
    }

    @Test
    void shouldForgetATaskThatWasRemovedBeforeItsTime() throws Exception {
        ScheduledThreadPoolExecutor pool = new ScheduledThreadPoolExecutor(1);
        pool.setRemoveOnCancelPolicy(true);
        Future<Integer> removed = pool.schedule(() -> 1, 1, TimeUnit.HOURS);
        used(pool);
        await().untilAsserted(() -> assertThat(pool.getActiveCount()).isZero());
        removed.cancel(false);
        ScheduledThreadPoolExecutor again = GraphImageTest.copy(pool);
        assertThat(again.getRemoveOnCancelPolicy()).isTrue();
        assertThat(again.schedule(() -> 5, 1, TimeUnit.MILLISECONDS).get()).isEqualTo(5);
        end(pool);
        end(again);
    }

    static Stream<ExecutorService> perTask() {
        return Stream.of(
                Executors.newVirtualThreadPerTaskExecutor(),
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("numbered-", 5).factory()),
                Executors.newThreadPerTaskExecutor(Executors.defaultThreadFactory()));
    }

    @ParameterizedTest
    @MethodSource("perTask")
    void shouldStartAThreadForEachTaskWhenItHadNone(ExecutorService executor) throws Exception {
        Thread first = executor.submit(Thread::currentThread).get();
        first.join();
        ExecutorService again = captured(executor);
        Thread second = again.submit(Thread::currentThread).get();
        assertThat(second.isVirtual()).isEqualTo(first.isVirtual());
        if (first.getName().startsWith("numbered-")) {
            assertThat(second.getName()).isEqualTo("numbered-6");
        }
        CountDownLatch gate = new CountDownLatch(1);
        Future<?> busy = again.submit(() -> {
            gate.await();
            return 1;
        });
        assertThatThrownBy(() -> GraphImageTest.copy(again)).hasMessageContaining("a thread for each");
        gate.countDown();
        assertThat(busy.get()).isEqualTo(1);
        end(executor);
        end(again);
        ExecutorService ended = captured(again);
        assertThat(ended.isTerminated()).isTrue();
        assertThatThrownBy(() -> ended.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        end(ended);
    }

    /** A thread is counted until it has ended, which is a little later than its task. */
    private static ExecutorService captured(ExecutorService executor) throws Exception {
        return await().ignoreExceptionsInstanceOf(UncapturableException.class)
                .until(() -> GraphImageTest.copy(executor), each -> true);
    }

    @ParameterizedTest
    @MethodSource("pools")
    void shouldHaveEndedWhenItHad(ExecutorService pool) throws Exception {
        used(pool);
        end(pool);
        ExecutorService again = GraphImageTest.copy(GraphImageTest.copy(pool));
        assertThat(again.isShutdown()).isTrue();
        assertThat(again.isTerminated()).isTrue();
        assertThatThrownBy(() -> again.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        end(again);
    }

    @Test
    void shouldHaveNobodyInItsLockWhenAThreadIsOnItsWayOut() throws Exception {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
        ReentrantLock lock = (ReentrantLock)
                Unsafe.getUnsafe().getReference(pool, Shape.offset(pool, "ThreadPoolExecutor.mainLock"));
        Thread worker = used(pool);
        lock.lock();
        try {
            pool.shutdown();
            await().until(() -> lock.hasQueuedThread(worker));
            pool.shutdown(); // finds no worker left, so that the pool has terminated
            assertThat(pool.isTerminated()).isTrue();
            ExecutorService again = GraphImageTest.copy(pool);
            assertThat(again.isTerminated()).isTrue();
            end(again);
        } finally {
            lock.unlock();
        }
        worker.join();
        assertThat(GraphImageTest.copy(pool).isTerminated()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeRefusedWhenItHasWork(boolean shutDown) throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        List<ExecutorService> pools = List.of(
                new ThreadPoolExecutor(1, 1, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>()), new ForkJoinPool(1));
        for (ExecutorService pool : pools) {
            CountDownLatch begun = new CountDownLatch(1);
            Future<Integer> _ = pool.submit(() -> {
                begun.countDown();
                gate.await();
                return 1;
            });
            begun.await();
            if (shutDown) {
                pool.shutdown();
            }
            assertThatThrownBy(() -> GraphImageTest.copy(new Object[] {pool}))
                    .isInstanceOf(UncapturableException.class)
                    .hasMessageStartingWith("root[0] (" + pool.getClass().getName() + "): the tasks of a ");
        }
        gate.countDown();
        for (ExecutorService pool : pools) {
            end(pool);
        }
    }

    @Test
    void shouldBeRefusedWhenATaskIsToCome() throws Exception {
        ScheduledExecutorService pool = Executors.newScheduledThreadPool(1);
        Future<Integer> _ = pool.schedule(() -> 1, 1, TimeUnit.HOURS);
        assertThatThrownBy(() -> GraphImageTest.copy(pool)).hasMessageContaining("the tasks of a pool");
        assertThat(pool.shutdownNow()).hasSize(1);
        end(pool);
        ForkJoinPool fork = new ForkJoinPool(1);
        Future<Integer> _ = fork.schedule(() -> 1, 1, TimeUnit.HOURS);
        await().untilAsserted(() -> assertThatThrownBy(() -> GraphImageTest.copy(fork))
                .hasMessageContaining("the tasks of a fork-join pool"));
        fork.cancelDelayedTasksOnShutdown();
        end(fork);
    }
}
