package org.gridmpj.launcher.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gridmpj.job.control.ControlCodec;
import org.gridmpj.job.control.ControlLink;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.RankProcess;
import org.jspecify.annotations.Nullable;

/**
 * A rank's process on this host, and what goes between it and the launcher: output within a window, input, control
 * messages as they are. Threads of its own for each direction; any thread may call.
 */
final class AgentRank {
    /** Time for the rest of the output of a process that has ended, when a child of its own holds the pipe. */
    private static final long DRAIN_MILLIS = 1000;

    private final RankProcess self;
    private final Process process;
    private final Consumer<AgentMessage> send;
    private final Semaphore[] windows = new Semaphore[AgentMessage.STDERR + 1];
    private final LinkedBlockingQueue<ByteBuffer> input = new LinkedBlockingQueue<>();
    private final Thread[] pumps;
    private volatile @Nullable ControlLink link;
    private volatile @Nullable Thread follower;

    /**
     * Takes a process that has just been started.
     *
     * @param send to the launcher; does nothing once it is gone
     * @param whenEnded called once, when all that the process wrote and said is sent
     */
    AgentRank(RankProcess self, Process process, Consumer<AgentMessage> send, Runnable whenEnded) {
        this.self = self;
        int worldRank = self.worldRank();
        this.process = process;
        this.send = send;
        Arrays.setAll(windows, stream -> new Semaphore(AgentMessage.WINDOW_BYTES));
        send.accept(new AgentMessage.Started(self, process.pid()));
        this.pumps = new Thread[] {
            AgentJob.start("stdout-" + worldRank, () -> pump(process.getInputStream(), AgentMessage.STDOUT)),
            AgentJob.start("stderr-" + worldRank, () -> pump(process.getErrorStream(), AgentMessage.STDERR))
        };
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

    private void pump(InputStream in, int stream) {
        byte[] buffer = new byte[AgentMessage.CHUNK_BYTES];
        try {
            int length;
            while ((length = in.read(buffer)) >= 0) {
                windows[stream].acquire(length);
                send.accept(new AgentMessage.Output(self, stream, ByteBuffer.wrap(Arrays.copyOf(buffer, length))));
            }
        } catch (IOException | InterruptedException e) {
            // the process is gone, or nobody wants its output any more
        }
        send.accept(new AgentMessage.Output(self, stream, ByteBuffer.allocate(0)));
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
            for (Thread pump : pumps) {
                pump.join(DRAIN_MILLIS);
            }
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

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** SIGKILL, and waits until the process is reaped. */
    void end() {
        process.destroyForcibly();
        for (Semaphore window : windows) {
            window.release(AgentMessage.WINDOW_BYTES);
        }
        try {
            boolean _ = process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
