package org.gridmpj.launcher.job;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** This machine at a later time. */
class LaterMachine implements Machine {
    private final AtomicLong skippedNanos = new AtomicLong();

    /** So much time passes at once. */
    void skip(Duration time) {
        long _ = skippedNanos.addAndGet(time.toNanos());
    }

    @Override
    public long nanoTime() {
        return THIS.nanoTime() + skippedNanos.get();
    }

    @Override
    public void start(Thread thread) {
        THIS.start(thread);
    }

    @Override
    public void pause(long nanos) {
        THIS.pause(nanos);
    }

    @Override
    public boolean hasRoom(long bytes) {
        return THIS.hasRoom(bytes);
    }
}
