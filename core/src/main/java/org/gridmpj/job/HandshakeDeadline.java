package org.gridmpj.job;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * One deadline for a whole handshake, which ends by closing the socket: a timeout of single reads begins anew with each byte, so
 * whoever sends one now and then would be waited for without end.
 */
public final class HandshakeDeadline implements AutoCloseable {
    private final Socket socket;
    private final int millis;
    private final CompletableFuture<Void> over = new CompletableFuture<>();

    /** Begins. */
    public HandshakeDeadline(Socket socket, int millis) {
        this.socket = socket;
        this.millis = millis;
        CompletableFuture<Void> _ = over.orTimeout(millis, TimeUnit.MILLISECONDS)
                .whenComplete((done, late) -> {
                    if (late != null) {
                        end();
                    }
                });
    }

    private void end() {
        try {
            socket.close();
        } catch (IOException e) {
            // the descriptor is gone either way
        }
    }

    /** What to throw for a failure of the handshake: the deadline, if that is what has closed the socket. */
    public IOException cause(IOException failure) {
        if (!over.isCompletedExceptionally()) {
            return failure;
        }
        SocketTimeoutException late = new SocketTimeoutException(
                socket.getRemoteSocketAddress() + " has not proved within " + millis + " ms who it is");
        late.initCause(failure);
        return late;
    }

    /** The handshake is over. */
    @Override
    public void close() {
        boolean _ = over.complete(null);
    }
}
