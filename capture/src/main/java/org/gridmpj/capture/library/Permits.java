package org.gridmpj.capture.library;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.gridmpj.capture.frames.CapturePoint;

/**
 * Threads of the program that may go on the next time they park. The JDK's own permit does not do: it may come in the moment in which
 * a slice of the wait ends, and would be taken by that, and it is not in an image. Part of images.
 *
 * <p>Guarded by the class; no thread is captured while it has it.
 */
final class Permits {
    private static final List<Thread> GIVEN = new ArrayList<>();

    private Permits() {}

    /** For threads of the program only: no other is in an image. */
    static synchronized void give(Thread thread) {
        GIVEN.removeIf(each -> !each.isAlive());
        if (thread.isAlive() && CapturePoint.isProgramThread(thread) && !GIVEN.contains(thread)) {
            GIVEN.add(thread);
        }
    }

    /** Whether the current thread had a permit, which it has no more. */
    static boolean take() {
        if (!given(Thread.currentThread())) {
            return false;
        }
        LockSupport.parkNanos(1); // takes the JDK's, which came with it
        return true;
    }

    private static synchronized boolean given(Thread thread) {
        return GIVEN.remove(thread);
    }
}
