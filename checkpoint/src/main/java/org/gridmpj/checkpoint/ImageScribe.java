package org.gridmpj.checkpoint;

import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes images in the background, one at a time, on a daemon thread that begins with the first one.
 */
final class ImageScribe {
    private static final Logger LOG = LoggerFactory.getLogger(ImageScribe.class);

    private final String threadName;
    /** Held while an image is being written. */
    private final Semaphore desk = new Semaphore(1);

    ImageScribe(int worldRank) {
        threadName = "gridmpj-snapshot-" + worldRank;
    }

    boolean isBusy() {
        return desk.availablePermits() == 0;
    }

    /** Waits until the image before is written. */
    void awaitIdle() {
        desk.acquireUninterruptibly();
        desk.release();
    }

    /** Starts a job that reports its own failures; waits until the one before is done. */
    void submit(Runnable job) {
        desk.acquireUninterruptibly();
        Thread thread = new Thread(
                () -> {
                    try {
                        job.run();
                    } catch (RuntimeException | Error e) {
                        LOG.error("the thread that writes snapshots has failed; snapshots may be missing", e);
                    } finally {
                        desk.release();
                    }
                },
                threadName);
        thread.setDaemon(true);
        thread.start();
    }
}
