package org.gridmpj.testkit.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Stands between dialers and a port on loopback, passes bytes both ways, and resets each connection after some thousand
 * bytes, wherever in a message that is, until its number of cuts is used up. Each connection has two threads of its own.
 */
public final class ConnectionCuttingProxy implements AutoCloseable {
    private final ServerSocket listener;
    private final int targetPort;
    private final int meanBytes;
    private final AtomicInteger cutsLeft;
    private final AtomicInteger cutsMade = new AtomicInteger();
    private final SplittableRandom random;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    /** Connections on which the target may still say something. */
    private final AtomicInteger speaking = new AtomicInteger();

    private volatile int connections;
    /** Connections up to this one carry nothing any more. */
    private volatile int mute;

    private volatile boolean closed;

    /**
     * Listens.
     *
     * @param targetPort where the bytes go
     * @param seed of the places where connections are cut
     * @param meanBytes bytes between two cuts, in the mean
     * @param cuts after so many the proxy lets everything through
     */
    public ConnectionCuttingProxy(int targetPort, long seed, int meanBytes, int cuts) throws IOException {
        this.targetPort = targetPort;
        this.meanBytes = meanBytes;
        cutsLeft = new AtomicInteger(cuts);
        random = new SplittableRandom(seed);
        listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    /** The port to dial instead of the target's. */
    public int port() {
        return listener.getLocalPort();
    }

    /** Connections that were reset so far. */
    public int cutsMade() {
        return cutsMade.get();
    }

    /** Connections that were made so far. */
    public int connectionsMade() {
        return connections;
    }

    /** Resets all connections now. */
    public void cut() {
        if (!sockets.isEmpty()) {
            cutsMade.incrementAndGet();
            List.copyOf(sockets).forEach(this::reset);
        }
    }

    /** The connections that are there now stay open, but what comes over them is swallowed, and so is their end. */
    public void mute() {
        mute = connections;
    }

    private void accept() {
        while (!closed) {
            try {
                Socket dialer = remember(listener.accept());
                Socket target = remember(new Socket(InetAddress.getLoopbackAddress(), targetPort));
                dialer.setTcpNoDelay(true);
                target.setTcpNoDelay(true);
                // Most connections live long enough for the handshake, some do not.
                int bytesToCut = random.nextInt(2 * meanBytes);
                AtomicInteger left = new AtomicInteger(bytesToCut);
                int number = connections + 1;
                connections = number;
                threads.execute(() -> pass(number, dialer, target, left));
                speaking.incrementAndGet();
                threads.execute(() -> {
                    pass(number, target, dialer, left);
                    speaking.decrementAndGet();
                });
            } catch (IOException targetOrListenerIsGone) {
                Thread.onSpinWait();
            }
        }
    }

    private Socket remember(Socket socket) {
        sockets.add(socket);
        return socket;
    }

    private void pass(int number, Socket from, Socket to, AtomicInteger left) {
        byte[] buffer = new byte[4096];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int bytes = in.read(buffer); bytes >= 0; bytes = in.read(buffer)) {
                if (number <= mute) {
                    continue;
                }
                int remaining = left.addAndGet(-bytes);
                if (remaining < 0 && cutsLeft.getAndUpdate(cuts -> Math.max(0, cuts - 1)) > 0) {
                    // Some of the last bytes still arrive: the cut falls into the middle of a frame.
                    out.write(buffer, 0, Math.max(0, bytes + remaining));
                    out.flush();
                    cutsMade.incrementAndGet();
                    reset(from);
                    reset(to);
                    return;
                }
                out.write(buffer, 0, bytes);
                out.flush();
            }
            if (number > mute) {
                to.shutdownOutput();
            }
        } catch (IOException broken) {
            if (number <= mute) {
                return;
            }
            reset(from);
            reset(to);
        }
    }

    /** Closes with RST instead of FIN: what the kernel still holds is lost. */
    private void reset(Socket socket) {
        sockets.remove(socket);
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException alreadyClosed) {
            Thread.onSpinWait();
        }
    }

    /** Waits until everything is passed on that a target has written which has closed its connections, a second at most. */
    public void awaitEndOfTarget() {
        for (int waits = 0; speaking.get() > 0 && waits < 1000; waits++) {
            LockSupport.parkNanos(this, 1_000_000);
        }
    }

    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
        } catch (IOException alreadyClosed) {
            Thread.onSpinWait();
        }
        for (Socket socket : sockets) {
            reset(socket);
        }
        threads.close();
    }
}
