package org.gridmpj.pt2pt;

import java.util.List;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.log.Determinant;
import org.gridmpj.transport.log.Outcomes;
import org.jspecify.annotations.Nullable;

/**
 * What calls answer that do not block: Test and its like, Iprobe, and cancels of receives (docs/design/0018). Recorded where one
 * rank alone may go back, and followed by one that has. Absent otherwise. Takes the progress lock itself where it is not said
 * that the caller has it.
 */
final class Polls {
    /** To say what is known needs no progress; but whoever polls for long would make some. A power of two. */
    private static final int KNOWN_NOES_PER_ROUND = 16;

    private final Outcomes outcomes;
    private final ProgressEngine progress;
    private final Chances chances;
    /** A matter of the one thread that calls MPI. */
    private int knownNoes;

    Polls(Outcomes outcomes, ProgressEngine progress, Chances chances) {
        this.outcomes = outcomes;
        this.progress = progress;
        this.chances = chances;
    }

    /**
     * What the poll at hand answered before this rank went back: null if it is free, nothing for no. Blocks until that is known.
     */
    @Nullable
    List<Determinant> asBefore() {
        if (outcomes.polls().isFree()) {
            return null;
        }
        awaitKnown();
        progress.lock.lock();
        try {
            return outcomes.polls().ofNext();
        } finally {
            progress.lock.unlock();
        }
    }

    private void awaitKnown() {
        progress.lock.lock();
        try {
            if (!outcomes.areAwaited()) {
                return;
            }
        } finally {
            progress.lock.unlock();
        }
        progress.await(new Condition("what it got before it went back", () -> !outcomes.areAwaited()), true);
    }

    /** The answer is no, as it was before. */
    boolean noAsBefore() {
        if ((knownNoes++ & (KNOWN_NOES_PER_ROUND - 1)) == 0) {
            progress.roundOfTest();
        }
        return no();
    }

    /** The answer is no. */
    boolean no() {
        outcomes.polls().no();
        return false;
    }

    /** Whether the poll was a test; if not all go back. */
    boolean wasTest(List<Determinant> before, Object requests) {
        if (before.getFirst().kind() == Determinant.Kind.TESTED) {
            return true;
        }
        diverged(before, requests);
        return false;
    }

    /** Blocks until a request is complete that a test found complete before; false if that was another poll: all go back. */
    boolean awaitAsBefore(List<Determinant> before, Request request) {
        if (!wasTest(before, request)) {
            return false;
        }
        if (!request.isComplete()) {
            progress.await(request, false);
        }
        return true;
    }

    /** As {@link #awaitAsBefore(List, Request)} for those of several requests. */
    boolean awaitAsBefore(List<Determinant> before, @Nullable Request[] requests) {
        for (Determinant each : before) {
            int index = each.sourceRank();
            Request request = index < requests.length ? requests[index] : null;
            if (request == null || !request.isActive()) {
                diverged(before, "some of " + requests.length + " requests");
                return false;
            }
            if (!awaitAsBefore(before, request)) {
                return false;
            }
        }
        return true;
    }

    void diverged(List<Determinant> before, Object poll) {
        progress.lock.lock();
        try {
            outcomes.polls().diverged(before, poll);
        } finally {
            progress.lock.unlock();
        }
    }

    /** A test has found what it asked for complete. */
    void tested() {
        progress.lock.lock();
        try {
            outcomes.tested();
        } finally {
            progress.lock.unlock();
        }
    }

    /** A test has found those of several requests complete that have these indices. */
    void tested(int[] indices, int count) {
        progress.lock.lock();
        try {
            outcomes.tested(indices, count);
        } finally {
            progress.lock.unlock();
        }
    }

    /** An Iprobe has found a message. Under the lock. */
    void found(FrameHeader header) {
        outcomes.found(header.sourceRank, header.contextId, header.messageId);
    }

    /** A send is about to be cancelled of which only the receiver knows whether that is still possible. */
    void cancelsASend() {
        chances.met("a send was cancelled");
    }

    /** A receive was cancelled. Under the lock. */
    void cancelled(OperationRecord receive) {
        outcomes.cancelled(receive.receiveNumber);
    }

    /**
     * Blocks until all has come again that others had sent before this rank went back. A match is seen by the sender of a
     * synchronous message before anything else depends on it: what had matched must match again before it can be cancelled.
     */
    void awaitRefilled() {
        if (outcomes.isRefilling()) {
            progress.await(
                    new Condition("what came before it went back (Cancel)", () -> !outcomes.isRefilling()), true);
        }
    }

    /** Whether it is known what a receive got, but not yet that a cancel came too late for it. Under the lock. */
    boolean isToReceive(OperationRecord receive) {
        return outcomes.ofReceive(receive.receiveNumber) != null;
    }

    /** Whether a poll was the cancel of this receive; if not all go back. */
    boolean wasCancelOf(List<Determinant> before, OperationRecord receive) {
        Determinant first = before.getFirst();
        if (first.kind() == Determinant.Kind.CANCELLED && first.messageId() == receive.receiveNumber) {
            return true;
        }
        diverged(before, receive);
        return false;
    }
}
