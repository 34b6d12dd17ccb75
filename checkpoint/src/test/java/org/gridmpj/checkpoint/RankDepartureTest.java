package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.gridmpj.job.control.ControlMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RankDepartureTest {
    private static final int ELEMENTS = 1 << 18;
    private static final long STATE_BYTES = (long) ELEMENTS * Double.BYTES;

    @TempDir
    Path folder;

    private final LoneEngine engine = new LoneEngine(0, -1);
    private final RankDeparture departure = new RankDeparture(
            engine,
            new ImageScribe(0),
            () -> new StreamPositions(1, 2, 3),
            () -> 1_700_000_000_000L,
            () -> new String[] {"Program"},
            null);
    /** What the program has: its state. */
    private final double[] state = new SplittableRandom(7).doubles(ELEMENTS).toArray();

    @AfterEach
    void giveBack() {
        departure.close();
    }

    @Test
    void shouldRepeatOnlyWhatHasChangedWhenTheStateWasCopiedAhead() throws Exception {
        Path ahead = copyAhead();
        state[ELEMENTS / 2] = -1;

        Path image = leave();

        assertThat(Files.size(ahead)).isGreaterThan(STATE_BYTES);
        assertThat(Files.size(image)).isLessThan(STATE_BYTES / 4);
        TransparentImage.rehearse(ahead, engine.job(), 0);
        assertThat(read(image)).isEqualTo(state);
    }

    @Test
    void shouldRepeatOnlyWhatHasChangedSinceTheLastRound() throws Exception {
        Path first = copyAhead(0);
        state[1] = -1;
        Path second = copyAhead(1);
        state[ELEMENTS / 2] = -2;

        Path image = leave();

        assertThat(Files.size(first)).isGreaterThan(STATE_BYTES);
        assertThat(Files.size(second)).isLessThan(STATE_BYTES / 4);
        assertThat(Files.size(image)).isLessThan(STATE_BYTES / 4);
        TransparentImage.rehearse(first, engine.job(), 0);
        TransparentImage.rehearse(second, engine.job(), 0);
        assertThat(read(image)).isEqualTo(state);
        Files.delete(first);
        assertThatThrownBy(() -> read(image))
                .isInstanceOf(ImageCorruptException.class)
                .hasMessageContaining("missing");
    }

    @Test
    void shouldRefuseTheImageWhenWhatWasCopiedAheadIsMissingOrDamaged() throws Exception {
        Path ahead = copyAhead();
        Path image = leave();

        Images.flipBit(ahead, (int) (STATE_BYTES / 2), 3);
        assertThatThrownBy(() -> read(image)).isInstanceOf(ImageCorruptException.class);
        assertThatThrownBy(() -> TransparentImage.rehearse(ahead, engine.job(), 0))
                .isInstanceOf(ImageCorruptException.class);
        Files.delete(ahead);
        assertThatThrownBy(() -> read(image))
                .isInstanceOf(ImageCorruptException.class)
                .hasMessageContaining("missing");
    }

    @Test
    void shouldRefuseADamagedImageBeforeAnythingOfItIsUsed() throws Exception {
        Path ahead = copyAhead();
        Path image = leave();
        Images.flipBit(ahead, (int) (STATE_BYTES / 2), 3);
        assertThatThrownBy(() -> TransparentImage.openSolitary(image, engine.job(), 0))
                .isInstanceOf(ImageCorruptException.class);
    }

    @Test
    void shouldWriteAllWhenTheRankStayedMeanwhile() throws Exception {
        Path ahead = copyAhead();
        departure.stay();
        Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> engine.calls.contains("leave false"));
        Files.delete(ahead);

        Path image = leave();

        assertThat(read(image)).isEqualTo(state);
    }

    @Test
    void shouldSayThatItStaysWhenTheImageCannotBeWritten() {
        departure.copyAhead(folder.resolve("nowhere").resolve("moving-0-1-0.image"));
        unwindUntilReported(ControlMessage.NotMoved.class);

        assertThat(engine.report(ControlMessage.NotMoved.class).reason()).contains("cannot be written");
    }

    private Path copyAhead() {
        return copyAhead(0);
    }

    private Path copyAhead(int round) {
        Path file = folder.resolve("moving-0-1-" + round + ".image");
        engine.reports.clear();
        departure.copyAhead(file);
        unwindUntilReported(ControlMessage.CopiedAhead.class);
        return file;
    }

    /** The program comes to MPI calls again and again, as it does. */
    private void unwindUntilReported(Class<? extends ControlMessage> kind) {
        Awaitility.await().atMost(30, TimeUnit.SECONDS).until(() -> {
            boolean _ = departure.leave(state);
            return engine.reports.stream().anyMatch(kind::isInstance);
        });
    }

    private Path leave() throws InterruptedException {
        Path file = folder.resolve("moving-0-1-4.image");
        departure.depart(file);
        Thread program = Thread.ofVirtual().start(() -> unwindUntilReported(ControlMessage.Departed.class));
        Awaitility.await()
                .atMost(30, TimeUnit.SECONDS)
                .until(() -> engine.reports.stream().anyMatch(ControlMessage.Departed.class::isInstance));
        departure.stay();
        program.join();
        return file;
    }

    private Object read(Path image) throws IOException {
        try (TransparentImage opened = TransparentImage.openSolitary(image, engine.job(), 0)) {
            assertThat(opened.initializedClasses()).containsExactly("Program");
            return opened.state(engine).program();
        }
    }
}
