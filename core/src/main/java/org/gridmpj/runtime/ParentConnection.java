package org.gridmpj.runtime;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * A parent in another process, over a control connection.
 *
 * <p>Two threads of its own: one reads, one sends a heartbeat a second; after {@link #listenApart} another one calls the
 * listener. When the connection ends, the parent is dead and
 * this process halts at once, whatever its program does: no orphan is left behind.
 */
final class ParentConnection implements Parent {
    /** Code of a rank that halts because its parent has died; nobody is left to see it but the process table. */
    static final int ORPHAN_EXIT_CODE = 143;

    private static final int DIAL_TIMEOUT_MILLIS = 30_000;
    private static final long HEARTBEAT_MILLIS = 1000;

    /** Pause between two looks of the reading thread while this process exits. */
    private static final long EXITING_LOOK_MILLIS = 20;

    private final ControlLink link;
    private final JobSpec job;
    private final int resumeEpoch;
    private final IntConsumer halt;
    private final boolean outlivesParent;
    private volatile CompletableFuture<RankTable> awaitedTable = new CompletableFuture<>();
    private final Object listenerLock = new Object();
    private final List<ControlMessage> early = new ArrayList<>();
    private @Nullable Consumer<ControlMessage> listener;
    private volatile @Nullable LinkedBlockingQueue<ControlMessage> apart;
    private final Object heardLock = new Object();
    private long asked;
    private long heard;
    private volatile Supplier<ControlMessage.Heartbeat> heartbeats =
            () -> new ControlMessage.Heartbeat(0, "starting", "", 0, List.of());
    private volatile boolean finalized;

    private ParentConnection(
            ControlLink link, ControlMessage.Welcome welcome, IntConsumer halt, boolean outlivesParent) {
        this.link = link;
        this.job = welcome.job();
        this.resumeEpoch = welcome.resumeEpoch();
        this.halt = halt;
        this.outlivesParent = outlivesParent;
    }

    /**
     * Dials the parent, proves the secret, says Hello and waits for Welcome.
     *
     * @param halt ends this process with a code, at once
     * @param outlivesParent whether this process may go on when it has finalized and its parent ends: the master of a
     *     job started by hand is a rank like the others, and may be the first to return from main
     */
    static ParentConnection open(
            InetSocketAddress control,
            JobSecret secret,
            int worldRank,
            int incarnation,
            IntConsumer halt,
            boolean outlivesParent)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(control, DIAL_TIMEOUT_MILLIS);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        ControlLink link = ControlLink.dialled(socket, secret);
        ControlMessage.Welcome welcome;
        try {
            link.send(new ControlMessage.Hello(
                    worldRank, incarnation, ProcessHandle.current().pid()));
            welcome = welcome(link.receive(), "the parent at " + control + " has turned rank " + worldRank + " away");
        } catch (IOException | RuntimeException e) {
            link.close();
            throw e;
        }
        ParentConnection parent = new ParentConnection(link, welcome, halt, outlivesParent);
        daemon("gridmpj-control", parent::read);
        daemon("gridmpj-heartbeat", parent::beat);
        return parent;
    }

    private static ControlMessage.Welcome welcome(@Nullable ControlMessage first, String otherwise) throws IOException {
        return switch (first) {
            case ControlMessage.Welcome welcome -> welcome;
            case ControlMessage.Shutdown refusal -> throw new RefusedException(otherwise + ": " + refusal.reason());
            case null, default -> throw new IOException(otherwise);
        };
    }

    /** The parent has said that it does not want this rank: it will not the next time. */
    static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        RefusedException(String message) {
            super(message);
        }
    }

    private static void daemon(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 256 << 10);
        thread.setDaemon(true);
        thread.start();
    }

    private void read() {
        boolean exiting = false;
        try {
            ControlMessage message;
            while ((message = link.receive()) != null) {
                if (message instanceof ControlMessage.Farewell) {
                    exiting = true;
                } else {
                    take(message);
                }
                // a JVM that exits waits for threads that are in a read, not for those that sleep
                while (exiting && !link.hasInput()) {
                    Thread.sleep(EXITING_LOOK_MILLIS);
                }
            }
        } catch (IOException | InterruptedException e) {
            // the same as an end of file: without its parent this process has no job
        }
        if (!outlivesParent || !finalized) {
            halt.accept(ORPHAN_EXIT_CODE);
        }
    }

    private void take(ControlMessage message) {
        // no switch over types: the JDK builds one at its first use, which a start would feel
        if (message instanceof ControlMessage.Shutdown shutdown) {
            ProgramOutput.flush();
            halt.accept(shutdown.exitCode());
        } else if (message instanceof ControlMessage.Heard) {
            synchronized (heardLock) {
                heard++;
                heardLock.notifyAll();
            }
        } else if (!(message instanceof ControlMessage.Table table && awaitedTable.complete(table.table()))) {
            LinkedBlockingQueue<ControlMessage> handedOver = apart;
            if (handedOver == null) {
                deliver(message);
            } else {
                handedOver.add(message);
            }
        }
    }

    private void deliver(ControlMessage message) {
        synchronized (listenerLock) {
            if (listener == null) {
                early.add(message);
            } else {
                listener.accept(message);
            }
        }
    }

    private void deliverApart(LinkedBlockingQueue<ControlMessage> handedOver) {
        try {
            while (true) {
                deliver(handedOver.take());
            }
        } catch (InterruptedException e) {
            // nobody interrupts this thread
            Thread.currentThread().interrupt();
        }
    }

    private void beat() {
        try {
            while (true) {
                Thread.sleep(HEARTBEAT_MILLIS);
                link.send(heartbeats.get());
            }
        } catch (IOException | InterruptedException e) {
            // the reading thread sees the end of the connection and halts
        }
    }

    @Override
    public JobSpec job() {
        return job;
    }

    @Override
    public int resumeEpoch() {
        return resumeEpoch;
    }

    @Override
    public RankTable exchange(ControlMessage.Bound bound) {
        if (awaitedTable.isDone()) {
            awaitedTable = new CompletableFuture<>();
            synchronized (listenerLock) {
                // what others say once they have the new table is for the engine that is to come
                listener = null;
            }
        }
        finalized = false;
        report(bound);
        try {
            return awaitedTable.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MpiFailure(ErrorClass.OTHER, "interrupted while MPI.Init waited for the other ranks", e);
        } catch (ExecutionException e) {
            throw new MpiFailure(ErrorClass.INTERN, "the IP table did not come", e);
        }
    }

    /** The master of a job started by hand does not. */
    @Override
    public boolean passesOn() {
        return !outlivesParent;
    }

    @Override
    public void report(ControlMessage message) {
        if (message instanceof ControlMessage.Finalized) {
            finalized = true;
        }
        try {
            link.send(message);
        } catch (IOException e) {
            // the reading thread sees the end of the connection and halts
        }
    }

    @Override
    public void reportHeard(ControlMessage message) {
        boolean interrupted = false;
        synchronized (heardLock) {
            // in one go: what is heard first was said first
            report(message);
            asked++;
            long mine = asked;
            while (heard < mine) {
                try {
                    heardLock.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void listenApart() {
        synchronized (listenerLock) {
            if (apart == null) {
                LinkedBlockingQueue<ControlMessage> handedOver = new LinkedBlockingQueue<>();
                apart = handedOver;
                daemon("gridmpj-told", () -> deliverApart(handedOver));
            }
        }
    }

    @Override
    public void listen(Consumer<ControlMessage> newListener) {
        synchronized (listenerLock) {
            listener = newListener;
            early.forEach(newListener);
            early.clear();
        }
    }

    @Override
    public void heartbeat(Supplier<ControlMessage.Heartbeat> source) {
        heartbeats = source;
    }

    @Override
    public void end(ControlMessage.EndKind kind, int exitCode, String text) {
        ProgramOutput.flush();
        report(new ControlMessage.Ending(kind, exitCode, text));
        halt.accept(exitCode);
    }
}
