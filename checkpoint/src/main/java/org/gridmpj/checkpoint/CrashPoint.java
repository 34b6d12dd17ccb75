package org.gridmpj.checkpoint;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Named places at which a test ends the process as a power cut would. The name, with the number of the visit if it is not
 * the first ({@code image.forced:3}), comes from the system property {@code gridmpj.crashpoint} or, for the ranks of a
 * launcher, from the environment {@code GRIDMPJ_CRASHPOINT}; {@code image.forced@2} is for world rank 2 only. Without
 * them the field is a constant null and the call costs nothing.
 *
 * <p>In the order of a snapshot: {@code take.agreed}, {@code take.markers}, {@code take.copied}, {@code image.begun},
 * {@code image.written}, {@code image.verified}, {@code image.forced}, {@code image.renamed}, {@code image.durable},
 * {@code image.reported}; in the launcher {@code manifest.written}, {@code manifest.forced}, {@code manifest.renamed},
 * {@code manifest.durable}, {@code remove.manifest}; in a resumed rank {@code restore.verified}, {@code restore.thawed}. Those of
 * a move begin with {@code ahead}, {@code depart} (the old process), {@code arrive} (the new one), {@code move} (the launcher).
 */
public final class CrashPoint {
    /** What a process that was killed by signal 9 ends with. */
    public static final int EXIT_CODE = 137;

    private static final @Nullable String ARMED = armed();
    private static final AtomicInteger VISITS = new AtomicInteger();

    private CrashPoint() {}

    /** Ends the process if this is the place. */
    public static void hit(String name) {
        if (ARMED != null && matches(ARMED, name) && VISITS.incrementAndGet() == visit(ARMED)) {
            Runtime.getRuntime().halt(EXIT_CODE);
        }
    }

    private static @Nullable String armed() {
        String property = System.getProperty("gridmpj.crashpoint");
        String spec = property != null ? property : System.getenv("GRIDMPJ_CRASHPOINT");
        if (spec == null || spec.isEmpty()) {
            return null;
        }
        int at = spec.indexOf('@');
        if (at < 0) {
            return spec;
        }
        return spec.substring(at + 1).equals(System.getenv("GRIDMPJ_RANK")) ? spec.substring(0, at) : null;
    }

    private static boolean matches(String spec, String name) {
        int colon = spec.indexOf(':');
        return name.equals(colon < 0 ? spec : spec.substring(0, colon));
    }

    private static int visit(String spec) {
        int colon = spec.indexOf(':');
        return colon < 0 ? 1 : Integer.parseInt(spec.substring(colon + 1));
    }
}
