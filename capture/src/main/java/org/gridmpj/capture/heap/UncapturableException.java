package org.gridmpj.capture.heap;

import java.util.List;

/**
 * Something that the program holds cannot be part of an image. The message says by which path it is reached, field by
 * field, why it cannot be captured, and what to change.
 */
public final class UncapturableException extends Exception {
    private static final long serialVersionUID = 1L;

    private static final String ROOT = "root";

    private final String path;

    @SuppressWarnings("serial") // an immutable list
    private final List<Integer> indices;

    /**
     * @param indices of the arrays through which the path leads at first
     * @param rest of the path, from what the last of them holds
     */
    UncapturableException(List<Integer> indices, String rest, String why) {
        super(path(ROOT, indices) + rest + ": " + why);
        this.path = path(ROOT, indices) + rest;
        this.indices = List.copyOf(indices);
    }

    /** A path that begins so and goes on by elements of arrays. */
    static String path(String begin, List<Integer> indices) {
        StringBuilder path = new StringBuilder(begin);
        indices.forEach(index -> path.append('[').append(index).append(']'));
        return path.toString();
    }

    /** With which indices of arrays the path begins at the root. */
    public List<Integer> indices() {
        return indices;
    }

    /** The message with a name for what the first so many indices lead to. */
    public String message(String name, int named) {
        String unnamed = path(ROOT, indices.subList(0, named));
        return name + String.valueOf(getMessage()).substring(unnamed.length());
    }

    /** {@code root[3][0] → Solver.pool → ThreadPoolExecutor.workers}. */
    public String path() {
        return path;
    }
}
