package org.gridmpj.transport.nio;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSecret.Role;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.jspecify.annotations.Nullable;

/**
 * The first bytes of a connection, as a state machine without I/O. Each end believes nothing before the other has proved
 * that it knows the job's secret ({@link JobSecret}); then both greet.
 *
 * <pre>
 *   dialer   ──  nonce                ──▶ acceptor
 *   dialer   ◀── nonce, proof         ──  acceptor
 *   dialer   ──  proof, Hello         ──▶ acceptor
 *   dialer   ◀── Hello                ──  acceptor
 * </pre>
 *
 * Every message has a fixed length and exactly as much is read, so that frames which follow at once stay in the socket.
 * The acceptor greets even when it refuses the dialer's greeting: the dialer then can say why. Confined to the
 * connecting thread.
 */
final class Handshake {
    private enum Step {
        AWAIT_NONCE(JobSecret.NONCE_BYTES),
        AWAIT_CHALLENGE(JobSecret.NONCE_BYTES + JobSecret.PROOF_BYTES),
        AWAIT_PROOF(JobSecret.PROOF_BYTES + Hello.BYTES),
        AWAIT_HELLO(Hello.BYTES),
        DONE(0);

        private final int bytes;

        Step(int bytes) {
            this.bytes = bytes;
        }
    }

    private final JobSpec job;
    private final JobSecret secret;
    private final RankTable table;
    private final int ownRank;
    private final int dialedRank;
    private final byte[] ownNonce;

    private byte[] peerNonce = new byte[0];
    private Step step;
    private final ByteBuffer input = ByteBuffer.allocate(JobSecret.PROOF_BYTES + Hello.BYTES);
    private ByteBuffer output;
    private @Nullable Hello peer;

    private Handshake(
            JobSpec job, JobSecret secret, RankTable table, int ownRank, int dialedRank, byte[] ownNonce, Step first) {
        this.job = job;
        this.secret = secret;
        this.table = table;
        this.ownRank = ownRank;
        this.dialedRank = dialedRank;
        this.ownNonce = ownNonce;
        this.step = first;
        this.output = ByteBuffer.wrap(first == Step.AWAIT_CHALLENGE ? ownNonce : new byte[0]);
        input.limit(first.bytes);
    }

    /** The end that dials a lower rank. */
    static Handshake dialing(
            JobSpec job, JobSecret secret, RankTable table, int ownRank, int dialedRank, byte[] nonce) {
        return new Handshake(job, secret, table, ownRank, dialedRank, nonce, Step.AWAIT_CHALLENGE);
    }

    /** The end that accepts from some higher rank. */
    static Handshake accepting(JobSpec job, JobSecret secret, RankTable table, int ownRank, byte[] nonce) {
        return new Handshake(job, secret, table, ownRank, -1, nonce, Step.AWAIT_NONCE);
    }

    /** Where to read to: as much as is expected and no more. */
    ByteBuffer input() {
        return input;
    }

    /** What to write. */
    ByteBuffer output() {
        return output;
    }

    /** Both ends have greeted and all is written. */
    boolean complete() {
        return step == Step.DONE && !output.hasRemaining();
    }

    /** The peer's world rank, once {@link #complete}. */
    int peerRank() {
        if (peer == null) {
            throw new IllegalStateException("the peer has not greeted yet");
        }
        return peer.sourceRank();
    }

    /** Whether the other end has proved that it knows the secret. */
    boolean authenticated() {
        return step == Step.AWAIT_HELLO || step == Step.DONE;
    }

    /**
     * Goes on when {@link #input} is full.
     *
     * @throws HandshakeRefusal if the connection is to be closed, after {@link #output} has been written
     */
    void advance() throws HandshakeRefusal {
        if (input.hasRemaining()) {
            return;
        }
        byte[] message = Arrays.copyOf(input.array(), step.bytes);
        switch (step) {
            case AWAIT_NONCE -> {
                peerNonce = message;
                say(ownNonce, secret.proof(Role.ACCEPTOR, peerNonce, ownNonce));
                expect(Step.AWAIT_PROOF);
            }
            case AWAIT_CHALLENGE -> {
                peerNonce = Arrays.copyOf(message, JobSecret.NONCE_BYTES);
                byte[] proof = Arrays.copyOfRange(message, JobSecret.NONCE_BYTES, message.length);
                if (!secret.verify(Role.ACCEPTOR, ownNonce, peerNonce, proof)) {
                    throw new HandshakeRefusal("it does not know the secret of this job", false);
                }
                say(secret.proof(Role.DIALER, ownNonce, peerNonce), hello(dialedRank));
                expect(Step.AWAIT_HELLO);
            }
            case AWAIT_PROOF -> {
                byte[] proof = Arrays.copyOf(message, JobSecret.PROOF_BYTES);
                if (!secret.verify(Role.DIALER, peerNonce, ownNonce, proof)) {
                    throw new HandshakeRefusal("it does not know the secret of this job", false);
                }
                byte[] greeting = Arrays.copyOfRange(message, JobSecret.PROOF_BYTES, message.length);
                say(hello(sourceRankOf(greeting)));
                accept(Hello.decode(greeting));
            }
            case AWAIT_HELLO -> accept(Hello.decode(message));
            case DONE -> throw new IllegalStateException("the handshake is over");
        }
    }

    private void accept(Hello hello) throws HandshakeRefusal {
        int source = hello.sourceRank();
        boolean expected = dialedRank >= 0 ? source == dialedRank : source > ownRank && source < table.size();
        if (!expected || hello.destinationRank() != ownRank || hello.size() != job.size()) {
            throw new HandshakeRefusal(
                    "it says that it is rank " + source + " of " + hello.size() + " and wants rank "
                            + hello.destinationRank() + ", but this is rank " + ownRank + " of " + job.size(),
                    false);
        }
        if (hello.generation() != job.generation()) {
            throw new HandshakeRefusal(
                    "rank " + source + " belongs to generation " + hello.generation()
                            + " of the job, this one to generation " + job.generation(),
                    false);
        }
        int incarnation = table.entry(source).incarnation();
        if (hello.incarnation() != incarnation) {
            throw new HandshakeRefusal(
                    "it is incarnation " + hello.incarnation() + " of rank " + source
                            + ", the IP table has incarnation " + incarnation,
                    false);
        }
        peer = hello;
        expect(Step.DONE);
    }

    /** Whom to answer: a greeting that cannot be read gets an answer to nobody, which still tells our version. */
    private static int sourceRankOf(byte[] greeting) {
        try {
            return Hello.decode(greeting).sourceRank();
        } catch (HandshakeRefusal unreadable) {
            return -1;
        }
    }

    private byte[] hello(int destinationRank) {
        return new Hello(
                        Hello.VERSION,
                        job.generation(),
                        job.size(),
                        ownRank,
                        destinationRank,
                        table.entry(ownRank).incarnation())
                .encode();
    }

    private void say(byte[]... parts) {
        ByteBuffer message = ByteBuffer.allocate(JobSecret.PROOF_BYTES + Hello.BYTES);
        for (byte[] part : parts) {
            message.put(part);
        }
        output = message.flip();
    }

    private void expect(Step next) {
        step = next;
        input.clear().limit(next.bytes);
    }
}
