package org.gridmpj.job.control;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.SocketDeadline;
import org.jspecify.annotations.Nullable;

/**
 * One control connection, either end: the mutual proof of the job's secret (see {@link JobSecret}), then messages.
 *
 * <p>The dialer begins with eight bytes that name protocol and version. Nothing of a peer is believed before its proof:
 * whatever a stranger sends, and however slowly, ends that connection alone.
 *
 * <p>Any thread may send; one thread at a time receives.
 */
public final class ControlLink implements ControlLine {
    /** Time in which a peer must have given its proof, however slowly its bytes come. */
    public static final int HANDSHAKE_MILLIS = 10_000;

    private static final byte[] PREAMBLE = "GMPJCTL1".getBytes(StandardCharsets.US_ASCII);

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final ReentrantLock sending = new ReentrantLock();

    private ControlLink(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /**
     * The end that dialled; closes the socket when it fails.
     *
     * @throws ProtocolException if the acceptor does not know the secret
     */
    public static ControlLink dialled(Socket socket, JobSecret secret) throws IOException {
        return dialled(socket, secret, HANDSHAKE_MILLIS);
    }

    static ControlLink dialled(Socket socket, JobSecret secret, int millis) throws IOException {
        return open(socket, millis, link -> {
            byte[] dialerNonce = JobSecret.nonce();
            link.write(PREAMBLE, dialerNonce);
            DataInputStream data = new DataInputStream(link.in);
            byte[] acceptorNonce = read(data, JobSecret.NONCE_BYTES);
            if (!secret.verify(
                    JobSecret.Role.ACCEPTOR, dialerNonce, acceptorNonce, read(data, JobSecret.PROOF_BYTES))) {
                throw new ProtocolException("the process at " + socket.getRemoteSocketAddress()
                        + " does not know this job's secret: it belongs to another job");
            }
            link.write(secret.proof(JobSecret.Role.DIALER, dialerNonce, acceptorNonce));
        });
    }

    /**
     * The end that accepted; closes the socket when it fails.
     *
     * @throws ProtocolException if the dialer is no process of this job
     */
    public static ControlLink accepted(Socket socket, JobSecret secret) throws IOException {
        return accepted(socket, secret, HANDSHAKE_MILLIS);
    }

    static ControlLink accepted(Socket socket, JobSecret secret, int millis) throws IOException {
        return open(socket, millis, link -> {
            DataInputStream data = new DataInputStream(link.in);
            if (!Arrays.equals(read(data, PREAMBLE.length), PREAMBLE)) {
                throw new ProtocolException(
                        socket.getRemoteSocketAddress() + " does not speak the control protocol of this version");
            }
            byte[] dialerNonce = read(data, JobSecret.NONCE_BYTES);
            byte[] acceptorNonce = JobSecret.nonce();
            link.write(acceptorNonce, secret.proof(JobSecret.Role.ACCEPTOR, dialerNonce, acceptorNonce));
            if (!secret.verify(JobSecret.Role.DIALER, dialerNonce, acceptorNonce, read(data, JobSecret.PROOF_BYTES))) {
                throw new ProtocolException(socket.getRemoteSocketAddress() + " does not know this job's secret");
            }
        });
    }

    private interface Handshake {
        void run(ControlLink link) throws IOException;
    }

    private static ControlLink open(Socket socket, int millis, Handshake handshake) throws IOException {
        return SocketDeadline.handshake(socket, millis, () -> {
            ControlLink link = new ControlLink(socket);
            handshake.run(link);
            return link;
        });
    }

    private static byte[] read(DataInputStream in, int length) throws IOException {
        byte[] bytes = new byte[length];
        in.readFully(bytes);
        return bytes;
    }

    private void write(byte[]... parts) throws IOException {
        for (byte[] part : parts) {
            out.write(part);
        }
        out.flush();
    }

    /** Sends a message; it has left this process when the call returns. */
    @Override
    public void send(ControlMessage message) throws IOException {
        byte[] frame = ControlCodec.encode(message);
        sending.lock();
        try {
            write(frame);
        } finally {
            sending.unlock();
        }
    }

    /**
     * Waits for the next message.
     *
     * @return the message, or null when the peer has closed the connection
     * @throws ProtocolException if the peer sends anything but messages
     */
    @Override
    public @Nullable ControlMessage receive() throws IOException {
        return ControlCodec.read(in);
    }

    /** As {@link #receive()}, for at most this time; throws SocketTimeoutException after it. */
    public @Nullable ControlMessage receive(int timeoutMillis) throws IOException {
        socket.setSoTimeout(timeoutMillis);
        try {
            return receive();
        } finally {
            socket.setSoTimeout(0);
        }
    }

    /**
     * Whether {@link #receive} would find the beginning of a message now, or the end of the connection. In a system call for a
     * millisecond at most.
     */
    public boolean hasInput() throws IOException {
        socket.setSoTimeout(1);
        in.mark(1);
        try {
            if (in.read() >= 0) {
                in.reset();
            }
            return true;
        } catch (SocketTimeoutException e) {
            return false;
        } finally {
            socket.setSoTimeout(0);
        }
    }

    /** Address of the peer, for messages. */
    public String peer() {
        return String.valueOf(socket.getRemoteSocketAddress());
    }

    /** Closes the connection; a receive under way ends. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // nothing is left to lose: the descriptor is gone either way
        }
    }
}
