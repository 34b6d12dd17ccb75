package org.gridmpj.launcher.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.RankProcess;

/**
 * A rank's process at an agent. Its streams hold at most a window of bytes each, so the thread that reads the agent's
 * connection never waits for a slow reader. Any thread may call.
 */
final class RemoteProcess extends Process {
    /** As after SIGKILL: the host is gone, and the process with it. */
    static final int LOST_STATUS = 137;

    private final Object host;
    private final RankProcess self;
    private final Consumer<AgentMessage> send;
    private final Incoming stdout = new Incoming(AgentMessage.STDOUT);
    private final Incoming stderr = new Incoming(AgentMessage.STDERR);
    private final Semaphore stdinWindow = new Semaphore(AgentMessage.WINDOW_BYTES);
    private final OutputStream stdin = new Outgoing();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile long pid;
    private volatile int status;

    /**
     * @param host the connection that it was started over
     * @param send to the agent; does nothing once it is gone
     */
    RemoteProcess(Object host, RankProcess self, Consumer<AgentMessage> send) {
        this.host = host;
        this.self = self;
        this.send = send;
    }

    /** Whether it was started over this connection. */
    @SuppressWarnings("ReferenceEquality") // this very connection, not one like it
    boolean isOf(Object hostLink) {
        return host == hostLink;
    }

    void started(long remotePid) {
        pid = remotePid;
    }

    void output(int stream, ByteBuffer bytes) {
        (stream == AgentMessage.STDOUT ? stdout : stderr).add(bytes);
    }

    void inputConsumed(int bytes) {
        stdinWindow.release(bytes);
    }

    /** The process is gone; what it wrote before has come, unless its host is gone too. */
    void exited(int exitStatus) {
        if (ended.getCount() > 0) {
            status = exitStatus;
            ended.countDown();
            stdinWindow.release(AgentMessage.WINDOW_BYTES);
        }
    }

    /** Nothing more will come from its host. */
    void lost() {
        stdout.end();
        stderr.end();
        exited(LOST_STATUS);
    }

    /** One output stream: what has come and is not yet read. Guarded by its monitor. */
    private final class Incoming extends InputStream {
        private final int stream;
        private final ArrayDeque<ByteBuffer> chunks = new ArrayDeque<>();
        private boolean ended;

        Incoming(int stream) {
            this.stream = stream;
        }

        synchronized void add(ByteBuffer bytes) {
            if (bytes.hasRemaining()) {
                chunks.add(bytes);
            } else {
                ended = true;
            }
            notifyAll();
        }

        synchronized void end() {
            ended = true;
            notifyAll();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            int taken;
            synchronized (this) {
                while (chunks.isEmpty()) {
                    if (ended) {
                        return -1;
                    }
                    try {
                        wait();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        throw new IOException("interrupted", e);
                    }
                }
                ByteBuffer first = chunks.getFirst();
                taken = Math.min(length, first.remaining());
                first.get(target, offset, taken);
                if (!first.hasRemaining()) {
                    chunks.removeFirst();
                }
            }
            send.accept(new AgentMessage.Consumed(self, stream, taken));
            return taken;
        }
    }

    /** Standard input. */
    private final class Outgoing extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            int at = offset;
            while (at < offset + length) {
                int chunk = Math.min(AgentMessage.CHUNK_BYTES, offset + length - at);
                try {
                    stdinWindow.acquire(chunk);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                }
                if (ended.getCount() == 0) {
                    throw new IOException("rank " + self.worldRank() + " has ended");
                }
                send.accept(new AgentMessage.Input(self, ByteBuffer.wrap(Arrays.copyOfRange(bytes, at, at + chunk))));
                at += chunk;
            }
        }

        @Override
        public void close() {
            send.accept(new AgentMessage.Input(self, ByteBuffer.allocate(0)));
        }
    }

    @Override
    public OutputStream getOutputStream() {
        return stdin;
    }

    @Override
    public InputStream getInputStream() {
        return stdout;
    }

    @Override
    public InputStream getErrorStream() {
        return stderr;
    }

    @Override
    public int waitFor() throws InterruptedException {
        ended.await();
        return status;
    }

    @Override
    public boolean waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        return ended.await(timeout, unit);
    }

    @Override
    public int exitValue() {
        if (ended.getCount() > 0) {
            throw new IllegalThreadStateException("rank " + self.worldRank() + " has not ended");
        }
        return status;
    }

    @Override
    public boolean isAlive() {
        return ended.getCount() > 0;
    }

    @Override
    public void destroy() {
        send.accept(new AgentMessage.Kill(self));
    }

    @Override
    public Process destroyForcibly() {
        if (isAlive()) {
            destroy();
        }
        return this;
    }

    /** In its host's own numbering; 0 until the agent has said so. */
    @Override
    public long pid() {
        return pid;
    }
}
