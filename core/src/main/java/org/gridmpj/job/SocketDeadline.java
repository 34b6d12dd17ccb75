package org.gridmpj.job;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * One deadline for all that is done on a socket, which ends it by closing the socket: a timeout of single reads begins anew with
 * each byte, so whoever sends one now and then would be waited for without end, and a write has no timeout at all.
 */
public final class SocketDeadline {
    private SocketDeadline() {}

    /** What is done on the socket. */
    public interface Steps<T> {
        /** @throws IOException also if the socket is closed meanwhile */
        T run() throws IOException;
    }

    /**
     * Shakes hands on a fresh connection; closes it when that fails.
     *
     * @throws SocketTimeoutException if the other end has not proved in time who it is
     */
    public static <T> T handshake(Socket socket, int millis, Steps<T> steps) throws IOException {
        try {
            socket.setTcpNoDelay(true);
            return run(
                    millis,
                    () -> close(socket),
                    () -> socket.getRemoteSocketAddress() + " has not proved within " + millis + " ms who it is",
                    steps);
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /** Closes a socket, whatever becomes of it. */
    static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // the descriptor is gone either way
        }
    }

    /**
     * Does what is to be done.
     *
     * @param close closes the socket; called on another thread, and only when the time is over
     * @param late what is said then
     * @throws SocketTimeoutException if the steps have failed and the time was over
     */
    public static <T> T run(int millis, Runnable close, Supplier<String> late, Steps<T> steps) throws IOException {
        CompletableFuture<Void> over = new CompletableFuture<>();
        CompletableFuture<Void> _ = over.orTimeout(millis, TimeUnit.MILLISECONDS)
                .whenComplete((done, isLate) -> {
                    if (isLate != null) {
                        close.run();
                    }
                });
        try {
            return steps.run();
        } catch (IOException e) {
            if (over.isCompletedExceptionally()) {
                SocketTimeoutException failure = new SocketTimeoutException(late.get());
                failure.initCause(e);
                throw failure;
            }
            throw e;
        } finally {
            boolean _ = over.complete(null);
        }
    }
}
