package org.gridmpj.capture.samples;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import mpj.Probe;

/** Timers whose tasks make calls, while main makes some, or waits for them. */
public final class Timed {
    static final StringBuilder OUT = new StringBuilder();

    private Timed() {}

    /** Runs so often, and cancels itself. */
    private static final class Ticks extends TimerTask {
        private final CountDownLatch left;
        private final String name;

        Ticks(String name, CountDownLatch left) {
            this.name = name;
            this.left = left;
        }

        @Override
        public void run() {
            say(name + left.getCount() + " " + Probe.Call(left.getCount()));
            if (left.getCount() == 1) {
                say("cancelled " + cancel());
            }
            left.countDown();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Timer timer = new Timer();
        CountDownLatch first = new CountDownLatch(1);
        timer.schedule(new Ticks("once", first), 30);
        long own = Probe.Call(1) + Probe.Call(2);
        first.await();
        say("after once " + own);
        CountDownLatch second = new CountDownLatch(3);
        timer.schedule(new Ticks("again", second), 5, 5);
        second.await();
        CountDownLatch third = new CountDownLatch(3);
        timer.scheduleAtFixedRate(new Ticks("rate", third), 5, 3);
        third.await();
        Ticks never = new Ticks("never", new CountDownLatch(1));
        timer.schedule(never, 3_600_000);
        say("to come " + Probe.Call(3) + never.cancel() + (timer.purge() > 0) + never.cancel());
        timer.cancel();
        try {
            timer.schedule(new Ticks("never", first), 1);
        } catch (IllegalStateException e) {
            say("refused: " + e.getMessage());
        }
        forgotten();
    }

    /** Nobody refers to the timer but its thread. */
    private static void forgotten() throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        new Timer("forgotten", true).schedule(new Ticks("last", done), 20);
        long own = Probe.Call(4);
        done.await();
        say("end " + own);
    }

    private static void say(String text) {
        synchronized (OUT) {
            OUT.append(text).append('\n');
        }
    }
}
