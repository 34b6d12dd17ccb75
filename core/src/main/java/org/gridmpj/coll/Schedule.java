package org.gridmpj.coll;

import java.util.Arrays;
import java.util.List;
import org.gridmpj.comm.Communicator;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.Request;
import org.jspecify.annotations.Nullable;

/**
 * A collective operation under way: rounds of actions, a position among them, and the requests of the round at hand.
 *
 * <pre>
 *   rounds    [ sends, receives | copies, combinations ] [ … ] [ … ]
 *                                   position ───────────────▲
 * </pre>
 *
 * All of it is plain data (temporary buffers are arrays that the actions refer to), so that a snapshot can hold an
 * operation between any two steps and take it up again. Blocking and nonblocking collectives alike are schedules.
 *
 * <p>Guarded by the progress lock, under which {@link #advance} is called; {@link #isComplete} may be asked by any thread.
 */
final class Schedule extends Request {
    private final Communicator communicator;
    private final PointToPoint pointToPoint;
    private final long contextId;
    private final String name;
    private final MessageStatus status = new MessageStatus();
    private final List<Round> rounds;
    /** What the rounds have started, by round and communication; used again when the schedule is. */
    private final @Nullable Request[][] started;

    private int tag;
    private int position;
    private boolean roundStarted;
    /** Rounds below this one have their receives. */
    private int expected;

    private volatile boolean complete;

    Schedule(Communicator communicator, int tag, String name, List<Round> rounds) {
        this.communicator = communicator;
        this.pointToPoint = communicator.pointToPoint();
        this.contextId = communicator.collectiveContext();
        this.tag = tag;
        this.name = name;
        this.rounds = rounds;
        this.started = new @Nullable Request[rounds.size()][];
        Arrays.setAll(
                started,
                round ->
                        new @Nullable Request[rounds.get(round).communications().size()]);
        this.status.sourceWorldRank = -1;
        this.complete = rounds.isEmpty();
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public boolean isActive() {
        return true;
    }

    @Override
    public MessageStatus status() {
        return status;
    }

    @Override
    protected void advance() {
        while (!complete) {
            try {
                if (!step()) {
                    return;
                }
            } catch (MpiFailure failure) {
                fail(new MpiFailure(failure.errorClass(), describe() + ": " + failure.getMessage(), failure));
            } catch (RuntimeException failure) {
                fail(new MpiFailure(ErrorClass.OP, describe() + ": its operation or data threw " + failure, failure));
            }
        }
    }

    /** The tag of the next use of a complete schedule. */
    void retag(int newTag) {
        tag = newTag;
    }

    @Override
    protected void rewind() {
        position = 0;
        expected = 0;
        roundStarted = false;
        complete = rounds.isEmpty();
    }

    /** Whether it runs on that very communicator. */
    @SuppressWarnings("ReferenceEquality") // a communicator is itself only
    boolean isOf(Communicator wanted) {
        return communicator == wanted;
    }

    boolean hasRounds() {
        return !rounds.isEmpty();
    }

    List<Round> rounds() {
        return rounds;
    }

    /** Lets the complete operations forget the program's arrays. */
    void release() {
        for (@Nullable Request[] round : started) {
            for (Request request : round) {
                pointToPoint.release(request);
            }
        }
    }

    /** Moves on by one round; false if that has to wait. */
    private boolean step() {
        Round round = rounds.get(position);
        @Nullable Request[] inner = started[position];
        if (!roundStarted) {
            roundStarted = true;
            boolean posted = position < expected;
            for (int i = 0; i < inner.length; i++) {
                Action action = round.communications().get(i);
                if (!posted || !isAhead(action)) {
                    inner[i] = start(action, inner[i]);
                }
            }
            expected = Math.max(expected, position + 1);
            expectAhead();
        }
        for (int i = 0; i < inner.length; i++) {
            if (!requireStarted(inner[i]).isComplete()) {
                return false;
            }
        }
        for (int i = 0; i < inner.length; i++) {
            check(requireStarted(inner[i]).status(), round.communications().get(i));
        }
        List<Action> local = round.local();
        for (int i = 0; i < local.size(); i++) {
            run(local.get(i));
        }
        roundStarted = false;
        position++;
        if (position == rounds.size()) {
            finish(null);
        }
        return true;
    }

    private Request requireStarted(@Nullable Request request) {
        if (request == null) {
            throw new MpiFailure(ErrorClass.INTERN, this + " waits for what it has not started");
        }
        return request;
    }

    /** Posts the receives of later rounds that may be posted now. */
    private void expectAhead() {
        while (expected < rounds.size() && rounds.get(expected).receivesAhead() >= expected - position) {
            List<Action> communications = rounds.get(expected).communications();
            @Nullable Request[] inner = started[expected];
            for (int i = 0; i < inner.length; i++) {
                if (isAhead(communications.get(i))) {
                    inner[i] = start(communications.get(i), inner[i]);
                }
            }
            expected++;
        }
    }

    private static boolean isAhead(Action action) {
        return action instanceof Action.Receive receive && receive.ahead();
    }

    private Request start(Action action, @Nullable Request used) {
        return switch (action) {
            case Action.Receive(Region to, int from, boolean _, boolean _) ->
                pointToPoint.receiveStep(used, to.array(), to.offset(), to.count(), to.type(), from, contextId, tag);
            case Action.Send(Region from, int to) ->
                pointToPoint.sendStep(used, from.array(), from.offset(), from.count(), from.type(), to, contextId, tag);
            case Action.Copy copy -> throw misplaced(copy);
            case Action.Combine combine -> throw misplaced(combine);
        };
    }

    private static void run(Action action) {
        switch (action) {
            case Action.Copy(Region from, Region to) ->
                System.arraycopy(from.array(), from.offset(), to.array(), to.offset(), from.elements());
            case Action.Combine(Region lower, Region inout, var op) ->
                op.reduce(lower.array(), lower.offset(), inout.array(), inout.offset(), inout.count(), inout.type());
            case Action.Send send -> throw misplaced(send);
            case Action.Receive receive -> throw misplaced(receive);
        }
    }

    private static MpiFailure misplaced(Action action) {
        return new MpiFailure(ErrorClass.INTERN, "a schedule has " + action + " in the wrong part of a round");
    }

    private static void check(MessageStatus received, Action action) {
        if (received.failure != null) {
            throw received.failure;
        }
        if (action instanceof Action.Receive(Region to, int from, boolean exact, boolean _)
                && exact
                && received.count != to.elements()) {
            throw new MpiFailure(
                    ErrorClass.COUNT,
                    "world rank " + from + " sent " + received.count + " elements where " + to.elements()
                            + " were expected; the processes gave different counts or datatypes");
        }
    }

    /** Completes with a failure; what the round still waits for is left to end by itself. */
    @Override
    protected void fail(MpiFailure failure) {
        int begun = roundStarted ? Math.max(position + 1, expected) : expected;
        for (int round = position; round < begun; round++) {
            for (Request request : started[round]) {
                if (request != null && !request.isComplete()) {
                    pointToPoint.free(request);
                }
            }
        }
        finish(failure);
    }

    private void finish(@Nullable MpiFailure failure) {
        status.failure = failure;
        complete = true;
    }

    private String describe() {
        return name + " (collective " + tag + " of " + communicator + ")";
    }

    /** The operation, its communicator and how far it is, for people. */
    @Override
    public String toString() {
        return describe() + (complete ? ", complete" : ", round " + (position + 1) + " of " + rounds.size());
    }
}
