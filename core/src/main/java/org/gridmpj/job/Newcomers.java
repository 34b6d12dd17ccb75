package org.gridmpj.job;

import java.net.ServerSocket;
import java.net.Socket;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Accepted connections whose other end has proved nothing yet. There are at most so many, and the oldest makes room: strangers
 * who hold theirs keep nobody out. And each has so much time in all, however slowly its bytes come.
 *
 * <p>Any thread may call.
 */
public final class Newcomers {
    private static final int STACK_BYTES = 256 << 10;
    private static final int ACCEPT_PAUSE_MILLIS = 1_000;

    private final int most;
    private final int millis;
    /** Each with its time; the oldest first. */
    private final SequencedMap<Socket, CompletableFuture<Void>> sockets = new LinkedHashMap<>();

    /**
     * @param most so many at a time
     * @param millis for each, from {@link #meet} to {@link #remove}
     */
    public Newcomers(int most, int millis) {
        this.most = most;
        this.millis = millis;
    }

    /**
     * Takes charge of a connection, and has it met on a thread of its own, who calls {@link #remove} when that is over. If no
     * thread is to be had now it is closed: who dials tries again.
     */
    public void meet(Socket socket, String threadName, Runnable handshake) {
        try {
            add(socket);
            Thread thread = new Thread(null, handshake, threadName, STACK_BYTES);
            thread.setDaemon(true);
            thread.start();
        } catch (OutOfMemoryError e) {
            boolean _ = remove(socket);
            SocketDeadline.close(socket);
        }
    }

    /** A connection could not be accepted: for want of descriptors the next one could not be either. */
    public static void pauseUnlessClosed(ServerSocket server) {
        try {
            if (!server.isClosed()) {
                Thread.sleep(ACCEPT_PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void add(Socket socket) {
        CompletableFuture<Void> time = new CompletableFuture<>();
        Socket oldest = admit(socket, time);
        if (oldest != null) {
            SocketDeadline.close(oldest);
        }
        // not on a thread of the common pool: a program may block them all
        CompletableFuture<Void> _ = time.orTimeout(millis, TimeUnit.MILLISECONDS)
                .whenComplete((done, late) -> {
                    if (late != null && remove(socket)) {
                        SocketDeadline.close(socket);
                    }
                });
    }

    /** @return who makes room for it, or null */
    private synchronized @Nullable Socket admit(Socket socket, CompletableFuture<Void> time) {
        Socket oldest = null;
        if (sockets.size() >= most) {
            oldest = sockets.firstEntry().getKey();
            boolean _ = remove(oldest);
        }
        sockets.put(socket, time);
        return oldest;
    }

    /**
     * A connection is one of ours, or is closed.
     *
     * @return whether it had time left
     */
    public synchronized boolean remove(Socket socket) {
        CompletableFuture<Void> time = sockets.remove(socket);
        if (time == null) {
            return false;
        }
        boolean _ = time.complete(null);
        return true;
    }
}
