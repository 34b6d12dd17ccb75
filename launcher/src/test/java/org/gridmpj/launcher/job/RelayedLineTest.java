package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.gridmpj.job.control.ControlMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RelayedLineTest {
    private final RelayedLine line = new RelayedLine(message -> {});

    @Test
    void shouldTellWhenWhatCameBeforeHasBeenDealtWith() throws Exception {
        line.add(new ControlMessage.Prepared());
        CompletableFuture<Void> heard = line.heard();
        line.add(new ControlMessage.Arrived());
        assertThat(line.receive()).isEqualTo(new ControlMessage.Prepared());
        assertThat(heard).as("it was taken, and may not have been passed on").isNotDone();
        assertThat(line.receive()).isEqualTo(new ControlMessage.Arrived());
        assertThat(heard).isDone();
    }

    @Test
    void shouldTellAtOnceWhenAllHasBeenDealtWithAndTheNextIsWaitedFor() throws Exception {
        CompletableFuture<Void> early = line.heard();
        Thread follower = Thread.ofPlatform().start(() -> {
            try {
                assertThat(line.receive()).isNull();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        early.get(30, TimeUnit.SECONDS);
        while (follower.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(line.heard()).isDone();
        line.close();
        follower.join();
    }

    @Test
    void shouldTellWhenNobodyListensAnyMore() throws Exception {
        line.add(new ControlMessage.Prepared());
        line.close();
        assertThat(line.receive()).isEqualTo(new ControlMessage.Prepared());
        CompletableFuture<Void> heard = line.heard();
        assertThat(heard).isNotDone();
        assertThat(line.receive()).isNull();
        assertThat(heard).isDone();
        assertThat(line.heard()).isDone();
    }
}
