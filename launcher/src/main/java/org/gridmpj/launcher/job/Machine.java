package org.gridmpj.launcher.job;

import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** The time, and the threads that wait for what processes do: what a simulation of the launcher has of its own. */
interface Machine {
    /** This one. */
    Machine THIS = new Machine() {
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
    };

    /** As {@link System#nanoTime}. */
    long nanoTime();

    /** Starts a thread that waits for somebody: for what a process says or writes, for its end, for input. */
    void start(Thread thread);

    /** The calling thread, which is not the job's, waits for so long, or somewhat less. */
    void pause(long nanos);

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
