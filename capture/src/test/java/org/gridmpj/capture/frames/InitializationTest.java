package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class InitializationTest {
    private final int number = Initialization.number("some.Class");

    @AfterEach
    void forget() {
        ProgramStatics.reset();
    }

    @Test
    void shouldBeDueOnceWhenOneThreadAsks() {
        assertThat(Initialization.isDue(number)).isTrue();
        assertThat(Initialization.isDue(number)).isFalse();
        assertThat(Initialization.isCalled("some.Class")).isTrue();
        Initialization.ended(number);
        assertThat(Initialization.isDue(number)).isFalse();
    }

    @Test
    void shouldHaveOtherThreadsWaitWhenOneRunsIt() throws Exception {
        assertThat(Initialization.isDue(number)).isTrue();
        CompletableFuture<Boolean> second = new CompletableFuture<>();
        Thread other = new Thread(() -> second.complete(Initialization.isDue(number)));
        other.start();
        await().until(() -> other.getState() == Thread.State.WAITING);
        assertThat(second).isNotDone();
        Initialization.ended(number);
        assertThat(second.get()).isFalse();
        other.join();
    }

    @Test
    void shouldRefuseTheClassWhenItHasFailed() {
        assertThat(Initialization.isDue(number)).isTrue();
        IllegalStateException cause = new IllegalStateException("no");
        assertThat(Initialization.failed(number, cause))
                .isInstanceOf(ExceptionInInitializerError.class)
                .hasCause(cause);
        assertThatThrownBy(() -> Initialization.isDue(number))
                .isInstanceOf(NoClassDefFoundError.class)
                .hasMessage("Could not initialize class some.Class");
    }

    @Test
    void shouldLeaveItToTheJvmWhenTheJvmIsFirst() {
        assertThat(Initialization.isCalled("some.Class")).isFalse();
        assertThat(Initialization.isDue(number)).isFalse();
        Initialization.ended(number);
        assertThat(Initialization.isDue(number)).isFalse();
    }

    @Test
    void shouldKnowWhatWasUnderWayWhenItComesFromAnImage() {
        int failed = Initialization.number("some.Failed");
        assertThat(Initialization.isDue(number)).isTrue();
        assertThat(Initialization.isDue(failed)).isTrue();
        assertThat(Initialization.failed(failed, new IllegalStateException())).isNotNull();
        Object[] plain = Initialization.plain();
        Initialization.reset();

        Initialization.restore(plain);

        assertThat(Initialization.isDue(number)).isFalse();
        assertThatThrownBy(() -> Initialization.isDue(failed)).isInstanceOf(NoClassDefFoundError.class);
    }

    @Test
    void shouldBeDoneWhenItsFieldsComeFromAnImage() {
        ProgramStatics.skipInitializers(List.of("some.Class"));
        assertThat(Initialization.isDue(number)).isFalse();
    }
}
