package org.gridmpj.launcher.job;

/** How a life of a job begins. */
public enum Beginning {
    /** From the program's beginning. */
    NEW,
    /** From the last committed snapshot; if that cannot be read now, though it is not damaged, not at all. */
    LATEST,
    /**
     * From the last committed snapshot that is not damaged, or from the program's beginning; not at all while a host that may have
     * a later one whole has not answered or is away.
     */
    NOT_LOST,
    /** From the last committed snapshot that can be read now, or from the program's beginning. */
    EARLIER
}
