package org.gridmpj.job;

import java.io.IOException;
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
    private final int most;
    private final int millis;
    /** Each with its time; the oldest first. */
    private final SequencedMap<Socket, CompletableFuture<Void>> sockets = new LinkedHashMap<>();

    /**
     * @param most so many at a time
     * @param millis for each, from {@link #add} to {@link #remove}
     */
    public Newcomers(int most, int millis) {
        this.most = most;
        this.millis = millis;
    }

    /** Takes charge of a connection. */
    public void add(Socket socket) {
        CompletableFuture<Void> time = new CompletableFuture<>();
        close(admit(socket, time));
        // not on a thread of the common pool: a program may block them all
        CompletableFuture<Void> _ = time.orTimeout(millis, TimeUnit.MILLISECONDS)
                .whenComplete((done, late) -> {
                    if (late != null && remove(socket)) {
                        close(socket);
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

    private static void close(@Nullable Socket socket) {
        if (socket != null) {
            try {
                socket.close();
            } catch (IOException e) {
                // the descriptor is gone either way
            }
        }
    }
}
