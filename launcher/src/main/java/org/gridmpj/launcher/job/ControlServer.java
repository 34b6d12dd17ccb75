package org.gridmpj.launcher.job;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.Newcomers;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * A parent's end of all control connections of a job, on a free port of loopback.
 *
 * <p>Each connection has a thread, which proves the secret, takes the first message and hands it on.
 * Whoever does not prove the secret is dropped; at most {@value #MAX_UNPROVED} may be trying at a time:
 * the oldest makes room.
 */
public final class ControlServer implements AutoCloseable {
    private static final int MAX_UNPROVED = 256;

    private final ServerSocket server;
    private final JobSecret secret;
    private final BiConsumer<ControlMessage, ControlLink> met;
    private final Newcomers newcomers = new Newcomers(MAX_UNPROVED, 2 * ControlLink.HANDSHAKE_MILLIS);

    /** @param met takes each connection with its first message, and closes it if it has no use for it */
    public ControlServer(JobSecret secret, BiConsumer<ControlMessage, ControlLink> met) throws IOException {
        this.secret = secret;
        this.met = met;
        this.server = new ServerSocket(0, MAX_UNPROVED, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(null, this::accept, "control-accept", 256 << 10);
        thread.setDaemon(true);
        thread.start();
    }

    /** Where ranks dial. */
    public InetSocketAddress address() {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                newcomers.meet(socket, "control", () -> meet(socket));
            } catch (IOException e) {
                // closed, a peer that was gone before it was accepted, or no descriptor for it
                Newcomers.pauseUnlessClosed(server);
            }
        }
    }

    private void meet(Socket socket) {
        try {
            ControlLink link;
            @Nullable ControlMessage first;
            try {
                link = ControlLink.accepted(socket, secret);
                first = link.receive(ControlLink.HANDSHAKE_MILLIS);
            } finally {
                boolean _ = newcomers.remove(socket);
            }
            if (first == null) {
                link.close();
            } else {
                met.accept(first, link);
            }
        } catch (IOException e) {
            // a stranger, or a rank that died at once: its process says so
        }
    }

    /** Reads a rank's messages until its end, on a thread of its own. */
    static Thread follow(
            ControlLine link, int life, int worldRank, int incarnation, Machine machine, Consumer<JobEvent> events) {
        return machine.daemon("control-" + worldRank, () -> {
            try {
                @Nullable ControlMessage message;
                while ((message = link.receive()) != null) {
                    events.accept(new JobEvent.Said(life, worldRank, incarnation, message));
                }
            } catch (IOException e) {
                // as an end of file: the process says why
            }
            link.close();
        });
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            // nobody can dial it any more either way
        }
    }
}
