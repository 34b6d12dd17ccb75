package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.gridmpj.testkit.PointToPointContract;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nor when the connection beside shared memory is cut, over and over: each new one has a segment of its own. */
@Execution(ExecutionMode.CONCURRENT)
class CutSharedMemoryPointToPointTest extends PointToPointContract {
    private static final int MEAN_POLLS = 30;
    private static final int CUTS_PER_RANK = 10;

    private static final List<CutTransportProvider> JOBS = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void requireSharedMemory() {
        assumeThat(SharedFile.hostId())
                .as("this system has no /dev/shm and /proc/self/fd")
                .isNotZero();
        JOBS.clear();
    }

    /** A link that is cut for the second time in a job of two ranks has had a second segment. */
    @AfterAll
    static void shouldHaveCutLinksThatWereMadeAnew() {
        if (!JOBS.isEmpty()) {
            assertThat(JOBS)
                    .as("jobs whose connections were cut beside memory more than once")
                    .anyMatch(job -> job.cutsBesideMemory() > 1);
        }
    }

    @Override
    protected TransportProvider provider() {
        CutTransportProvider job =
                CutTransportProvider.besideMemory(OptionedTransportProvider.SHARED_MEMORY, MEAN_POLLS, CUTS_PER_RANK);
        JOBS.add(job);
        return job;
    }
}
