package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.Installation;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.coordination.FolderCoordination;
import org.gridmpj.launcher.hosts.RankProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class JobStreamsTest {
    /** Not the one that has the input. */
    private static final int RANK = 1;

    @TempDir
    Path root;

    private JobFolder folder;
    private JobStreams streams;

    @BeforeEach
    void begin() throws IOException {
        Installation installation = new Installation(root.resolve("java"), List.of(), null, null);
        JobRequest request = JobRequests.of("Idle", 2, true, root);
        folder = JobFolder.create(new UserFolders(root), null, new Random(1));
        FolderCoordination coordination = new FolderCoordination(folder.path());
        streams = JobRequests.streams(new JobLaunch(
                request, folder, installation, coordination, folder.renewSecret(), null, null, List.of()));
        streams.begin(RANK, null);
    }

    @AfterEach
    void end() {
        streams.close();
        folder.close();
    }

    private RankSlot slot(int incarnation) {
        RemoteProcess process = new RemoteProcess(this, new RankProcess(0, RANK, incarnation), message -> {});
        return new RankSlot(
                RANK,
                0,
                incarnation,
                "",
                process,
                streams.stdout(RANK),
                streams.stderr(RANK),
                Machine.THIS,
                event -> {});
    }

    private static ControlMessage.SnapshotWritten written(long stdout, long stderr) {
        return new ControlMessage.SnapshotWritten(7, "image", 1, 2, 7, 3, stdout, stderr, 0);
    }

    @Test
    void shouldCountAnImageOfAProcessThatHasMovedSinceAsThatProcessCounts() {
        RankSlot first = slot(0);
        RankSlot second = slot(1);
        RankSlot third = slot(2);
        streams.moved(first, second, new ControlMessage.Departed("", 0, 0, 100, 10, 0));
        second.restored(new ControlMessage.Restored(7, 4, 3, 0));
        streams.moved(second, third, new ControlMessage.Departed("", 0, 0, 24, 13, 0));
        third.restored(new ControlMessage.Restored(7, 6, 6, 0));
        assertThat(streams.inProgramOffsets(third, 0, written(90, 9))).isEqualTo(written(90, 9));
        assertThat(streams.inProgramOffsets(third, 1, written(14, 8))).isEqualTo(written(110, 15));
        assertThat(streams.inProgramOffsets(third, 2, written(7, 6))).isEqualTo(written(121, 20));
    }

    private static JobEvent.Said said(ControlMessage message) {
        return new JobEvent.Said(0, RANK, 0, message);
    }

    @Test
    void shouldHoldAnImageUntilWhatWasPrintedBeforeIsHere() {
        UnreadOutput unread = new UnreadOutput(streams, rank -> false, rank -> false);
        long late = UnreadOutput.PATIENCE_NANOS * 2;
        streams.stdout(RANK).accept(streams.stdout(RANK).life(), "ab".getBytes(StandardCharsets.UTF_8), 2);
        assertThat(unread.holds(said(written(2, 0)), written(2, 0), 0)).isFalse();
        assertThat(unread.holds(said(written(3, 0)), written(3, 0), 0)).isTrue();
        assertThat(unread.holds(said(written(2, 1)), written(2, 1), 0)).isTrue();
        assertThat(unread.next(late)).isNull();
        streams.stderr(RANK).accept(streams.stderr(RANK).life(), "c".getBytes(StandardCharsets.UTF_8), 1);
        assertThat(unread.next(0)).isEqualTo(said(written(2, 1)));
        assertThat(unread.next(late)).isNull();
    }

    @Test
    void shouldHoldAnImageForSoLongOnlyWhenNobodyReadsTheOutput() {
        UnreadOutput unread = new UnreadOutput(streams, rank -> false, rank -> rank == RANK);
        assertThat(unread.holds(said(written(3, 0)), written(3, 0), 5)).isTrue();
        assertThat(unread.next(UnreadOutput.PATIENCE_NANOS + 4)).isNull();
        assertThat(unread.next(UnreadOutput.PATIENCE_NANOS + 5)).isEqualTo(said(written(3, 0)));
        assertThat(unread.next(Long.MAX_VALUE)).isNull();
    }

    @Test
    void shouldHoldAnImageWhileItIsNotSettledWhereItsOutputStands() {
        AtomicBoolean unsettled = new AtomicBoolean(true);
        UnreadOutput unread = new UnreadOutput(streams, rank -> unsettled.get(), rank -> true);
        assertThat(unread.holds(said(written(0, 0)), written(0, 0), 0)).isTrue();
        assertThat(unread.next(Long.MAX_VALUE)).isNull();
        unsettled.set(false);
        assertThat(unread.next(0)).isEqualTo(said(written(0, 0)));
    }

    @Test
    void shouldHaveAllOfAProcessThatHasMovedSince() {
        UnreadOutput unread = new UnreadOutput(streams, rank -> false, rank -> false);
        streams.moved(slot(0), slot(1), new ControlMessage.Departed("", 0, 0, 100, 10, 0));
        assertThat(unread.holds(said(written(3, 0)), written(3, 0), 0)).isFalse();
    }

    @Test
    void shouldForgetInANewLifeWhereEarlierProcessesStood() {
        RankSlot first = slot(0);
        streams.moved(first, slot(1), new ControlMessage.Departed("", 0, 0, 100, 10, 0));
        streams.begin(RANK, null);
        assertThat(streams.inProgramOffsets(first, 0, written(1, 2)))
                .extracting(ControlMessage.SnapshotWritten::stdoutBytes, ControlMessage.SnapshotWritten::stderrBytes)
                .containsExactly(1L, 2L);
    }
}
