package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which fork-join pools are asked whether they are at rest: to ask may take some milliseconds, again and again. */
@Timeout(value = 20, unit = TimeUnit.SECONDS)
class PendingWorkTest {
    private final ForkJoinPool pool = new ForkJoinPool(1);
    private final Semaphore gate = new Semaphore(0);
    private final List<ForkJoinPool> asked = new ArrayList<>();

    @AfterEach
    void end() {
        gate.release();
        pool.shutdown();
    }

    @Test
    void shouldNotWaitForAPoolWhenAThreadOfItIsAtATask() {
        pool.execute(gate::acquireUninterruptibly);
        while (!gate.hasQueuedThreads()) {
            Thread.onSpinWait();
        }

        assertThat(pendingWork(false).find(workers(), List.of())).contains("of a fork-join pool is at work");

        assertThat(asked).isEmpty();
    }

    @Test
    void shouldAskAPoolOnceWhenItsThreadsAreAtNoTask() {
        pool.submit(() -> {}).join();
        while (!pool.isQuiescent()) {
            Thread.onSpinWait();
        }
        Map<Thread, StackTraceElement[]> workers = workers();

        assertThat(pendingWork(true).find(workers, List.of())).isNull();
        assertThat(asked).containsExactlyInAnyOrder(pool, ForkJoinPool.commonPool());

        assertThat(pendingWork(false).find(workers, List.of())).contains("is at work or has tasks to come");
    }

    private PendingWork pendingWork(boolean isAtRest) {
        return new PendingWork(name -> false, each -> {
            asked.add(each);
            return isAtRest;
        });
    }

    private Map<Thread, StackTraceElement[]> workers() {
        Map<Thread, StackTraceElement[]> workers = new HashMap<>(Thread.getAllStackTraces());
        workers.keySet()
                .removeIf(each -> !(each instanceof ForkJoinWorkerThread worker && pool.equals(worker.getPool())));
        return workers;
    }
}
