package mpj;

import java.util.concurrent.CountDownLatch;
import jdk.internal.misc.TerminatingThreadLocal;
import org.gridmpj.snapshot.StackCapture;
import org.jspecify.annotations.Nullable;

/** Stands in for the MPI calls of a program under test: counts them, and captures at the one that is asked for. */
public final class Probe {
    /** A thread of this name that has made a call stays at its end, below the program, until a capture has been deferred. */
    public static final String ENDS_SLOWLY = "ends slowly";

    private static final TerminatingThreadLocal<CountDownLatch> END = new TerminatingThreadLocal<>() {
        @Override
        protected void threadTerminated(CountDownLatch isDeferred) {
            try {
                isDeferred.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    };

    /** Calls that have been made. */
    @SuppressWarnings("NonFinalStaticField")
    public static int calls;

    /** At which call to capture, from 1; 0 for never. */
    @SuppressWarnings("NonFinalStaticField")
    public static int captureAt;

    /** Whether to capture at each call from {@link #captureAt} on. */
    @SuppressWarnings("NonFinalStaticField")
    public static boolean captureEach;

    /** What stood in the way of a capture. */
    @SuppressWarnings("NonFinalStaticField")
    public static @Nullable String lastObstacle;

    @SuppressWarnings("NonFinalStaticField")
    public static @Nullable StackCapture capture;

    @SuppressWarnings("NonFinalStaticField")
    private static CountDownLatch isDeferred = new CountDownLatch(0);

    private Probe() {}

    /** Forgets what was before, and captures at a call, or at each from there on. */
    public static synchronized void begin(int captureAtCall, boolean each, StackCapture unwinder) {
        calls = 0;
        captureAt = captureAtCall;
        captureEach = each;
        lastObstacle = null;
        capture = unwinder;
        isDeferred = new CountDownLatch(captureAtCall > 0 ? 1 : 0);
    }

    /** An MPI call: gives a value that depends on its argument. */
    public static long Call(long value) {
        enter();
        return value * 31 + 7;
    }

    /** An MPI call with arguments of all kinds. */
    public static double Mixed(double[] buffer, int offset, float scale, String text, long add) {
        enter();
        buffer[offset] += scale + add;
        return buffer[offset] + text.length();
    }

    /** Threads of the program may call at the same time; a capture that is asked for is each one's matter. */
    private static void enter() {
        StackCapture unwinder = begin();
        if (unwinder == null) {
            return;
        }
        String obstacle = unwinder.obstacle();
        if (obstacle == null) {
            captured();
            throw unwinder.unwind();
        }
        deferred(obstacle);
    }

    private static synchronized @Nullable StackCapture begin() {
        calls++;
        if (Thread.currentThread().getName().equals(ENDS_SLOWLY)) {
            END.set(isDeferred);
        }
        return captureAt > 0 && calls >= captureAt ? capture : null;
    }

    private static synchronized void captured() {
        captureAt = captureEach ? Math.max(captureAt, calls) + 1 : 0;
        calls--;
    }

    private static synchronized void deferred(String obstacle) {
        lastObstacle = obstacle;
        isDeferred.countDown();
    }
}
