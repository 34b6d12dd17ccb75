package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.gridmpj.job.control.ControlMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class DiagnosisTest {
    private static final int SIZE = 3;
    private static final int GONE = 1;

    @TempDir
    Path root;

    private IdleRanks job;
    private Diagnosis diagnosis;

    @BeforeEach
    void begin() throws IOException {
        job = new IdleRanks(root, SIZE);
        new Recovery("idle", job.coordination, null, job.ranks, job.streams, () -> {}).begin(Beginning.NEW);
        diagnosis = new Diagnosis(JobRequests.of("Idle", SIZE, true, root), job.ranks);
    }

    @AfterEach
    void end() {
        job.close();
    }

    private void waitForSeconds(int beats) {
        for (int beat = 0; beat < beats; beat++) {
            for (RankSlot slot : job.ranks.all()) {
                if (slot.running()) {
                    slot.beat(new ControlMessage.Heartbeat(7, "waiting", "", 0, List.of()));
                }
            }
        }
    }

    private void goWithoutFinalize() {
        job.ranks.slot(GONE).exitStatus = 0;
        diagnosis.left();
    }

    @Test
    void shouldNotTakeForAHangHowLongTheOthersHadWaitedBefore() {
        waitForSeconds(10);
        goWithoutFinalize();
        assertThat(diagnosis.abandoned())
                .as("what it waited for with the others may just have come, to it first")
                .isNull();
    }

    @Test
    void shouldEndAJobWhoseRanksWaitForOneThatHasLeftWithoutFinalize() {
        goWithoutFinalize();
        waitForSeconds(3);
        assertThat(diagnosis.abandoned())
                .isNotNull()
                .extracting(JobFailure::text)
                .asString()
                .startsWith("rank 1 has ended without MPI.Finalize while the others wait for it");
    }
}
