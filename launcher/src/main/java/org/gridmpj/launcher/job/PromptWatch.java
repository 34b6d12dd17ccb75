package org.gridmpj.launcher.job;

import java.util.List;

/**
 * Looks again and again for unfinished lines in which a rank has fallen silent. A thread of its own: the job's may be busy.
 */
final class PromptWatch implements AutoCloseable {
    private static final long EVERY_MILLIS = 50;

    private final Thread thread;

    PromptWatch(List<OutputChannel> channels) {
        List<OutputChannel> watched = List.copyOf(channels);
        thread = new Thread(null, () -> watch(watched), "prompts", 256 << 10);
        thread.setDaemon(true);
        thread.start();
    }

    private static void watch(List<OutputChannel> channels) {
        try {
            while (true) {
                Thread.sleep(EVERY_MILLIS);
                channels.forEach(OutputChannel::showUnfinished);
            }
        } catch (InterruptedException e) {
            // closed
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
