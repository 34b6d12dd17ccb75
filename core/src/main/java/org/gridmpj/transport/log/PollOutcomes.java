package org.gridmpj.transport.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What this rank's polls have answered: Test and its like, Iprobe, and cancels of receives, which ask whether there is still
 * something to cancel. Part of {@link Outcomes}.
 *
 * <pre>
 *   poll         0  1  2  3  4  5  6  7  8  9
 *   answer       ─  ─  ─  ✓  ─  ─  ─  ─  ✓  ─        ─ no   ✓ yes
 *   determinant           3        │     8           of a yes; the noes before it follow from it
 *                                  6                 a frame left here: all before 6 have answered
 * </pre>
 *
 * <p>Hardly any poll says yes, so a no is only counted, without lock, allocation or frame. Their number is recorded when something
 * leaves this rank that may depend on it.
 *
 * <p>{@link #no} is called by the thread that calls MPI; with two, of which the order is a chance anyway, their number is of no
 * use. All else is guarded by the progress lock.
 */
public final class PollOutcomes {
    private static final List<Determinant> NO = List.of();

    private final RecoveryListener listener;
    private final LogRules rules;
    /** Number of the next poll. */
    private final AtomicLong next = new AtomicLong();
    /** What all polls before this number have answered is among the determinants. */
    private long recorded;
    /** Nothing is known of the polls to come, and nothing awaited. Written under the lock, read by anybody. */
    private volatile boolean free;

    // ---- this rank has gone back alone
    private long followedUpTo;
    private final Map<Long, List<Determinant>> yes = new HashMap<>();
    /** Numbers of receives that are going to be cancelled. */
    private final Set<Long> cancels = new HashSet<>();

    PollOutcomes(RecoveryListener listener, LogRules rules) {
        this.listener = listener;
        this.rules = rules;
    }

    /** Number of the next poll, for an image. */
    long next() {
        return next.get();
    }

    /** Begins with a number that an image has. */
    void adopt(long number) {
        free = false;
        next.set(rules.hold(LogRule.POLL_NUMBERS_IN_IMAGE) ? number : 0);
        recorded = next.get();
        followedUpTo = recorded;
    }

    /** What was before is to be told, and is awaited. */
    void await() {
        free = false;
    }

    /** One determinant of the life before. */
    void follow(Determinant each) {
        long end = each.number();
        if (each.kind() != Determinant.Kind.POLLS_SAID_NO) {
            end++;
            yes.computeIfAbsent(each.number(), number -> new ArrayList<>()).add(each);
            if (each.kind() == Determinant.Kind.CANCELLED && rules.hold(LogRule.CANCELLED_GETS_NOTHING)) {
                cancels.add(each.messageId());
            }
        }
        followedUpTo = Math.max(followedUpTo, end);
        recorded = Math.max(recorded, end);
    }

    boolean isFollowed() {
        return followedUpTo > next.get();
    }

    /** Whether the next poll is certainly free. Any thread may ask. */
    public boolean isFree() {
        return free;
    }

    /** What the next poll has to answer: null if it is free, nothing for no, else what it is to find complete. */
    public @Nullable List<Determinant> ofNext() {
        if (!isFollowed()) {
            free = true;
            return null;
        }
        List<Determinant> answer = yes.get(next.get());
        if (answer == null) {
            return rules.hold(LogRule.SAY_NO_AS_BEFORE) ? NO : null;
        }
        return rules.hold(LogRule.SAY_YES_AS_BEFORE) ? answer : null;
    }

    /** Whether a receive is going to be cancelled: until then it gets no message. */
    public boolean willBeCancelled(long receiveNumber) {
        return !cancels.isEmpty() && cancels.contains(receiveNumber);
    }

    /** A poll says no. */
    public void no() {
        // one writer, see above
        next.setRelease(next.getPlain() + 1);
    }

    /** A poll says yes; its number if that is to be recorded, −1 if it was before. */
    long yes() {
        long number = next.getPlain();
        next.setRelease(number + 1);
        recorded = Math.max(recorded, number + 1);
        List<Determinant> before = yes.remove(number);
        if (before == null) {
            return number;
        }
        if (before.getFirst().kind() == Determinant.Kind.CANCELLED) {
            cancels.remove(before.getFirst().messageId());
        }
        return -1;
    }

    /** Whether some have said no since their number was recorded. */
    boolean haveUnrecorded() {
        return next.get() > recorded;
    }

    /** That number; it is taken for recorded from here on. */
    Determinant recordNoes() {
        recorded = next.get();
        return new Determinant(Determinant.Kind.POLLS_SAID_NO, recorded, 0, 0, 0);
    }

    /** The next poll is another one than before: all go back. */
    public void diverged(List<Determinant> before, Object poll) {
        listener.diverged("another poll than before: " + poll + "; it was " + before.getFirst());
    }
}
