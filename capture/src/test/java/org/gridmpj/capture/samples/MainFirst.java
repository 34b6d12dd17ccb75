package org.gridmpj.capture.samples;

import java.util.concurrent.atomic.AtomicLong;
import mpj.Probe;

/** Main returns while a thread makes calls. */
public final class MainFirst {
    static final AtomicLong OUT = new AtomicLong();

    private static final long ON_THE_WAY_NANOS = 5_000_000;

    private MainFirst() {}

    public static void main(String[] args) {
        Thread thread = new Thread(() -> OUT.set(Probe.Call(1)), "goes-on");
        thread.start();
        long start = System.nanoTime();
        while (System.nanoTime() - start < ON_THE_WAY_NANOS) {
            Thread.onSpinWait();
        }
    }
}
