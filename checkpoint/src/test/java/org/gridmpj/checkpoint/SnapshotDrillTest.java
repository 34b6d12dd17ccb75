package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SnapshotDrillTest {
    @Test
    void shouldFindADamagedBlockAlsoInAnEarlierImage(@TempDir Path folder) throws IOException {
        FileSnapshotStore store = FileSnapshotStore.at(folder);
        IncrementalJob job = new IncrementalJob(store, ImageKind.TRANSPARENT);
        EpochManifest base = job.commit(0);
        EpochManifest newest = job.commit(1);
        for (int rank = 0; rank < IncrementalJob.SIZE; rank++) {
            SnapshotDrill.check(store, newest, rank);
        }
        Images.flipBit(folder.resolve(base.images().get(1).file()), 250_000, 2);
        SnapshotDrill.check(store, newest, 0);
        assertThatThrownBy(() -> SnapshotDrill.check(store, newest, 1))
                .isInstanceOf(ImageCorruptException.class)
                .hasMessageContaining("g0-e0/rank-1.image");
    }

    @Test
    void shouldPracticeWhateverItFinds(@TempDir Path folder) throws IOException {
        assertThatCode(() -> SnapshotDrill.rehearse(folder.resolve("none"), 0)).doesNotThrowAnyException();
        FileSnapshotStore store = FileSnapshotStore.at(folder);
        EpochManifest newest = new IncrementalJob(store, ImageKind.TRANSPARENT).commit(0);
        assertThatCode(() -> SnapshotDrill.rehearse(folder, 1)).doesNotThrowAnyException();
        Images.flipBit(folder.resolve(newest.images().get(1).file()), 250_000, 2);
        assertThatCode(() -> SnapshotDrill.rehearse(folder, 1)).doesNotThrowAnyException();
        assertThat(store.committed()).as("it is none of its business").containsExactly(newest);
    }

    @Test
    void shouldEndWhenItsParentDoesAndNotBefore() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        try (PipedOutputStream parent = new PipedOutputStream()) {
            Thread thread = SnapshotDrill.whenEnded(new PipedInputStream(parent), ended::countDown);
            parent.write(1);
            parent.flush();
            assertThat(thread.isDaemon()).isTrue();
            assertThat(ended.getCount()).isEqualTo(1);
        }
        ended.await();
    }

    @Test
    void shouldReadBackWhatTheProcessHasWritten() {
        for (SnapshotDrill.Verdict verdict : SnapshotDrill.Verdict.values()) {
            for (String problem : List.of("", "it is 2 × damaged: here")) {
                SnapshotDrill.Result result = new SnapshotDrill.Result(verdict, new EpochId(1, 7), problem);
                assertThat(SnapshotDrill.Result.parse(result.text())).isEqualTo(result);
                assertThat(SnapshotDrill.Result.parse(
                                "[warning] of a JVM\n" + result.text() + "\n[info] of the heap at its end\n"))
                        .isEqualTo(result);
            }
        }
        for (String other : List.of("", "host b is gone", "DAMAGED", "DAMAGED 1", "1 7", "DAMAGED 1 7777777777 x")) {
            assertThat(SnapshotDrill.Result.parse(other)).as(other).isNull();
        }
    }
}
