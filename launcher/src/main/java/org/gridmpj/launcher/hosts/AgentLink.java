package org.gridmpj.launcher.hosts;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.SocketDeadline;
import org.jspecify.annotations.Nullable;

/**
 * A connection between launcher and agent, or agent and agent: the mutual proof of the cluster's secret (as {@link
 * JobSecret} describes it), then encrypted messages.
 *
 * <pre>
 *   0        4                            4 + n
 *   ├────────┼────────────────────────────┤
 *   │ n      │ ChaCha20-Poly1305(message) │   key: one per connection and direction; nonce: 4 zero bytes and the
 *   └────────┴────────────────────────────┘   number of the message; so none can be read, changed, repeated or left out
 * </pre>
 *
 * <p>Any thread may send; one thread at a time receives; any thread may close, and whoever was in a call gets an
 * IOException.
 */
public final class AgentLink implements AutoCloseable {
    private static final byte[] PREAMBLE = "GMPJAGT4".getBytes(StandardCharsets.US_ASCII);
    private static final int HANDSHAKE_MILLIS = 10_000;
    private static final int MAX_FRAME_BYTES = 8 << 20;
    private static final int NONCE_BYTES = 12;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final ReentrantLock sending = new ReentrantLock();
    /** Guarded by sending. */
    private final Direction outwards;
    /** Confined to the receiving thread. */
    private final Direction inwards;

    private volatile long heardNanos = System.nanoTime();

    private AgentLink(Socket socket, DataInputStream in, byte[] sendingKey, byte[] receivingKey) throws IOException {
        this.socket = socket;
        this.in = in;
        this.out = socket.getOutputStream();
        this.outwards = new Direction(sendingKey);
        this.inwards = new Direction(receivingKey);
    }

    /** One direction's cipher and the number of its next message. */
    private static final class Direction {
        private final SecretKeySpec key;
        private final ByteBuffer nonce = ByteBuffer.allocate(NONCE_BYTES);
        private long number;

        Direction(byte[] key) {
            this.key = new SecretKeySpec(key, "ChaCha20");
        }

        byte[] apply(int mode, byte[] bytes) throws IOException {
            nonce.putLong(Integer.BYTES, number++);
            try {
                Cipher cipher = Cipher.getInstance("ChaCha20-Poly1305");
                cipher.init(mode, key, new IvParameterSpec(nonce.array()));
                return cipher.doFinal(bytes);
            } catch (GeneralSecurityException e) {
                ProtocolException failure = new ProtocolException("a message that was not sent by the other end");
                failure.initCause(e);
                throw failure;
            }
        }
    }

    /**
     * Dials an agent and proves the secret.
     *
     * @throws ProtocolException if the agent does not know it
     */
    public static AgentLink dial(String host, int port, int timeoutMillis, JobSecret cluster) throws IOException {
        return dial(host, port, timeoutMillis, cluster, HANDSHAKE_MILLIS);
    }

    /** As {@link #dial(String, int, int, JobSecret)}, with so much time for the proof. */
    public static AgentLink dial(String host, int port, int timeoutMillis, JobSecret cluster, int handshakeMillis)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(host, port), timeoutMillis);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
        return open(socket, handshakeMillis, in -> {
            byte[] own = JobSecret.nonce();
            write(socket, PREAMBLE, own);
            byte[] peer = read(in, JobSecret.NONCE_BYTES);
            if (!cluster.verify(JobSecret.Role.ACCEPTOR, own, peer, read(in, JobSecret.PROOF_BYTES))) {
                throw new ProtocolException("the agent at " + host + ":" + port + " has another cluster secret: it must"
                        + " be the same file on all hosts");
            }
            write(socket, cluster.proof(JobSecret.Role.DIALER, own, peer));
            return new AgentLink(
                    socket,
                    in,
                    cluster.sendingKey(JobSecret.Role.DIALER, own, peer),
                    cluster.sendingKey(JobSecret.Role.ACCEPTOR, own, peer));
        });
    }

    /** The end that accepted; closes the socket when the dialer does not know the secret. */
    public static AgentLink accepted(Socket socket, JobSecret cluster) throws IOException {
        return accepted(socket, cluster, HANDSHAKE_MILLIS);
    }

    static AgentLink accepted(Socket socket, JobSecret cluster, int handshakeMillis) throws IOException {
        return open(socket, handshakeMillis, in -> {
            if (!Arrays.equals(read(in, PREAMBLE.length), PREAMBLE)) {
                throw new ProtocolException(
                        socket.getRemoteSocketAddress() + " does not speak the agents' protocol of this version");
            }
            byte[] peer = read(in, JobSecret.NONCE_BYTES);
            byte[] own = JobSecret.nonce();
            write(socket, own, cluster.proof(JobSecret.Role.ACCEPTOR, peer, own));
            if (!cluster.verify(JobSecret.Role.DIALER, peer, own, read(in, JobSecret.PROOF_BYTES))) {
                throw new ProtocolException(socket.getRemoteSocketAddress() + " does not know the cluster's secret");
            }
            return new AgentLink(
                    socket,
                    in,
                    cluster.sendingKey(JobSecret.Role.ACCEPTOR, peer, own),
                    cluster.sendingKey(JobSecret.Role.DIALER, peer, own));
        });
    }

    private interface Handshake {
        AgentLink run(DataInputStream in) throws IOException;
    }

    private static AgentLink open(Socket socket, int millis, Handshake handshake) throws IOException {
        return SocketDeadline.handshake(
                socket,
                millis,
                () -> handshake.run(new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16))));
    }

    private static byte[] read(DataInputStream in, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    private static void write(Socket socket, byte[]... parts) throws IOException {
        for (byte[] part : parts) {
            socket.getOutputStream().write(part);
        }
    }

    /** Sends a message; it has left this process when the call returns. */
    public void send(AgentMessage message) throws IOException {
        byte[] plain = AgentCodec.encode(message);
        sending.lock();
        try {
            byte[] sealed = outwards.apply(Cipher.ENCRYPT_MODE, plain);
            byte[] frame = Arrays.copyOf(
                    ByteBuffer.allocate(Integer.BYTES).putInt(sealed.length).array(), Integer.BYTES + sealed.length);
            System.arraycopy(sealed, 0, frame, Integer.BYTES, sealed.length);
            out.write(frame);
        } finally {
            sending.unlock();
        }
    }

    /**
     * As {@link #send(AgentMessage)}, for at most this time. A frozen peer's kernel keeps a connection open for ever, so nothing
     * else ends the call; part of the message may have gone, so the connection is closed.
     */
    public void send(AgentMessage message, int timeoutMillis) throws IOException {
        boolean _ = SocketDeadline.run(
                timeoutMillis, this::close, () -> peer() + " has taken nothing for " + timeoutMillis + " ms", () -> {
                    send(message);
                    return true;
                });
    }

    /** Waits for the next message; null when the other end has closed the connection. */
    public @Nullable AgentMessage receive() throws IOException {
        int length;
        try {
            length = in.readInt();
        } catch (EOFException e) {
            return null;
        }
        if (length < 0 || length > MAX_FRAME_BYTES) {
            throw new ProtocolException("a message of " + length + " bytes");
        }
        byte[] sealed = read(in, length);
        AgentMessage message = AgentCodec.decode(inwards.apply(Cipher.DECRYPT_MODE, sealed));
        heardNanos = System.nanoTime();
        return message;
    }

    /** As {@link #receive()}, for at most this time. */
    public @Nullable AgentMessage receive(int timeoutMillis) throws IOException {
        socket.setSoTimeout(timeoutMillis);
        try {
            return receive();
        } finally {
            socket.setSoTimeout(0);
        }
    }

    /** For how long nothing has come from the other end. */
    public long silenceNanos() {
        return System.nanoTime() - heardNanos;
    }

    /** Address of the peer, for messages. */
    public String peer() {
        return String.valueOf(socket.getRemoteSocketAddress());
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // the descriptor is gone either way
        }
    }
}
