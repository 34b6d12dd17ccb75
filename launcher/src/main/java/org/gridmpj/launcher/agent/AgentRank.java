package org.gridmpj.launcher.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gridmpj.job.control.ControlCodec;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.OutputPump;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.RankProcess;
import org.jspecify.annotations.Nullable;

/**
 * A rank's process on this host, and what goes between it and the launcher: output within a window, input, control
 * messages as they are. Threads of its own for each direction; any thread may call.
 */
final class AgentRank {
    /** After so long a death is told although the launcher does not take the output. */
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    private final RankProcess self;
    private final Process process;
    private final Consumer<AgentMessage> send;
    private final Semaphore[] windows = new Semaphore[AgentMessage.STDERR + 1];
    private final LinkedBlockingQueue<ByteBuffer> input = new LinkedBlockingQueue<>();
    private final List<OutputPump> pumps;
    private volatile @Nullable ControlLink link;
    private volatile @Nullable Thread follower;
    private volatile boolean unwanted;

    /**
     * Takes a process that has just been started.
     *
     * @param send to the launcher; does nothing once it is gone
     * @param whenEnded called once, when the process has ended and all that it wrote and said is sent; of one that has
     *     died output may still follow
     */
    AgentRank(RankProcess self, Process process, Consumer<AgentMessage> send, Runnable whenEnded) {
        this.self = self;
        int worldRank = self.worldRank();
        this.process = process;
        this.send = send;
        Arrays.setAll(windows, stream -> new Semaphore(AgentMessage.WINDOW_BYTES));
        send.accept(new AgentMessage.Started(self, process.pid()));
        this.pumps = List.of(
                pump("stdout-" + worldRank, process.getInputStream(), AgentMessage.STDOUT),
                pump("stderr-" + worldRank, process.getErrorStream(), AgentMessage.STDERR));
        if (worldRank == 0) {
            Thread _ = AgentJob.start("stdin-0", this::feed);
        }
        Thread _ = AgentJob.start("wait-" + worldRank, () -> await(whenEnded));
    }

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    private OutputPump pump(String name, InputStream in, int stream) {
        return OutputPump.start(
                name,
                in,
                AgentMessage.CHUNK_BYTES,
                (bytes, length) -> {
                    if (!unwanted) {
                        windows[stream].acquire(length);
                    }
                    send.accept(new AgentMessage.Output(self, stream, ByteBuffer.wrap(Arrays.copyOf(bytes, length))));
                },
                () -> send.accept(new AgentMessage.Output(self, stream, ByteBuffer.allocate(0))));
    }

    /** The launcher has passed so many bytes on. */
    void consumed(int stream, int bytes) {
        windows[stream].release(bytes);
    }

    /** More standard input; no bytes are its end. */
    void input(ByteBuffer bytes) {
        input.add(bytes);
    }

    private void feed() {
        try (OutputStream to = process.getOutputStream()) {
            ByteBuffer next = input.take();
            while (next.hasRemaining()) {
                byte[] bytes = new byte[next.remaining()];
                next.get(bytes);
                to.write(bytes);
                to.flush();
                send.accept(new AgentMessage.Consumed(self, AgentMessage.STDIN, bytes.length));
                next = input.take();
            }
        } catch (IOException | InterruptedException e) {
            // the process has closed its input or is gone
        }
    }

    /** The rank has dialled: what it says goes to the launcher. */
    void connected(ControlMessage.Hello hello, ControlLink newLink) {
        link = newLink;
        relay(hello);
        follower = AgentJob.start("control-" + self.worldRank(), () -> {
            try {
                ControlMessage message;
                while ((message = newLink.receive()) != null) {
                    relay(message);
                }
            } catch (IOException e) {
                // as an end of file: the process says why
            }
            newLink.close();
        });
    }

    boolean isConnected() {
        return link != null;
    }

    private void relay(ControlMessage message) {
        send.accept(new AgentMessage.Control(self, ByteBuffer.wrap(ControlCodec.encode(message))));
    }

    /** The launcher says something to the rank. */
    void control(ControlMessage message) {
        ControlLink to = link;
        if (to != null) {
            try {
                to.send(message);
            } catch (IOException e) {
                // the end of the process is an event of its own
            }
        }
    }

    private void await(Runnable whenEnded) {
        try {
            int status = process.waitFor();
            input(ByteBuffer.allocate(0)); // who feeds it waits for more otherwise, for ever
            // who waits for the output is to have all of it before the end; a death is news at once, the output follows
            boolean _ = OutputPump.awaitEnds(pumps, status == 0 ? Long.MAX_VALUE : PATIENCE_NANOS);
            Thread reading = follower;
            if (reading != null) {
                // ends with the process, no child of which has its connection: the launcher hears all of it before the
                // end
                reading.join();
            }
            send.accept(new AgentMessage.Exited(self, status, ""));
            whenEnded.run();
        } catch (InterruptedException e) {
            // nobody interrupts this thread
            Thread.currentThread().interrupt();
        }
    }

    /** SIGKILL. Process.destroyForcibly would close the pipes too, and what is in them is still to be sent. */
    void kill() {
        boolean _ = process.toHandle().destroyForcibly();
    }

    /** SIGKILL; nobody takes its output any more. Returns at once. */
    void abandon() {
        unwanted = true;
        kill();
        for (Semaphore window : windows) {
            window.release(AgentMessage.WINDOW_BYTES);
        }
    }

    /** As {@link #abandon}, and waits until the process is reaped. */
    void end() {
        abandon();
        process.destroyForcibly();
        try {
            boolean _ = process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
