package org.gridmpj.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Hands on one output stream of a process, on a thread of its own. When the process has ended, its stream may still have
 * much to give to a slow taker, or may never end, because a child of the process holds the pipe: the pump knows which.
 */
public final class OutputPump {
    /** When a stream whose process has ended gives nothing for so long, a child of the process has it. */
    private static final long SILENCE_NANOS = 1_000_000_000L;

    /** Takes the output; may take its time. */
    public interface Taker {
        /** The bytes are the caller's again afterwards. */
        void take(byte[] bytes, int length) throws InterruptedException;
    }

    private final Thread thread;
    private volatile long readingSinceNanos = System.nanoTime();
    private volatile boolean reading = true;

    private OutputPump(String name, InputStream in, int bytes, Taker taker, Runnable whenEnded) {
        thread = new Thread(
                null,
                () -> {
                    pump(in, new byte[bytes], taker);
                    whenEnded.run();
                },
                name,
                256 << 10);
        thread.setDaemon(true);
    }

    /**
     * Begins to read.
     *
     * @param bytes that are handed on at a time, at most
     * @param whenEnded called when nothing more will be handed on
     */
    public static OutputPump start(String name, InputStream in, int bytes, Taker taker, Runnable whenEnded) {
        return start(name, in, bytes, taker, whenEnded, Thread::start);
    }

    /**
     * As the other one.
     *
     * @param starter starts its thread
     */
    public static OutputPump start(
            String name, InputStream in, int bytes, Taker taker, Runnable whenEnded, Consumer<Thread> starter) {
        OutputPump pump = new OutputPump(name, in, bytes, taker, whenEnded);
        starter.accept(pump.thread);
        return pump;
    }

    private void pump(InputStream in, byte[] buffer, Taker taker) {
        try {
            int length;
            while ((length = in.read(buffer)) >= 0) {
                reading = false;
                taker.take(buffer, length);
                readingSinceNanos = System.nanoTime();
                reading = true;
            }
        } catch (IOException | InterruptedException e) {
            // the process is gone, or nobody wants its output any more
        }
    }

    /** Whether the taker has not yet taken what was read last. */
    public boolean isTaking() {
        return thread.isAlive() && !reading;
    }

    /**
     * The process has ended: waits until all that it wrote is taken, or nothing comes any more.
     *
     * @param patienceNanos how long takers are waited for in all; Long.MAX_VALUE: as long as they take
     * @return whether all streams have ended
     */
    public static boolean awaitEnds(List<OutputPump> pumps, long patienceNanos) throws InterruptedException {
        long beganNanos = System.nanoTime();
        boolean ended = true;
        for (OutputPump pump : pumps) {
            ended &= pump.awaitEnd(beganNanos, patienceNanos);
        }
        return ended;
    }

    private boolean awaitEnd(long beganNanos, long patienceNanos) throws InterruptedException {
        while (thread.isAlive()) {
            long waitedNanos = System.nanoTime() - beganNanos;
            long readingNanos = System.nanoTime() - readingSinceNanos;
            long leftNanos =
                    reading ? SILENCE_NANOS - Math.min(waitedNanos, readingNanos) : patienceNanos - waitedNanos;
            if (leftNanos <= 0) {
                return false;
            }
            thread.join(TimeUnit.NANOSECONDS.toMillis(Math.min(leftNanos, SILENCE_NANOS)) + 1);
        }
        return true;
    }
}
