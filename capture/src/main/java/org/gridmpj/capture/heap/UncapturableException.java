package org.gridmpj.capture.heap;

/**
 * Something that the program holds cannot be part of an image. The message says by which path it is reached, field by
 * field, why it cannot be captured, and what to change.
 */
public final class UncapturableException extends Exception {
    private static final long serialVersionUID = 1L;

    private final String path;

    UncapturableException(String path, String why) {
        super(path + ": " + why);
        this.path = path;
    }

    /** {@code root[3][0] → Solver.pool → ThreadPoolExecutor.workers}. */
    public String path() {
        return path;
    }
}
