package org.gridmpj.capture.frames;

import java.util.List;
import org.gridmpj.snapshot.CaptureSignal;
import org.jspecify.annotations.Nullable;

/**
 * The lowest frame of a program's thread other than main: calls what the thread is to do, and calls it again each time it has
 * been taken apart. In the place of the thread's task, and part of images.
 */
public final class ThreadRoot implements Runnable {
    private final Runnable task;

    ThreadRoot(Runnable task) {
        this.task = task;
    }

    @Override
    public void run() {
        rooted(Thread.currentThread(), task);
    }

    /** What {@code run} of a subclass of Thread has become. */
    public static void run(Thread thread) {
        ThreadBody body = (ThreadBody) thread;
        ProgramThreads threads = ProgramThreads.current();
        if (threads != null && threads.isToBegin(thread)) {
            rooted(thread, body::mpj$run);
        } else {
            // called as any method, or in a process whose program is not captured
            body.mpj$run();
        }
    }

    private static void rooted(Thread thread, Runnable body) {
        ProgramThreads threads = ProgramThreads.current();
        if (threads == null) {
            body.run();
            return;
        }
        try {
            @Nullable List<FrameRecord> again = threads.begin(thread);
            while (!threads.isAbandoned()) {
                if (again != null) {
                    Frames.current().resume(again, threads.reentry());
                }
                try {
                    body.run();
                    return;
                } catch (CaptureSignal unwound) {
                    again = threads.unwound(thread, Frames.current().unwound());
                    if (again == null) {
                        return;
                    }
                }
            }
        } finally {
            threads.end(thread);
        }
    }
}
