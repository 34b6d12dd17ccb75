package org.gridmpj.capture.frames;

import org.gridmpj.snapshot.CaptureSignal;

/** What instrumented code calls of the program's threads. */
public final class CapturePoint {
    private CapturePoint() {}

    /** In a loop that waits for another thread: takes part in a capture that some thread has begun. */
    public static void poll() {
        ProgramThreads threads = ProgramThreads.current();
        if (threads != null && threads.isGathering() && threads.obstacle() == null) {
            throw new CaptureSignal();
        }
    }

    /** Milliseconds on a clock that stands still between a snapshot and the moment when the program goes on from it. */
    public static long programMillis() {
        return ProcessState.programMillis();
    }

    /** Whether a thread is one that the program has started, and that is captured with main. */
    public static boolean isProgramThread(Thread thread) {
        ProgramThreads threads = ProgramThreads.current();
        return threads != null && threads.isLive(thread);
    }

    /** In the place of {@link Thread#start}: the thread is one of the program's. */
    public static void start(Thread thread) {
        ProgramThreads threads = ProgramThreads.current();
        if (threads == null) {
            thread.start();
        } else {
            threads.start(thread);
        }
    }
}
