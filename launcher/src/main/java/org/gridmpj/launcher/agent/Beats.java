package org.gridmpj.launcher.agent;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;

/**
 * Signs of life for who waits for an answer that takes its time: the first at once, the others by a thread of its own until
 * this is closed.
 */
final class Beats implements AutoCloseable {
    private final CountDownLatch closed = new CountDownLatch(1);

    /** What is done when it takes too long. */
    @FunctionalInterface
    interface Late {
        void run() throws IOException;
    }

    /**
     * @param limitMillis no more of them then: who hears them for ever would wait for ever
     * @param late what is done then, by the thread that beats
     * @throws IOException if the other end is gone
     */
    Beats(AgentLink to, int everyMillis, long limitMillis, Late late) throws IOException {
        to.send(new AgentMessage.Beat());
        Thread _ = AgentJob.start("beats", () -> beat(to, everyMillis, limitMillis, late));
    }

    private void beat(AgentLink to, int everyMillis, long limitMillis, Late late) {
        long leftMillis = limitMillis;
        try {
            while (!closed.await(Math.min(everyMillis, leftMillis), TimeUnit.MILLISECONDS)) {
                leftMillis -= everyMillis;
                if (leftMillis <= 0) {
                    late.run();
                    return;
                }
                to.send(new AgentMessage.Beat());
            }
        } catch (IOException e) {
            // nobody waits any more: the answer will find out
        } catch (InterruptedException e) {
            // nobody interrupts this thread
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits for the answer of one who beats until it has it.
     *
     * @param silenceMillis the other end is given up when nothing at all comes for so long
     * @throws IOException if it is given up, or ends the connection
     */
    static AgentMessage.Done awaitDone(AgentLink from, int silenceMillis) throws IOException {
        AgentMessage message = from.receive(silenceMillis);
        while (message instanceof AgentMessage.Beat) {
            message = from.receive(silenceMillis);
        }
        if (message instanceof AgentMessage.Done done) {
            return done;
        }
        throw new IOException("the agent there has ended the connection");
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
