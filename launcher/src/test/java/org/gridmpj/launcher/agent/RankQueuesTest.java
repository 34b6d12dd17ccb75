package org.gridmpj.launcher.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RankQueuesTest {
    private final List<String> done = new CopyOnWriteArrayList<>();

    @Test
    void shouldKeepTheOrderOfARankAndHoldUpNoOther() throws Exception {
        try (RankQueues queues = new RankQueues()) {
            CountDownLatch gone = new CountDownLatch(1);
            CountDownLatch both = new CountDownLatch(2);
            queues.execute(0, () -> {
                await(gone);
                done.add("a process is gone");
            });
            queues.execute(0, () -> {
                done.add("the next is there");
                both.countDown();
            });
            queues.execute(1, () -> {
                done.add("another rank");
                both.countDown();
                gone.countDown();
            });
            both.await();
            assertThat(done).containsExactly("another rank", "a process is gone", "the next is there");
        }
    }

    @Test
    void shouldInterruptWhatHasBegunWhenItIsClosed() throws Exception {
        RankQueues queues = new RankQueues();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        queues.execute(0, () -> {
            begun.countDown();
            await(new CountDownLatch(1));
            done.add("interrupted: " + Thread.currentThread().isInterrupted());
            interrupted.countDown();
        });
        begun.await();
        queues.execute(0, () -> done.add("what was still to be done"));
        queues.close();
        interrupted.await();
        queues.execute(0, () -> done.add("what came later"));
        assertThat(done).containsExactly("interrupted: true");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
