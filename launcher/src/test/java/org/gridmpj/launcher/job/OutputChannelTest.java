package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputChannelTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final List<Long> differences = new ArrayList<>();
    private OutputChannel channel;

    @BeforeEach
    void open() throws IOException {
        channel = channel("");
        channel.begin(0, false);
    }

    private OutputChannel channel(String tag) throws IOException {
        return new OutputChannel(new SharedOutput(shown, () -> {}), folder.resolve("log"), tag, true, differences::add);
    }

    private void write(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        channel.accept(bytes, bytes.length);
    }

    private String shown() {
        return shown.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldPassOnWholeLinesOnly() {
        write("one\ntw");
        assertThat(shown()).isEqualTo("one\n");
        write("o\n\nth");
        assertThat(shown()).isEqualTo("one\ntwo\n\n");
        channel.finish();
        assertThat(shown()).isEqualTo("one\ntwo\n\nth");
    }

    @Test
    void shouldTagEachLine() throws IOException {
        channel = channel("[1] ");
        channel.begin(0, false);
        write("a\nb\nc");
        channel.finish();
        assertThat(shown()).isEqualTo("[1] a\n[1] b\n[1] c");
    }

    @Test
    void shouldNotShowAgainWhatWasShownBeforeARollback() {
        write("header\n1\n2\n3\n4\nha");
        long cut = "header\n1\n2\n".length();
        channel.begin(cut, true);
        write("header\n");
        write("3\n");
        assertThat(shown()).isEqualTo("header\n1\n2\n3\n4\n");
        channel.restored("header\n".length());
        write("4\n5\n");
        channel.finish();
        assertThat(shown()).isEqualTo("header\n1\n2\n3\n4\n5\n");
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldGiveOffsetsOfTheProgramsStreamInLaterLives() {
        write("header\n1\n2\n");
        channel.begin(9, true);
        write("header\n");
        channel.restored(7);
        assertThat(channel.offset(7 + 4)).isEqualTo(13);
    }

    @Test
    void shouldStartFromTheBeginningWithoutASnapshot() {
        write("a\nb\n");
        channel.begin(0, false);
        write("a\nb\nc\n");
        assertThat(shown()).isEqualTo("a\nb\nc\n");
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldReportOnceWhereALaterLifeDiffers() {
        write("a\nb\nc\n");
        channel.begin(0, false);
        write("a\nX\nY\nd\n");
        assertThat(differences).containsExactly(2L);
        assertThat(shown()).isEqualTo("a\nb\nc\nd\n");
    }

    @Test
    void shouldGoOnFromTheLogOfADeadLauncher() throws IOException {
        write("a\nb\n");
        channel.close();
        channel = channel("");
        channel.begin(0, false);
        write("a\nb\nc\n");
        assertThat(shown()).isEqualTo("a\nb\nc\n");
        assertThat(Files.readString(folder.resolve("log"))).isEqualTo("a\nb\nc\n");
    }

    @Test
    void shouldTakeALifeThatNeverAsksForItsStateAsABeginning() {
        write("a\nb\n");
        channel.begin(2, true);
        write("a\nb\nc\n");
        channel.finish();
        assertThat(shown()).isEqualTo("a\nb\nc\n");
    }
}
