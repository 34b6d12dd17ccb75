package org.gridmpj.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.junit.jupiter.api.Test;

class HandshakeTest {
    private static final JobSpec JOB = new JobSpec("amber-fox", 3, 1);
    private static final JobSecret SECRET = JobSecret.of("open sesame");

    private static RankTable table(int incarnationOfRank2) {
        return new RankTable(
                0,
                List.of(
                        new RankTable.Entry(0, "127.0.0.1", 1000, 0, "h"),
                        new RankTable.Entry(1, "127.0.0.1", 1001, 0, "h"),
                        new RankTable.Entry(2, "127.0.0.1", 1002, incarnationOfRank2, "h")));
    }

    private static Handshake dialer(JobSpec job, JobSecret secret, int rank, int dialedRank) {
        return Handshake.dialing(job, secret, table(0), rank, dialedRank, JobSecret.nonce());
    }

    private static Handshake acceptor(int rank) {
        return Handshake.accepting(JOB, SECRET, table(0), rank, JobSecret.nonce());
    }

    /** Carries bytes to and fro, a few at a time, until nothing moves. */
    private static void run(Handshake dialer, Handshake acceptor) throws HandshakeRefusal {
        while (move(dialer, acceptor) || move(acceptor, dialer)) {
            advance(acceptor);
            advance(dialer);
        }
    }

    private static void advance(Handshake handshake) throws HandshakeRefusal {
        if (!handshake.output().hasRemaining() && !handshake.complete()) {
            handshake.advance();
        }
    }

    private static boolean move(Handshake from, Handshake to) {
        int movedBytes = Math.min(Math.min(from.output().remaining(), to.input().remaining()), 7);
        for (int i = 0; i < movedBytes; i++) {
            to.input().put(from.output().get());
        }
        return movedBytes > 0;
    }

    @Test
    void shouldKnowEachOtherWhenBothBelongToTheJob() throws HandshakeRefusal {
        Handshake dialer = dialer(JOB, SECRET, 2, 1);
        Handshake acceptor = acceptor(1);
        run(dialer, acceptor);
        assertThat(dialer.complete()).isTrue();
        assertThat(acceptor.complete()).isTrue();
        assertThat(dialer.peerRank()).isEqualTo(1);
        assertThat(acceptor.peerRank()).isEqualTo(2);
    }

    @Test
    void shouldRefuseTheAcceptorWhenItDoesNotKnowTheSecret() {
        Handshake dialer = dialer(JOB, JobSecret.of("open barley"), 2, 1);
        assertThatThrownBy(() -> run(dialer, acceptor(1))).hasMessageContaining("secret");
        assertThat(dialer.complete()).isFalse();
    }

    @Test
    void shouldRefuseTheDialerWhenItSendsAnything() {
        long seed = 42;
        Random random = new Random(seed);
        Handshake acceptor = acceptor(0);
        byte[] noise = new byte[112];
        random.nextBytes(noise);
        int taken = 0;
        while (acceptor.input().hasRemaining() && taken < JobSecret.NONCE_BYTES) {
            acceptor.input().put(noise[taken++]);
        }
        assertThat(taken).isEqualTo(JobSecret.NONCE_BYTES);
        assertThatThrownBy(() -> {
                    acceptor.advance();
                    acceptor.input().put(noise, JobSecret.NONCE_BYTES, noise.length - JobSecret.NONCE_BYTES);
                    acceptor.advance();
                })
                .as("seed %d", seed)
                .hasMessageContaining("secret");
        assertThat(acceptor.authenticated()).isFalse();
    }

    @Test
    void shouldRefuseWhenTheGenerationIsAnother() {
        Handshake dialer = dialer(new JobSpec("amber-fox", 3, 0), SECRET, 2, 1);
        assertThatThrownBy(() -> run(dialer, acceptor(1)))
                .hasMessageContaining("generation 0")
                .hasMessageContaining("generation 1");
    }

    @Test
    void shouldRefuseWhenTheDialerWantsAnotherRank() {
        assertThatThrownBy(() -> run(dialer(JOB, SECRET, 2, 0), acceptor(1))).hasMessageContaining("wants rank 0");
    }

    @Test
    void shouldRefuseWhenALowerRankDials() {
        assertThatThrownBy(() -> run(dialer(JOB, SECRET, 0, 1), acceptor(1)))
                .hasMessageContaining("it says that it is rank 0");
    }

    @Test
    void shouldRefuseWhenTheIncarnationIsNotThatOfTheTable() {
        Handshake acceptor = Handshake.accepting(JOB, SECRET, table(5), 1, JobSecret.nonce());
        assertThatThrownBy(() -> run(dialer(JOB, SECRET, 2, 1), acceptor))
                .hasMessageContaining("incarnation 0 of rank 2")
                .hasMessageContaining("incarnation 5");
    }
}
