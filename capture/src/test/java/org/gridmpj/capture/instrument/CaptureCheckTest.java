package org.gridmpj.capture.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gridmpj.capture.samples.Awkward;
import org.gridmpj.capture.samples.CalledBack;
import org.gridmpj.capture.samples.Constructors;
import org.gridmpj.capture.samples.Control;
import org.gridmpj.capture.samples.Hidden;
import org.gridmpj.capture.samples.Notified;
import org.gridmpj.capture.samples.Pooled;
import org.gridmpj.capture.samples.Reflective;
import org.gridmpj.capture.samples.Samples;
import org.gridmpj.capture.samples.Streaming;
import org.gridmpj.capture.samples.Threaded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureCheckTest {
    @TempDir
    Path folder;

    @Test
    void shouldFindNothingInTheWayOfAnOrdinaryProgram() throws Exception {
        CaptureCheck check = CaptureCheck.of(List.of(Samples.copyOf(Control.class, folder)));

        assertThat(check.obstacles()).isEmpty();
        assertThat(check.captured())
                .contains("org.gridmpj.capture.samples.Control.recursion(int, double)")
                .doesNotContain("org.gridmpj.capture.samples.Control.say(String)");
    }

    @ParameterizedTest
    @ValueSource(classes = {Constructors.class, Hidden.class})
    void shouldTakeConstructorsAndHiddenTypes(Class<?> sample) throws Exception {
        assertThat(CaptureCheck.of(List.of(Samples.copyOf(sample, folder))).obstacles())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            classes = {CalledBack.class, Reflective.class, Streaming.class, Threaded.class, Notified.class, Pooled.class
            })
    void shouldTakeWhatTheJdkCallsBack(Class<?> sample) throws Exception {
        assertThat(CaptureCheck.of(List.of(Samples.copyOf(sample, folder))).obstacles())
                .isEmpty();
    }

    @Test
    void shouldNameWhatCanNeverBeCaptured() throws Exception {
        CaptureCheck check = CaptureCheck.of(List.of(Samples.copyOf(Awkward.class, folder)));

        assertThat(check.obstacles())
                .extracting(CaptureCheck.Obstacle::reason)
                .anySatisfy(reason -> assertThat(reason).contains("java.util.Vector.forEach"))
                .anySatisfy(reason -> assertThat(reason).contains("IntStream.mapToLong"))
                .anySatisfy(reason -> assertThat(reason).contains("static initialiser"))
                .anySatisfy(reason -> assertThat(reason).contains("samples.awkward.Token,"));
        assertThat(check.obstacles())
                .extracting(CaptureCheck.Obstacle::place)
                .allSatisfy(place -> assertThat(place).contains("Awkward"))
                .filteredOn(place -> !place.contains("Keeper.<init>"))
                .allSatisfy(place -> assertThat(place).contains(" line "));
    }

    @Test
    void shouldLeaveOutWhatIsNotLoadedByItsPlace() throws Exception {
        Path nested = Files.createDirectories(folder.resolve("target"));
        Path _ = Samples.copyOf(Control.class, nested);

        assertThat(CaptureCheck.of(List.of(folder)).captured()).isEmpty();
    }
}
