package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.OutOfReach;
import org.gridmpj.job.RankTable;
import org.gridmpj.testkit.transport.FrameRecorder;
import org.gridmpj.transport.TransportProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two ranks without a link: who says so, and when. Rank 1 dials; an endpoint that nobody polls is one that does not answer. The
 * time is the test's.
 */
@Timeout(60)
class OutOfReachTest {
    private static final long SECOND = 1_000_000_000L;

    private final JobSecret secret = JobSecret.random();
    private final AtomicLong nanos = new AtomicLong(SECOND);
    private final GridTcpTransport dialed = open(0);
    private final GridTcpTransport dialer = open(1);
    private final int[] ports = {dialed.bind("127.0.0.1"), dialer.bind("127.0.0.1")};
    private int tables;

    private GridTcpTransport open(int rank) {
        return new GridTcpTransport(
                new TransportProvider.Context(
                        new JobSpec("parted", 2, 0), rank, 0, secret, new FrameRecorder(), Map.of()),
                nanos::get);
    }

    @AfterEach
    void close() {
        dialer.close();
        dialed.close();
    }

    private RankTable table(int dialedPort, int dialedIncarnation) {
        return new RankTable(
                tables++,
                List.of(
                        new RankTable.Entry(0, "127.0.0.1", dialedPort, dialedIncarnation, "h1"),
                        new RankTable.Entry(1, "127.0.0.1", ports[1], 0, "h2")));
    }

    private void begin() {
        RankTable first = table(ports[0], 0);
        dialed.arrive(first);
        dialer.arrive(first);
        RankTable second = table(ports[0], 0);
        dialed.update(second);
        dialer.update(second);
    }

    /** So much time passes, in which these look once a second. */
    private void pass(int seconds, GridTcpTransport... looking) {
        for (int second = 0; second < seconds; second++) {
            long _ = nanos.addAndGet(SECOND);
            for (GridTcpTransport each : looking) {
                boolean _ = each.poll();
            }
        }
    }

    private void pollUntil(BooleanSupplier reached, GridTcpTransport... polled) {
        while (!reached.getAsBoolean()) {
            for (GridTcpTransport each : polled) {
                boolean _ = each.poll();
            }
            Thread.onSpinWait();
        }
    }

    private void meet() {
        pollUntil(() -> dialer.isLinked() && dialed.isLinked(), dialer, dialed);
    }

    @Test
    void shouldTellAfterHalfAMinuteAndUntilThereIsALink() {
        begin();
        pass(29, dialer);
        assertThat(dialer.outOfReach()).isEmpty();
        pass(1, dialer);
        assertThat(dialer.outOfReach())
                .containsExactly(new OutOfReach(0, "127.0.0.1:" + ports[0], 30, "it did not answer"));
        pass(10, dialer);
        assertThat(dialer.outOfReach()).extracting(OutOfReach::seconds).containsExactly(40);
        meet();
        pass(1, dialer, dialed);
        assertThat(dialer.outOfReach()).isEmpty();
        assertThat(dialed.outOfReach()).isEmpty();
    }

    @Test
    void shouldTellWhoIsDialedALittleLater() {
        begin();
        pass(34, dialed);
        assertThat(dialed.outOfReach()).isEmpty();
        pass(1, dialed);
        assertThat(dialed.outOfReach())
                .containsExactly(new OutOfReach(
                        1, "127.0.0.1:" + ports[1], 35, "it has not dialed this rank, which has the lower number"));
    }

    @Test
    void shouldCountTheSilenceForWhichALinkWasGivenUp() {
        begin();
        meet();
        pass(1, dialer, dialed);
        pass(28, dialer);
        assertThat(dialer.isLinked()).isFalse();
        assertThat(dialer.outOfReach()).isEmpty();
        pass(3, dialer);
        assertThat(dialer.outOfReach()).extracting(OutOfReach::worldRank).containsExactly(0);
    }

    @Test
    void shouldNotCountTimeInWhichThePeerIsOnItsWay() {
        RankTable first = table(0, 1);
        dialed.arrive(first);
        dialer.arrive(first);
        pass(100, dialer, dialed);
        dialer.update(table(0, 1));
        pass(100, dialer);
        assertThat(dialer.outOfReach()).isEmpty();
        assertThat(dialed.outOfReach()).isEmpty();
        dialer.update(table(ports[0], 1));
        pass(29, dialer);
        assertThat(dialer.outOfReach()).isEmpty();
        pass(1, dialer);
        assertThat(dialer.outOfReach()).hasSize(1);
    }

    @Test
    void shouldBeginAnewWithAnotherProcessOfThePeer() {
        begin();
        pass(60, dialer);
        assertThat(dialer.outOfReach()).hasSize(1);
        dialer.update(table(ports[0], 1));
        pass(29, dialer);
        assertThat(dialer.outOfReach()).isEmpty();
        pass(3, dialer);
        assertThat(dialer.outOfReach()).hasSize(1);
    }

    @Test
    void shouldNotCountTimeInWhichThisProcessWasStopped() {
        begin();
        pass(20, dialer);
        long _ = nanos.addAndGet(1000 * SECOND);
        pass(5, dialer);
        assertThat(dialer.outOfReach()).isEmpty();
    }
}
