package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StdinFeedTest {
    private final StdinFeed feed = new StdinFeed(new ByteArrayInputStream(bytes("abcdef")), true, Machine.THIS);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** The input of a life of rank 0. */
    private static final class Input extends ByteArrayOutputStream {
        private final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public void close() {
            closed.countDown();
        }
    }

    /** What a life that begins at an offset gets. */
    private String fedFrom(long offset) throws InterruptedException {
        Input input = new Input();
        feed.feed(input, offset);
        input.closed.await();
        return input.toString(StandardCharsets.US_ASCII);
    }

    @Test
    void shouldFeedAgainWhatWasReadSinceTheLastCommittedEpoch() throws InterruptedException {
        assertThat(fedFrom(0)).isEqualTo("abcdef");
        feed.committed(2);
        assertThat(fedFrom(2)).isEqualTo("cdef");
        assertThat(fedFrom(4)).isEqualTo("ef");
    }

    @Test
    void shouldKnowWhatIsNotKeptAnyMore() throws InterruptedException {
        assertThat(fedFrom(0)).isEqualTo("abcdef");
        feed.committed(5);
        assertThat(feed.has(0)).isTrue();
        feed.committed(6);
        assertThat(feed.has(0)).isFalse();
        assertThat(feed.has(6)).isTrue();
    }
}
