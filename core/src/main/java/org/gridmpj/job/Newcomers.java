package org.gridmpj.job;

import java.io.IOException;
import java.net.Socket;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
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
    private final Set<Socket> sockets = new LinkedHashSet<>();

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
        close(admit(socket));
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS).execute(() -> {
            if (remove(socket)) {
                close(socket);
            }
        });
    }

    /** @return who makes room for it, or null */
    private synchronized @Nullable Socket admit(Socket socket) {
        Socket oldest = null;
        if (sockets.size() >= most) {
            Iterator<Socket> first = sockets.iterator();
            oldest = first.next();
            first.remove();
        }
        sockets.add(socket);
        return oldest;
    }

    /**
     * A connection is one of ours, or is closed.
     *
     * @return whether it had time left
     */
    public synchronized boolean remove(Socket socket) {
        return sockets.remove(socket);
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
