package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OutputChannelTest {
    @TempDir
    Path folder;

    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private OutputChannel.Resumption resumption = OutputChannel.Resumption.COOPERATIVE;
    private final List<Long> differences = new ArrayList<>();
    private final Map<OpenLine, SharedOutput> outputs = new HashMap<>();
    private long nowNanos = 7;
    private OutputChannel channel;

    @BeforeEach
    void open() throws IOException {
        channel = channel("");
        channel.begin(0, false);
    }

    private OutputChannel channel(String tag) throws IOException {
        return channel(tag, "log", new OpenLine(false, Runnable::run));
    }

    private OutputChannel channel(String tag, String log, OpenLine line) throws IOException {
        SharedOutput out = outputs.computeIfAbsent(line, open -> new SharedOutput(shown, loss -> {}, open));
        SharedOutput lastWords = new SharedOutput(err, loss -> {}, new OpenLine(false, Runnable::run));
        return new OutputChannel(
                out, lastWords, folder.resolve(log), tag, resumption, differences::add, () -> nowNanos);
    }

    private void write(String text) {
        write(channel, text);
    }

    private static void write(OutputChannel channel, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        channel.accept(channel.life(), bytes, bytes.length);
    }

    private void fallSilent(OutputChannel... channels) {
        nowNanos += OutputChannel.SILENCE_NANOS;
        for (OutputChannel each : channels) {
            each.showUnfinished();
        }
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
        channel.finish(true);
        assertThat(shown()).isEqualTo("one\ntwo\n\nth");
    }

    @Test
    void shouldTagEachLine() throws IOException {
        channel = channel("[1] ");
        channel.begin(0, false);
        write("a\nb\nc");
        channel.finish(true);
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
        channel.finish(true);
        assertThat(shown()).isEqualTo("header\n1\n2\n3\n4\n5\n");
        assertThat(differences).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"b, c", "bb, cc", "bbbbbb, c"})
    void shouldShowWholeLinesWhenTheNextLifeWritesOthers(String second, String third) throws IOException {
        write("1 a\n2 aa\n3 aaa\n");
        long cut = "1 a\n".length();
        channel.begin(cut, true);
        channel.restored(0);
        write("2 " + second + "\n3 ");
        write(third + "\n4 ");
        write("d\n");
        assertThat(shown()).isEqualTo("1 a\n2 aa\n3 aaa\n4 d\n");
        assertThat(differences).containsExactly(cut + "2 ".length());
        String written = "1 a\n2 " + second + "\n3 " + third + "\n4 d\n";
        assertThat(Files.readString(folder.resolve("log"))).isEqualTo(written);

        channel.begin(cut, true);
        channel.restored(0);
        write(written.substring((int) cut) + "5 e\n");
        assertThat(shown()).isEqualTo("1 a\n2 aa\n3 aaa\n4 d\n5 e\n");
        assertThat(differences).hasSize(1);
    }

    @Test
    void shouldNotForgetWhatWasShownWhenARankThatWritesOtherLinesGoesBackAgain() {
        write("1 a\n2 a\n3 a\n4 a\n");
        channel.begin(0, true);
        channel.restored(0);
        write("1 b\n2 b\n3 ");
        long cut = "1 b\n2 b\n".length();
        channel.begin(cut, true);
        channel.restored(0);
        write("3 b\n4 b\n5 b\n");
        assertThat(shown()).isEqualTo("1 a\n2 a\n3 a\n4 a\n5 b\n");
        assertThat(differences).containsExactly(2L);
    }

    @Test
    void shouldGoOnWithAnotherLineInOneThatWasShownUnfinished() throws IOException {
        channel = channel("", "prompt", new OpenLine(true, Runnable::run));
        channel.begin(0, false);
        write("one\nask a");
        fallSilent(channel);
        channel.begin(0, true);
        channel.restored(0);
        write("one\nask bcd\n");
        assertThat(shown()).isEqualTo("one\nask abcd\n");
    }

    @Test
    void shouldKeepTheBeginningOfALineWhenTheCutIsInIt() throws IOException {
        write("one\ntwo, thr");
        long cut = "one\ntwo, ".length();
        for (int rollback = 0; rollback < 2; rollback++) {
            channel.begin(cut, true);
            write("noise\n");
            channel.restored("noise\n".length());
            write("three");
        }
        write("\nfour\n");
        assertThat(shown()).isEqualTo("one\ntwo, three\nfour\n");
        assertThat(Files.readString(folder.resolve("log"))).isEqualTo(shown());

        channel.begin(cut, true);
        channel.restored(0);
        write("three\nfour\nfive\n");
        assertThat(shown()).isEqualTo("one\ntwo, three\nfour\nfive\n");
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldHaveTheBeginningOfALineWhenItsLauncherIsKilled() throws IOException {
        write("one\ntw");
        long cut = "one\ntwo, ".length();
        channel.cutAt(cut);
        write("o, thr");
        for (int launcher = 0; launcher < 2; launcher++) {
            channel = channel("");
            channel.begin(cut, true);
            channel.restored(0);
            write("three");
        }
        write("\nfour, ");
        channel.cutAt(cut);
        write("five\n");
        assertThat(shown()).isEqualTo("one\ntwo, three\nfour, five\n");

        channel = channel("");
        channel.begin(cut, true);
        channel.restored(0);
        write("three\nfour, five\nsix\n");
        assertThat(shown()).isEqualTo("one\ntwo, three\nfour, five\nsix\n");
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldKeepTheBeginningOfALineOnceWhenTheNextLifeNeverAsksForItsState() {
        write("one\ntwo, thr");
        channel.begin("one\ntwo, ".length(), true);
        write("one\ntwo, three\n");
        channel.finish(true);
        assertThat(shown()).isEqualTo("one\ntwo, three\n");
    }

    @Test
    void shouldShowNothingTwiceWhenTheBeginningOfALineHasGoneWithADeadLauncher() throws IOException {
        write("one\ntwo, ");
        channel.close();
        channel = channel("");
        for (int rollback = 0; rollback < 2; rollback++) {
            channel.begin("one\ntwo, ".length(), true);
            channel.restored(0);
            write("three\nfour\n");
        }
        assertThat(shown()).isEqualTo("one\nthree\nfour\n");
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldDropWhatAnEarlierProcessHadWrittenAndIsReadLate() {
        int earlier = channel.life();
        write("1\n2\n");
        channel.begin("1\n".length(), true);
        byte[] late = "3\n".getBytes(StandardCharsets.UTF_8);
        channel.accept(earlier, late, late.length);
        channel.restored(0);
        write("2\n3\n4\n");
        assertThat(shown()).isEqualTo("1\n2\n3\n4\n");
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldContinueInMidLineWhenTheRankGoesOnInAnotherProcess() {
        write("one\ntw");
        channel.moved(channel.offset(6));
        write("noise\no\nthree\n");
        assertThat(shown()).isEqualTo("one\n");
        channel.restored(6);
        assertThat(shown()).isEqualTo("one\ntwo\nthree\n");
        assertThat(channel.offset(6 + 8)).isEqualTo(14);
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldNotShowAgainWhatWasShownWhenTheRankMovesBeforeItIsThereAgain() {
        write("1\n2\n3\n4\n");
        channel.begin(0, false);
        write("1\n2\n");
        channel.moved(channel.offset(4));
        write("noise\n");
        channel.restored(6);
        write("3\n4\n5\n");
        assertThat(shown()).isEqualTo("1\n2\n3\n4\n5\n");
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
    void shouldKeepTheLogWhenTheNextProcessEndsBeforeItsProgramHasItsStateBack() throws IOException {
        resumption = OutputChannel.Resumption.CAPTURED;
        channel = channel("[0] ");
        channel.begin(0, false);
        write("one\ntwo, ");
        channel.moved("one\ntwo, ".length());
        write("no memory");
        channel.finish(true);
        assertThat(shown()).isEqualTo("[0] one\n[0] two, ");
        assertThat(Files.readString(folder.resolve("log"))).isEqualTo("one\ntwo, ");
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("[0] no memory\n");
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldKeepTheLogWhenTheJobEndsBeforeTheProgramHasItsStateBack() throws IOException {
        write("one\ntwo\n");
        channel.begin("one\n".length(), true);
        write("a warning\n");
        channel.finish(false);
        write("another one\n");
        assertThat(shown()).isEqualTo("one\ntwo\n");
        assertThat(Files.readString(folder.resolve("log"))).isEqualTo("one\ntwo\n");
        assertThat(err.size()).isZero();
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldTakeALifeThatNeverAsksForItsStateAsABeginning() {
        write("a\nb\n");
        channel.begin(2, true);
        write("a\nb\nc\n");
        channel.finish(true);
        assertThat(shown()).isEqualTo("a\nb\nc\n");
    }

    @Test
    void shouldShowTheRestAndCountAnewWhenTheProgramDoesNotAskForItsState() {
        write("a\nb\nc\n");
        channel.begin(4, true);
        write("a\nb\n");
        channel.anew();
        assertThat(channel.offset(4)).as("as a fresh start's").isEqualTo(4);
        write("c\nd\n");
        assertThat(shown()).isEqualTo("a\nb\nc\nd\n");
        channel.begin(4, true);
        write("a\n");
        channel.anew();
        write("b\nc\nd\ne\n");
        channel.finish(true);
        assertThat(shown()).isEqualTo("a\nb\nc\nd\ne\n");
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldShowAPromptWhenTheRankFallsSilentInIt() throws IOException {
        channel = channel("", "log", new OpenLine(true, Runnable::run));
        channel.begin(0, false);
        write("hello\nn");
        nowNanos += OutputChannel.SILENCE_NANOS - 1;
        channel.showUnfinished();
        write(" = ");
        nowNanos += OutputChannel.SILENCE_NANOS - 1;
        channel.showUnfinished();
        assertThat(shown()).isEqualTo("hello\n");
        nowNanos++;
        channel.showUnfinished();
        channel.showUnfinished();
        assertThat(shown()).isEqualTo("hello\nn = ");
        write("five\nbye\n");
        assertThat(shown()).isEqualTo("hello\nn = five\nbye\n");
        assertThat(Files.readString(folder.resolve("log"))).isEqualTo(shown());
    }

    @Test
    void shouldShowNoUnfinishedLineWhereItCouldBeBroken() {
        write("n = ");
        fallSilent(channel);
        assertThat(shown()).isEmpty();
    }

    @Test
    void shouldShowNoUnfinishedLineWithATag() throws IOException {
        channel = channel("[0] ", "log", new OpenLine(true, Runnable::run));
        channel.begin(0, false);
        write("n = ");
        fallSilent(channel);
        assertThat(shown()).isEmpty();
    }

    @Test
    void shouldBreakAnUnfinishedLineBeforeALineOfAnotherRank() throws IOException {
        OpenLine line = new OpenLine(true, Runnable::run);
        channel = channel("", "log", line);
        OutputChannel other = channel("", "other", line);
        channel.begin(0, false);
        other.begin(0, false);
        write("n = ");
        fallSilent(channel, other);
        write(other, "ready\nwait");
        fallSilent(channel, other);
        write("5\n");
        assertThat(shown()).isEqualTo("n = \nready\nwait\n5\n");
        write(other, "ing\n");
        assertThat(shown()).isEqualTo("n = \nready\nwait\n5\ning\n");
        assertThat(Files.readString(folder.resolve("log"))).isEqualTo("n = 5\n");
        assertThat(Files.readString(folder.resolve("other"))).isEqualTo("ready\nwaiting\n");
    }

    @Test
    void shouldNotPutTwoUnfinishedLinesBesideEachOther() throws IOException {
        OpenLine line = new OpenLine(true, Runnable::run);
        channel = channel("", "log", line);
        OutputChannel other = channel("", "other", line);
        channel.begin(0, false);
        other.begin(0, false);
        write("n = ");
        write(other, "m = ");
        fallSilent(channel, other);
        assertThat(shown()).isEqualTo("n = ");
        write("5\n");
        fallSilent(channel, other);
        assertThat(shown()).isEqualTo("n = 5\nm = ");
    }

    @Test
    void shouldNotShowAPromptAgainAfterARollback() throws IOException {
        channel = channel("", "log", new OpenLine(true, Runnable::run));
        channel.begin(0, false);
        write("n = ");
        fallSilent(channel);
        channel.begin(0, false);
        write("n = 5\n");
        assertThat(shown()).isEqualTo("n = 5\n");
        assertThat(differences).isEmpty();
    }

    /** A stream of which nobody reads anything until the test says so. */
    private static final class Stalled extends ByteArrayOutputStream {
        final CountDownLatch writing = new CountDownLatch(1);
        final CountDownLatch read = new CountDownLatch(1);

        @Override
        public void write(byte[] bytes) throws IOException {
            writing.countDown();
            try {
                read.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            super.write(bytes);
        }
    }

    private SharedOutput readLate(Stalled stalled) throws IOException {
        SharedOutput out = new SharedOutput(stalled, loss -> {}, new OpenLine(false));
        channel = new OutputChannel(out, out, folder.resolve("late"), "", resumption, differences::add, () -> nowNanos);
        return out;
    }

    @Test
    void shouldHoldUpNobodyButThePumpWhileNobodyReads() throws Exception {
        Stalled stalled = new Stalled();
        SharedOutput out = readLate(stalled);
        channel.begin(0, false);
        CompletableFuture<Void> pump = CompletableFuture.runAsync(() -> write("1\n2\n3"));
        stalled.writing.await();
        assertThat(channel.offset(2)).isEqualTo(2);
        assertThat(channel.hasCome(5)).isTrue();
        channel.showUnfinished();
        out.line("job: a line of the launcher's own");
        assertThat(pump).isNotDone();

        channel.begin("1\n".length(), true);
        pump.get();
        CompletableFuture<Void> next = CompletableFuture.runAsync(() -> write("up\n2\n3\n4"));
        channel.restored("up\n".length());
        assertThat(channel.offset("up\n2\n".length())).isEqualTo("1\n2\n".length());
        stalled.read.countDown();
        next.get();
        channel.finish(true);
        assertThat(out.flush(Long.MAX_VALUE)).isTrue();
        assertThat(stalled.toString(StandardCharsets.UTF_8))
                .isEqualTo("1\n2\njob: a line of the launcher's own" + System.lineSeparator() + "3\n4");
        assertThat(Files.readString(folder.resolve("late"))).isEqualTo("1\n2\n3\n4");
        assertThat(differences).isEmpty();
    }

    @Test
    void shouldSayThatNotAllIsOutWhileNobodyReads() throws Exception {
        Stalled stalled = new Stalled();
        SharedOutput out = readLate(stalled);
        out.line("last words");
        assertThat(out.flush(TimeUnit.MILLISECONDS.toNanos(1))).isFalse();
        stalled.read.countDown();
        assertThat(out.flush(Long.MAX_VALUE)).isTrue();
        assertThat(stalled.toString(StandardCharsets.UTF_8)).isEqualTo("last words" + System.lineSeparator());
    }

    /** A disk that is full, or not. */
    private static final class Disk extends ByteArrayOutputStream {
        private String problem = "No space left on device";

        @Override
        public void write(byte[] bytes) throws IOException {
            if (!problem.isEmpty()) {
                throw new IOException(problem);
            }
            super.write(bytes);
        }
    }

    private OutputChannel on(SharedOutput out) throws IOException {
        OutputChannel to =
                new OutputChannel(out, out, folder.resolve("disk"), "", resumption, differences::add, () -> nowNanos);
        to.begin(0, false);
        return to;
    }

    @Test
    void shouldLeaveToALaterLauncherWhatCannotBeWritten() throws IOException {
        Disk disk = new Disk();
        List<SharedOutput.Loss> losses = new ArrayList<>();
        SharedOutput out = new SharedOutput(disk, losses::add, new OpenLine(false, Runnable::run));
        channel = on(out);
        disk.problem = "";
        write("1\n");
        disk.problem = "No space left on device";
        write("2\n");
        disk.problem = "";
        write("3\n4");
        channel.cutAt("1\n2\n3\n".length());
        channel.finish(true);
        channel.close();
        assertThat(losses).containsExactly(new SharedOutput.Loss(false, "No space left on device"));
        assertThat(out.loss()).isEqualTo(losses.getFirst());
        assertThat(disk.toString(StandardCharsets.UTF_8)).isEqualTo("1\n");
        assertThat(folder.resolve("disk")).hasContent("1\n");

        channel = channel("", "disk", new OpenLine(false, Runnable::run));
        channel.begin("1\n2\n3\n".length(), true);
        channel.restored(0);
        write("4\n");
        assertThat(shown()).isEqualTo("2\n3\n4\n");
    }

    @Test
    void shouldTellAReaderWhoIsGoneFromADiskThatIsFull() throws IOException {
        Disk pipe = new Disk();
        pipe.problem = "Broken pipe";
        List<SharedOutput.Loss> losses = new ArrayList<>();
        channel = on(new SharedOutput(pipe, losses::add, new OpenLine(false, Runnable::run)));
        write("1\n");
        assertThat(losses).containsExactly(new SharedOutput.Loss(true, "Broken pipe"));
    }

    @Test
    void shouldTryAgainToWriteWhatTheJobCanDoWithout() throws IOException {
        Disk disk = new Disk();
        channel = on(SharedOutput.dispensable(disk, new OpenLine(false, Runnable::run)));
        write("1\n");
        assertThat(folder.resolve("disk")).isEmptyFile();
        disk.problem = "";
        write("2\n");
        assertThat(disk.toString(StandardCharsets.UTF_8)).isEqualTo("1\n2\n");
        assertThat(folder.resolve("disk")).hasContent("1\n2\n");
    }

    @Test
    void shouldNotKeepForEverWhatTheJobCanDoWithout() throws IOException {
        Disk disk = new Disk();
        channel = on(SharedOutput.dispensable(disk, new OpenLine(false, Runnable::run)));
        write("x".repeat(OutputChannel.KEPT_UNWRITTEN_BYTES) + "\n");
        disk.problem = "";
        write("2\n");
        assertThat(disk.toString(StandardCharsets.UTF_8)).isEqualTo("2\n");

        disk.problem = "Broken pipe";
        write("3\n");
        disk.problem = "";
        write("4\n");
        assertThat(disk.toString(StandardCharsets.UTF_8)).isEqualTo("2\n");
    }

    @Test
    void shouldKnowAFullDeviceByItsWords() throws IOException {
        Path full = Path.of("/dev/full");
        assumeThat(full).as("a device that is always full").exists();
        List<SharedOutput.Loss> losses = new ArrayList<>();
        try (FileOutputStream device = new FileOutputStream(full.toFile())) {
            channel = on(new SharedOutput(device, losses::add, new OpenLine(false, Runnable::run)));
            write("1\n");
        }
        assertThat(losses).hasSize(1);
        assertThat(losses.getFirst().isReaderGone()).isFalse();
        assertThat(losses.getFirst().why()).isNotEmpty();
        assertThat(folder.resolve("disk")).isEmptyFile();
    }
}
