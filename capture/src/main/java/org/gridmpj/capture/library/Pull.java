package org.gridmpj.capture.library;

/**
 * Elements of a stream, computed when they are asked for, as plain data. No {@link java.util.Iterator}, or each loop of the
 * program over a collection would count as one that may call what the stream calls.
 */
interface Pull<T> {
    /** Whether there is another element; may compute it. */
    boolean more();

    /** The next element. */
    T take();

    /** How many elements there are, if that is known without computing any; else −1. Asked before the first. */
    default long size() {
        return -1;
    }
}
