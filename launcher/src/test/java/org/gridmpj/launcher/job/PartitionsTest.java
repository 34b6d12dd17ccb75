package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.gridmpj.job.OutOfReach;
import org.gridmpj.job.control.ControlMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PartitionsTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path folder;

    private final List<String> said = new ArrayList<>();
    private final List<String> shown = new ArrayList<>();
    /** The status that is written notes what has been said until then. */
    private final Partitions partitions =
            new Partitions(said::add, () -> shown.add("after " + String.join(", ", said())));

    private final CountDownLatch ended = new CountDownLatch(1);
    private OutputChannel output;
    private RankSlot[] ranks;
    private long nanos = SECOND;

    /** A process that does nothing, until the test is over. */
    private final class Idle extends Process {
        @Override
        public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream getInputStream() {
            return new ByteArrayInputStream(new byte[0]);
        }

        @Override
        public InputStream getErrorStream() {
            return getInputStream();
        }

        @Override
        public int waitFor() throws InterruptedException {
            ended.await();
            return 0;
        }

        @Override
        public int exitValue() {
            return 0;
        }

        @Override
        public void destroy() {
            ended.countDown();
        }
    }

    @BeforeEach
    void start() throws IOException {
        SharedOutput nowhere = new SharedOutput(OutputStream.nullOutputStream(), loss -> {}, new OpenLine(false));
        output = new OutputChannel(
                nowhere,
                nowhere,
                folder.resolve("out"),
                "",
                OutputChannel.Resumption.COOPERATIVE,
                offset -> {},
                System::nanoTime);
        ranks = new RankSlot[] {slot(0, 0, "h1"), slot(1, 0, "h1"), slot(2, 0, "h2"), slot(3, 0, "h2"), slot(4, 0, "h3")
        };
    }

    @AfterEach
    void end() {
        ended.countDown();
        output.close();
    }

    private RankSlot slot(int rank, int incarnation, String host) {
        return new RankSlot(rank, 0, incarnation, host, new Idle(), output, output, Machine.THIS, event -> {});
    }

    /** A rank says whom it cannot reach. */
    private void beat(int rank, OutOfReach... outOfReach) {
        ranks[rank].beat(new ControlMessage.Heartbeat(1, "waiting", "", 0, List.of(outOfReach)));
    }

    private static OutOfReach peer(int rank, int seconds) {
        return new OutOfReach(rank, "10.0.0.1:" + (4000 + rank), seconds, "connection timed out");
    }

    private List<String> said() {
        return said;
    }

    private List<String> saidAfter(int seconds) {
        said.clear();
        nanos += seconds * SECOND;
        partitions.tick(nanos, ranks);
        return said;
    }

    @Test
    void shouldTellOnceForTwoHostsAndOnceThatItIsOver() {
        beat(0);
        assertThat(saidAfter(1)).isEmpty();
        beat(2, peer(0, 30), peer(1, 30));
        beat(3, peer(0, 31), peer(1, 31));
        assertThat(saidAfter(1))
                .containsExactly("rank 2 at host h2 cannot reach rank 0 at host h1 (10.0.0.1:4000) for 30 s:"
                        + " connection timed out; the job waits until it can");
        // the other end tells too, and one pair is linked again before the others
        beat(0, peer(2, 35), peer(3, 35));
        beat(2, peer(1, 36));
        assertThat(saidAfter(6)).isEmpty();
        beat(0);
        beat(2);
        assertThat(saidAfter(1)).isEmpty();
        beat(3);
        assertThat(saidAfter(10)).containsExactly("rank 2 at host h2 reaches rank 0 at host h1 again, after 47 s");
        assertThat(saidAfter(1)).isEmpty();
        beat(2, peer(0, 30));
        assertThat(saidAfter(1)).hasSize(1);
    }

    @Test
    void shouldHaveInTheStatusWhatItTellsBeforeItDoes() {
        beat(0);
        saidAfter(1);
        assertThat(shown).isEmpty();
        beat(2, peer(0, 30));
        assertThat(saidAfter(1)).hasSize(1);
        assertThat(shown).containsExactly("after ");
        saidAfter(1);
        assertThat(shown).hasSize(1);
        beat(2);
        assertThat(saidAfter(10)).hasSize(1);
        assertThat(shown).containsExactly("after ", "after ");
    }

    @Test
    void shouldTellOfEachPairOfHosts() {
        beat(4, peer(0, 30), peer(2, 30), peer(3, 30));
        assertThat(saidAfter(1))
                .hasSize(2)
                .anySatisfy(line -> assertThat(line).startsWith("rank 4 at host h3 cannot reach rank 0 at host h1"))
                .anySatisfy(line -> assertThat(line).startsWith("rank 4 at host h3 cannot reach rank 2 at host h2"));
    }

    @Test
    void shouldTellOfEachPairOfRanksOnOneHostWithoutAName() {
        ranks = new RankSlot[] {slot(0, 0, ""), slot(1, 0, ""), slot(2, 0, "")};
        beat(1, peer(0, 30));
        beat(2, peer(0, 30), peer(1, 30));
        beat(0, peer(1, 36));
        assertThat(saidAfter(1))
                .hasSize(3)
                .contains("rank 2 cannot reach rank 1 (10.0.0.1:4001) for 30 s: connection timed out; the job waits"
                        + " until it can");
    }

    @Test
    void shouldNotTellOfRanksThatHaveEnded() {
        ranks[0].exitStatus = 137;
        beat(2, peer(0, 30), peer(9, 30));
        assertThat(saidAfter(1)).isEmpty();
        assertThat(Partitions.status(ranks)).isEmpty();
    }

    @Test
    void shouldNotTellThatItIsOverWhereARankHasAnotherProcess() {
        beat(2, peer(0, 30));
        assertThat(saidAfter(1)).hasSize(1);
        ranks[0] = slot(0, 1, "h3");
        beat(2);
        assertThat(saidAfter(1)).isEmpty();
    }

    @Test
    void shouldBeInTheStatus() {
        beat(2, peer(0, 47));
        assertThat(Partitions.status(ranks))
                .containsExactly(Map.of(
                        "rank",
                        2,
                        "host",
                        "h2",
                        "peer",
                        0,
                        "peerHost",
                        "h1",
                        "address",
                        "10.0.0.1:4000",
                        "seconds",
                        47,
                        "obstacle",
                        "connection timed out"));
    }
}
