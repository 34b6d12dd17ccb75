package org.gridmpj.capture.library;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.IdentityHashMap;

/**
 * Who waits to be notified of what, the one that waits longest first. The JDK's own queues do not do: a thread that waits a
 * little at a time is not in them between two slices, when a notification may come, and cannot tell the end of a slice from
 * one. Part of images: a thread that waits in one waits on when it is read.
 *
 * <p>Guarded by the class; no thread is captured while it has it.
 */
final class Notifications {
    private static final IdentityHashMap<Object, Deque<Waiter>> WAITING = new IdentityHashMap<>();

    private Notifications() {}

    /** A thread that waits. */
    static final class Waiter {
        private boolean notified;
    }

    /** The current thread begins to wait; it holds the monitor or lock, so nobody can notify before it does. */
    static synchronized Waiter await(Object on) {
        Waiter waiter = new Waiter();
        WAITING.computeIfAbsent(on, key -> new ArrayDeque<>(2)).addLast(waiter);
        return waiter;
    }

    static synchronized boolean isNotified(Waiter waiter) {
        return waiter.notified;
    }

    /** The thread waits no more. */
    static synchronized void leave(Object on, Waiter waiter) {
        Deque<Waiter> waiting = WAITING.get(on);
        if (waiting != null && waiting.remove(waiter) && waiting.isEmpty()) {
            WAITING.remove(on);
        }
    }

    /** Notifies the thread that waits longest. */
    static synchronized void one(Object on) {
        Deque<Waiter> waiting = WAITING.get(on);
        if (waiting != null) {
            waiting.removeFirst().notified = true;
            if (waiting.isEmpty()) {
                WAITING.remove(on);
            }
        }
    }

    static synchronized void all(Object on) {
        Deque<Waiter> waiting = WAITING.remove(on);
        if (waiting != null) {
            waiting.forEach(waiter -> waiter.notified = true);
        }
    }
}
