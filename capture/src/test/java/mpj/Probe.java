package mpj;

import org.gridmpj.snapshot.StackCapture;
import org.jspecify.annotations.Nullable;

/** Stands in for the MPI calls of a program under test: counts them, and captures at the one that is asked for. */
public final class Probe {
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

    private Probe() {}

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

    private static void enter() {
        calls++;
        StackCapture unwinder = capture;
        if (calls == captureAt && unwinder != null) {
            String obstacle = unwinder.obstacle();
            if (obstacle != null) {
                lastObstacle = obstacle;
                captureAt++;
            } else {
                captureAt = captureEach ? captureAt + 1 : 0;
                calls--;
                throw unwinder.unwind();
            }
        }
    }
}
