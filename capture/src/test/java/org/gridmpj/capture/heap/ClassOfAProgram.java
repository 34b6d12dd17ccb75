package org.gridmpj.capture.heap;

/** A class whose static initialiser has something to do; loaded anew by tests, so it is no nested one. */
final class ClassOfAProgram {
    private static final Object LOCK = new Object();

    private final Object lock = LOCK;

    boolean isOfThisClass() {
        return lock.equals(LOCK);
    }
}
