package org.gridmpj.launcher.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The time, the memory, and the threads that wait for what processes do: what a simulation of the launcher has of its own. */
interface Machine {
    /** This one. */
    Machine THIS = new Machine() {
        private static final Path MEMORY = Path.of("/proc/meminfo");
        private static final Pattern AVAILABLE = Pattern.compile("MemAvailable:\\s+([0-9]+) kB");

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public void start(Thread thread) {
            thread.start();
        }

        @Override
        public void pause(long nanos) {
            LockSupport.parkNanos(this, nanos);
        }

        @Override
        public boolean hasRoom(long bytes) {
            try {
                Matcher available = AVAILABLE.matcher(Files.readString(MEMORY));
                return !available.find() || Long.parseLong(available.group(1)) * 1024 >= bytes;
            } catch (IOException e) {
                // no such system: nothing is known against it
                return true;
            }
        }
    };

    /** As {@link System#nanoTime}. */
    long nanoTime();

    /** Starts a thread that waits for somebody: for what a process says or writes, for its end, for input. */
    void start(Thread thread);

    /** The calling thread, which is not the job's, waits for so long, or somewhat less. */
    void pause(long nanos);

    /** The job's thread waits for an answer that another one brings. */
    default <T> T await(CompletableFuture<T> answer, long seconds)
            throws ExecutionException, InterruptedException, TimeoutException {
        return answer.get(seconds, TimeUnit.SECONDS);
    }

    /** The job's thread waits for so long. */
    default void rest(long seconds) {
        try {
            await(new CompletableFuture<>(), seconds);
        } catch (TimeoutException e) {
            // nobody was to answer
        } catch (ExecutionException | InterruptedException e) {
            throw new IllegalStateException("nobody interrupts the job's thread", e);
        }
    }

    /** Whether so much memory is left, as far as the system says. */
    boolean hasRoom(long bytes);

    /** {@link #nanoTime}, for who needs nothing else. */
    default LongSupplier clock() {
        return this::nanoTime;
    }

    /** Starts a thread that does not keep the launcher from ending. */
    default Thread daemon(String name, Runnable body) {
        Thread thread = new Thread(null, body, name, 256 << 10);
        thread.setDaemon(true);
        start(thread);
        return thread;
    }
}
