package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ForcedAlongTest {
    private static final ByteBuffer STEP = ByteBuffer.allocate((int) ForcedAlong.STEP_BYTES);

    private final LinkedBlockingQueue<String> begun = new LinkedBlockingQueue<>();
    private final Semaphore disk = new Semaphore(0);

    private void force(boolean metadata) {
        begun.add(metadata ? "all" : "part");
        disk.acquireUninterruptibly();
    }

    private static ForcedAlong file(ForcedAlong.Force force) {
        return new ForcedAlong(
                Channels.newChannel(OutputStream.nullOutputStream()), force, ForcedAlong.Background.THREADS);
    }

    private static void write(ForcedAlong file, int length) throws IOException {
        ByteBuffer bytes = STEP.slice(0, length);
        while (bytes.hasRemaining()) {
            int _ = file.write(bytes);
        }
    }

    @Test
    void shouldForceWhatIsThereWhileTheRestIsWritten() throws Exception {
        ForcedAlong file = file(this::force);
        write(file, STEP.capacity());
        assertThat(begun.take()).isEqualTo("part");
        write(file, STEP.capacity());
        write(file, STEP.capacity());
        assertThat(begun).as("the disk is at work").isEmpty();
        disk.release();
        disk.release();
        file.forceRest();
        assertThat(begun.take()).isEqualTo("all");
        file.awaitForced();
    }

    @Test
    void shouldForceAShortFileAtItsEndOnly() throws Exception {
        ForcedAlong file = file(this::force);
        write(file, STEP.capacity() - 1);
        disk.release();
        file.forceRest();
        file.awaitForced();
        assertThat(begun).containsExactly("all");
    }

    @Test
    void shouldNotForgetAPartThatCouldNotBeForced() throws Exception {
        ForcedAlong file = file(metadata -> {
            force(metadata);
            if (!metadata) {
                throw new IOException("the disk is broken");
            }
        });
        write(file, STEP.capacity());
        disk.release(2);
        file.forceRest();
        assertThatThrownBy(file::awaitForced)
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("the disk is broken");
        assertThat(begun).containsExactly("part");
    }
}
