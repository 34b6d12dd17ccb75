package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A rank's process ends while nobody reads the launcher's output. */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class RankSlotTest {
    /** Fits into the pipe, so that the process can end. */
    private static final int LINES = 25_000;

    @TempDir
    Path folder;

    private final LinkedBlockingQueue<JobEvent> events = new LinkedBlockingQueue<>();
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch reads = new CountDownLatch(1);
    private final AtomicInteger shown = new AtomicInteger();
    private final SharedOutput out = new SharedOutput(new Reader(), loss -> {}, new OpenLine(false));
    private OutputChannel stdout;
    private OutputChannel stderr;
    private @Nullable RankSlot started;

    @BeforeEach
    void open() throws IOException {
        stdout = channel("out");
        stderr = channel("err");
    }

    /** Who reads nothing before the test says so. */
    private final class Reader extends OutputStream {
        @Override
        public void write(int b) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(byte[] bytes) throws IOException {
            writing.countDown();
            try {
                reads.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            shown.addAndGet(bytes.length);
        }
    }

    /** The process waits for a line, so that its output is read before it ends. */
    private RankSlot start(String rest) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", "read go; yes | head -n " + LINES + "; " + rest).start();
        RankSlot slot = new RankSlot(0, 0, 0, "", process, stdout, stderr, Machine.THIS, events::add);
        started = slot;
        slot.readOutput();
        try (OutputStream go = process.getOutputStream()) {
            go.write("go\n".getBytes(StandardCharsets.UTF_8));
        }
        writing.await();
        if (rest.contains("sleep")) {
            // stderr has another thread; it says that all of stdout is in the pipe
            while (!stderr.hasCome(5)) {
                Thread.onSpinWait();
            }
        }
        return slot;
    }

    private OutputChannel channel(String log) throws IOException {
        OutputChannel channel = new OutputChannel(
                out,
                out,
                folder.resolve(log),
                "",
                OutputChannel.Resumption.COOPERATIVE,
                offset -> {},
                System::nanoTime);
        channel.begin(0, false);
        return channel;
    }

    @AfterEach
    void end() {
        reads.countDown();
        RankSlot slot = started;
        if (slot != null) {
            slot.kill();
        }
        stdout.close();
        stderr.close();
    }

    @Test
    void shouldNotEndWellBeforeAllIsShown() throws Exception {
        RankSlot slot = start("printf end");
        assertThat(events.poll(2, TimeUnit.SECONDS)).as("nobody reads").isNull();
        reads.countDown();
        assertThat(events.take()).isEqualTo(new JobEvent.Exited(0, 0, 0, 0));
        slot.finishOutput(true);
        assertThat(out.flush(Long.MAX_VALUE)).isTrue();
        assertThat(shown).hasValue(2 * LINES + 3);
    }

    @Test
    void shouldBeKnownToHaveDiedAndShowAllAtTheEndOfTheJob() throws Exception {
        RankSlot slot = start("printf end; exit 3");
        assertThat(events.take()).isEqualTo(new JobEvent.Exited(0, 0, 0, 3));
        slot.finishOutput(true);
        reads.countDown();
        slot.kill(Long.MAX_VALUE);
        slot.finishOutput(true);
        assertThat(out.flush(Long.MAX_VALUE)).isTrue();
        assertThat(shown).hasValue(2 * LINES + 3);
    }

    @Test
    void shouldShowAtTheEndOfTheJobWhatAKilledProcessHadWritten() throws Exception {
        RankSlot slot = start("echo done >&2; exec sleep 600");
        reads.countDown();
        slot.kill(Long.MAX_VALUE);
        assertThat(out.flush(Long.MAX_VALUE)).isTrue();
        assertThat(shown).hasValue(2 * LINES + 5);
    }

    @Test
    void shouldBeKilledWithoutWaitingForTheReader() throws Exception {
        RankSlot slot = start("echo done >&2; exec sleep 600");
        slot.kill();
        assertThat(events.take()).isEqualTo(new JobEvent.Exited(0, 0, 0, 137));
        assertThat(shown).hasValue(0);
    }
}
