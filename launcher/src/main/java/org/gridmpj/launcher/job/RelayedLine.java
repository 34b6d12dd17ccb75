package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/** A rank's control line, as the agent relays it. Guarded by its monitor. */
final class RelayedLine implements ControlLine {
    private final Consumer<ControlMessage> sender;
    private final ArrayDeque<ControlMessage> come = new ArrayDeque<>();
    private boolean closed;

    RelayedLine(Consumer<ControlMessage> sender) {
        this.sender = sender;
    }

    synchronized void add(ControlMessage message) {
        come.add(message);
        notifyAll();
    }

    @Override
    public void send(ControlMessage message) {
        sender.accept(message);
    }

    @Override
    public synchronized @Nullable ControlMessage receive() throws IOException {
        while (come.isEmpty() && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
        return come.poll();
    }

    @Override
    public synchronized void close() {
        closed = true;
        notifyAll();
    }
}
