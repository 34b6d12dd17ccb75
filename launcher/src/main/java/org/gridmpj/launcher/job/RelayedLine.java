package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/** A rank's control line, as the agent relays it. Guarded by its monitor. */
final class RelayedLine implements ControlLine {
    private final Consumer<ControlMessage> sender;
    private final ArrayDeque<ControlMessage> come = new ArrayDeque<>();
    private final ArrayDeque<Mark> marks = new ArrayDeque<>();
    private long added;
    private long taken;
    /** Whether somebody waits for the next message, having dealt with all before. */
    private boolean awaited;
    /** Whether nobody takes messages any more. */
    private boolean over;

    private boolean closed;

    /** Waits until so many messages have been dealt with. */
    private record Mark(long messages, CompletableFuture<Void> reached) {}

    RelayedLine(Consumer<ControlMessage> sender) {
        this.sender = sender;
    }

    synchronized void add(ControlMessage message) {
        come.add(message);
        added++;
        notifyAll();
    }

    /** Completed when who reads this line has dealt with all that has been added so far, or reads no more. */
    synchronized CompletableFuture<Void> heard() {
        if (over || (awaited && come.isEmpty())) {
            return CompletableFuture.completedFuture(null);
        }
        Mark mark = new Mark(added, new CompletableFuture<>());
        marks.add(mark);
        return mark.reached;
    }

    @Override
    public void send(ControlMessage message) {
        sender.accept(message);
    }

    @Override
    public @Nullable ControlMessage receive() throws IOException {
        while (true) {
            List<Mark> reached;
            synchronized (this) {
                reached = reached();
                if (reached.isEmpty()) {
                    ControlMessage next = next();
                    if (next != null || marks.isEmpty()) {
                        return next;
                    }
                    continue; // those who wait for what does not come any more
                }
            }
            reached.forEach(mark -> mark.reached.complete(null));
        }
    }

    private List<Mark> reached() {
        List<Mark> reached = new ArrayList<>();
        while (!marks.isEmpty() && (over || marks.getFirst().messages <= taken)) {
            reached.add(marks.removeFirst());
        }
        return reached;
    }

    private @Nullable ControlMessage next() throws IOException {
        awaited = true;
        try {
            while (come.isEmpty() && !closed) {
                wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            awaited = false;
        }
        ControlMessage next = come.poll();
        if (next == null) {
            over = true;
        } else {
            taken++;
        }
        return next;
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
