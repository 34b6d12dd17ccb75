package org.gridmpj.pt2pt;

import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The steps with effects of the MPI call that a thread is in: operations and schedules started, numbers taken, temporary
 * arrays that operations refer to. A capture unwinds the call; entered again, in this process or in a restored one, the
 * call meets its steps here instead of doing them anew, and waits where it waited.
 *
 * <pre>
 *   first entry     enter ─▶ record(a) ─▶ record(b) ─▶ wait … captured
 *   second entry    enter ─▶ replay() = a ─▶ replay() = b ─▶ wait … ─▶ record(c) ─▶ exit: forgotten
 * </pre>
 *
 * <p>Calls nest (Sendrecv waits by Wait): the outermost one owns the steps. Plain data, part of the image. Confined to its
 * thread, but for the cut, when that thread is unwound.
 */
public final class CallJournal implements AutoCloseable {
    private static final int FIRST_CAPACITY = 8;

    private @Nullable Object[] steps = new @Nullable Object[FIRST_CAPACITY];
    private int length;
    private int cursor;
    private int depth;
    private boolean suspended;

    /** The engine whose call it is; a token in an image. */
    private final PointToPoint engine;

    CallJournal(PointToPoint engine) {
        this.engine = engine;
    }

    /** The call returns, throws, or unwinds to be captured. */
    @Override
    public void close() {
        engine.exit(this);
    }

    /** Whether no call is under way: the next one is entered by the program. */
    boolean isOutside() {
        return depth == 0;
    }

    void enter() {
        if (depth++ == 0) {
            cursor = 0;
            suspended = false;
        }
    }

    /** Whether the call at hand is the program's own, not one within another. */
    public boolean isOutermost() {
        return depth == 1;
    }

    /** Whether the outermost call has returned, so that its steps can go. */
    boolean exit() {
        return --depth == 0 && !suspended;
    }

    /** The call at hand is about to unwind, to be entered again. */
    void suspend() {
        suspended = true;
    }

    /** Whether a call is to be entered again. */
    boolean isSuspended() {
        return suspended;
    }

    /** Whether the next step was done in the entry before. */
    public boolean hasMore() {
        return cursor < length;
    }

    /** The next step of the entry before, which stays the next one; null if there is none. */
    public @Nullable Object next() {
        return cursor < length ? steps[cursor] : null;
    }

    /** The next step of the entry before, or null: it is to be done now, and recorded. */
    public @Nullable Object replay() {
        return cursor < length ? steps[cursor++] : null;
    }

    /** A step was done. */
    public void record(Object step) {
        if (length == steps.length) {
            steps = Arrays.copyOf(steps, 2 * length);
        }
        steps[length++] = step;
        cursor = length;
    }

    /** The result of a step: of the entry before, or made and recorded now. */
    @SuppressWarnings("unchecked") // a call makes the same steps in the same order each time
    public static <T> T step(@Nullable CallJournal journal, Supplier<T> made) {
        if (journal == null) {
            return made.get();
        }
        Object done = journal.replay();
        if (done == null) {
            done = made.get();
            journal.record(done);
        }
        return (T) done;
    }

    /** Becomes what another journal is: this one's thread enters the other's call again. */
    void takeOver(CallJournal other) {
        steps = other.steps;
        length = other.length;
        cursor = 0;
        depth = 0;
        suspended = other.suspended;
    }

    int length() {
        return length;
    }

    @Nullable
    Object stepAt(int index) {
        return steps[index];
    }

    void forget() {
        Arrays.fill(steps, 0, length, null);
        length = 0;
        cursor = 0;
    }
}
