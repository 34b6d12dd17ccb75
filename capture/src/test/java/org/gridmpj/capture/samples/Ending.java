package org.gridmpj.capture.samples;

import java.util.concurrent.CountDownLatch;
import mpj.Probe;

/** A thread has done what it was to do, and the JVM has not ended it yet, while main makes calls. */
public final class Ending {
    static final StringBuilder OUT = new StringBuilder();

    private Ending() {}

    public static void main(String[] args) throws InterruptedException {
        long[] sum = {0};
        CountDownLatch done = new CountDownLatch(1);
        Thread thread = new Thread(
                () -> {
                    sum[0] = Probe.Call(1);
                    done.countDown();
                },
                Probe.ENDS_SLOWLY);
        thread.start();
        done.await();
        for (int i = 0; i < 5; i++) {
            sum[0] += Probe.Call(i);
        }
        thread.join();
        OUT.append(sum[0]).append(thread.getState()).append(Probe.Call(6));
    }
}
