package org.gridmpj.transport.log;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of this rank's operations of any source, of its waits for some of several requests, and of its polls, since its
 * last committed cut: recorded as determinants, handed to the holders, and, when this rank has gone back alone, followed. A state
 * machine without I/O, threads or clock.
 *
 * <pre>
 *   determinants   … │ base ────────── held ─────── sent ─────── end
 *                    │    by every holder    on their way    not yet sent
 *                    └ the last committed cut; what is before it is dropped
 *
 *   gone back:       │ base ───────────────── end of what any holder had │ free again
 *                    │ each receive gets the message that it got before     │
 * </pre>
 *
 * How far each holder is: {@link Holders}. Guarded by the progress lock.
 */
public final class Outcomes {
    /** Determinants that are sent in one frame at most. */
    private static final int MOST_IN_A_FRAME = 2_000;

    /** Some 60 MB, here and at the holder. */
    static final int MOST_SINCE_A_SNAPSHOT = 1_000_000;

    /** What an image has of this: numbers of the next receive, probe, choice, poll and determinant. */
    public record Counters(long nextReceive, long nextProbe, long nextChoice, long nextPoll, long nextDeterminant) {
        /** Of a rank that has recorded nothing. */
        public static final Counters NONE = new Counters(0, 0, 0, 0, 0);
    }

    /** A message, named as everybody names it. */
    private record Message(int sourceRank, long contextId, long messageId) {}

    /** How many there were at the cut of an epoch. */
    private record Cut(int epoch, long end) {}

    private final RecoveryListener listener;
    private final LogRules rules;
    private final IntSupplier latestEpoch;
    private boolean recording;
    private long nextReceive;
    private long nextProbe;
    private long nextChoice;
    private final PollOutcomes polls;

    private final ArrayList<Determinant> determinants = new ArrayList<>();
    private final ArrayDeque<Cut> cuts = new ArrayDeque<>();
    private long base;
    private final Holders holders;
    /** Those before this number stay as they are: they have been sent, or are before a cut. */
    private long unchanged;

    // ---- this rank has gone back alone
    private boolean awaitsHolders;
    private boolean awaitsState;
    /** Written under the lock, read by anybody. */
    private volatile boolean refilling;

    private final Map<Long, Determinant> receives = new HashMap<>();
    private final Map<Long, Determinant> probes = new HashMap<>();
    private final Map<Message, Determinant> reserved = new HashMap<>();
    private final Map<Long, List<Integer>> choices = new HashMap<>();

    Outcomes(RecoveryListener listener, IntSupplier latestEpoch, LogRules rules, int... holderRanks) {
        holders = new Holders(rules, holderRanks);
        this.latestEpoch = latestEpoch;
        this.listener = listener;
        this.rules = rules;
        polls = new PollOutcomes(listener, rules);
    }

    /** What polls have answered. */
    public PollOutcomes polls() {
        return polls;
    }

    // ---------------------------------------------------------------- cuts

    /** For an image. */
    public Counters counters() {
        return new Counters(nextReceive, nextProbe, nextChoice, polls.next(), end());
    }

    /** This rank has been cut: what comes from here on may be needed to go back to it. */
    public void cut(int epoch) {
        recording = true;
        cuts.addLast(new Cut(epoch, end()));
        unchanged = end();
        if (!rules.hold(LogRule.KEEP_DETERMINANTS_TO_COMMIT)) {
            committed(epoch);
        }
    }

    /** An epoch is committed: what was before its cut is of no use any more. */
    void committed(int epoch) {
        while (!cuts.isEmpty() && cuts.getFirst().epoch <= epoch) {
            Cut cut = cuts.removeFirst();
            if (cut.epoch == epoch && cut.end > base) {
                int useless = (int) (cut.end - base);
                determinants.subList(0, useless).clear();
                base = cut.end;
                holders.dropped(base);
            }
        }
    }

    /** Takes over what an image has. */
    public void adopt(Counters counters) {
        recording = true;
        nextReceive = counters.nextReceive;
        nextProbe = counters.nextProbe;
        nextChoice = counters.nextChoice;
        polls.adopt(counters.nextPoll);
        determinants.clear();
        cuts.clear();
        base = counters.nextDeterminant;
        holders.beginAt(base);
        unchanged = base;
    }

    // ---------------------------------------------------------------- what the engine records

    /** The number of a receive that starts. */
    public long nextReceive() {
        return nextReceive++;
    }

    /** A receive of any source has got a message. */
    public void received(long number, int sourceRank, long contextId, long messageId) {
        Determinant before = receives.remove(number);
        if (before != null) {
            reserved.remove(new Message(before.sourceRank(), before.contextId(), before.messageId()));
        } else if (recording) {
            recordNoes();
            record(new Determinant(Determinant.Kind.RECEIVE, number, sourceRank, contextId, messageId));
        }
    }

    /** A probe of any source has found a message. */
    public void probed(int sourceRank, long contextId, long messageId) {
        long number = nextProbe++;
        if (probes.remove(number) == null && recording) {
            recordNoes();
            record(new Determinant(Determinant.Kind.PROBE, number, sourceRank, contextId, messageId));
        }
    }

    /** A wait for some of several requests has completed those with these indices. */
    public void chosen(int[] indices, int count) {
        long number = nextChoice++;
        if (choices.remove(number) == null && recording) {
            recordNoes();
            for (int i = 0; i < count; i++) {
                record(new Determinant(Determinant.Kind.CHOICE, number, indices[i], 0, 0));
            }
        }
    }

    /** A poll has found requests with these indices complete. */
    public void tested(int[] indices, int count) {
        long number = polls.yes();
        for (int i = 0; number >= 0 && recording && i < count; i++) {
            record(new Determinant(Determinant.Kind.TESTED, number, indices[i], 0, 0));
        }
    }

    /** A poll has found the one request that it asked for, or all of them, complete. */
    public void tested() {
        recordPoll(Determinant.Kind.TESTED, 0, 0, 0);
    }

    /** A poll has found a message. */
    public void found(int sourceRank, long contextId, long messageId) {
        recordPoll(Determinant.Kind.FOUND, sourceRank, contextId, messageId);
    }

    /** A receive was cancelled. */
    public void cancelled(long receiveNumber) {
        recordPoll(Determinant.Kind.CANCELLED, 0, 0, receiveNumber);
    }

    private void recordPoll(Determinant.Kind kind, int sourceRank, long contextId, long messageId) {
        long number = polls.yes();
        if (number >= 0 && recording) {
            record(new Determinant(kind, number, sourceRank, contextId, messageId));
        }
    }

    /** Before anything that may depend on them, other determinants included: what was not asked for is not got. */
    private void recordNoes() {
        if (!recording || !polls.haveUnrecorded() || !rules.hold(LogRule.COUNT_NOES)) {
            return;
        }
        Determinant noes = polls.recordNoes();
        int last = determinants.size() - 1;
        if (end() > unchanged && determinants.get(last).kind() == Determinant.Kind.POLLS_SAID_NO) {
            determinants.set(last, noes);
        } else {
            record(noes);
        }
    }

    private void record(Determinant determinant) {
        if (determinants.size() == MOST_SINCE_A_SNAPSHOT) {
            giveUp("a rank has had more than " + MOST_SINCE_A_SNAPSHOT + " outcomes that depend on time");
            return;
        }
        determinants.add(determinant);
    }

    /** Nobody goes back alone before a later snapshot: nothing is recorded till then, and nothing held back. */
    void giveUp(String why) {
        listener.logLost(latestEpoch.getAsInt(), why);
        recording = false;
        base = end();
        determinants.clear();
        holders.beginAt(base);
        unchanged = base;
    }

    // ---------------------------------------------------------------- on their way to the holder

    long end() {
        return base + determinants.size();
    }

    /** What leaves this rank now depends on all determinants before this number. */
    public long toBeHeld() {
        recordNoes();
        return end();
    }

    /** Which holders there are, and how far each is. */
    Holders holders() {
        return holders;
    }

    /** Whether every holder has all before this number: what depends on them may be shown. */
    public boolean areHeld(long number) {
        return holders.held() >= number || !rules.hold(LogRule.HOLD_BACK_WHAT_DEPENDS);
    }

    /** Whether a frame to a peer that depends on all before this number may leave. */
    boolean mayLeave(int peerRank, long number) {
        return holders.heldButFor(peerRank) >= number || !rules.hold(LogRule.HOLD_BACK_WHAT_DEPENDS);
    }

    /** How many every holder has that are of use. */
    public long heldCount() {
        return Math.clamp(holders.held() - base, 0, determinants.size());
    }

    boolean haveUnsent(int holderRank) {
        return holders.sent(holderRank) < end();
    }

    DeterminantRun unsent(int holderRank) {
        long sent = holders.sent(holderRank);
        int from = (int) (sent - base);
        int to = Math.min(determinants.size(), from + MOST_IN_A_FRAME);
        return new DeterminantRun(sent, base, determinants.subList(from, to));
    }

    void sent(int holderRank, DeterminantRun run) {
        holders.sent(holderRank, run.end());
        unchanged = Math.max(unchanged, run.end());
    }

    /** A holder has died and begins anew, with nothing. */
    void holderBeginsAnew(int holderRank) {
        holders.beginsAnew(holderRank, base);
    }

    // ---------------------------------------------------------------- gone back

    /** This rank has gone back, or is about to: no message is matched before the holders have told the outcomes. */
    void await() {
        if (rules.hold(LogRule.AWAIT_DETERMINANTS) && holders.exist()) {
            awaitsHolders = true;
            awaitsState = true;
            holders.await();
            polls.await();
        }
        refilling = rules.hold(LogRule.REFILL_BEFORE_CANCEL);
    }

    /** The engine has its state; whether the outcomes are known now and were not before. */
    boolean stateIsHere() {
        boolean now = awaitsState && !awaitsHolders;
        awaitsState = false;
        if (now) {
            follow();
        }
        return now;
    }

    /** What a holder has; whether the outcomes are known now and were not before. */
    boolean told(int holderRank, DeterminantRun run) {
        boolean all = holders.told(holderRank, run);
        if (!all || (!awaitsHolders && rules.hold(LogRule.AWAIT_DETERMINANTS))) {
            return false;
        }
        boolean now = awaitsHolders && !awaitsState;
        awaitsHolders = false;
        if (!awaitsState) {
            follow();
        }
        return now;
    }

    /** What any of the holders has had is followed. */
    private void follow() {
        DeterminantRun run = rules.hold(LogRule.FOLLOW_DETERMINANTS) ? holders.longest(base) : null;
        if (run == null) {
            return;
        }
        if (run.first() > base || !determinants.isEmpty()) {
            listener.diverged("determinants are missing: those held begin with " + run.first()
                    + ", the snapshot ends with " + end());
            return;
        }
        List<Determinant> past = run.determinants();
        past = past.subList((int) (base - run.first()), past.size());
        determinants.addAll(past);
        holders.areTold(base, end());
        unchanged = end();
        for (Determinant each : past) {
            switch (each.kind()) {
                case RECEIVE -> {
                    receives.put(each.number(), each);
                    reserved.put(new Message(each.sourceRank(), each.contextId(), each.messageId()), each);
                }
                case PROBE -> probes.put(each.number(), each);
                case CHOICE ->
                    choices.computeIfAbsent(each.number(), number -> new ArrayList<>())
                            .add(each.sourceRank());
                case POLLS_SAID_NO, TESTED, FOUND, CANCELLED -> polls.follow(each);
            }
        }
    }

    /** All has come again that the others had sent to this rank's earlier life. */
    void refilled() {
        refilling = false;
    }

    /** Whether something may still come again. Any thread may ask. */
    public boolean isRefilling() {
        return refilling;
    }

    /** Whether messages are not to be matched yet. */
    public boolean areAwaited() {
        return awaitsHolders || awaitsState;
    }

    /** Whether there are outcomes left to follow. */
    public boolean areFollowed() {
        return !receives.isEmpty() || !probes.isEmpty() || !choices.isEmpty() || polls.isFollowed();
    }

    /** Which message a receive of any source has to get; null if it is free. */
    public @Nullable Determinant ofReceive(long number) {
        return receives.isEmpty() ? null : receives.get(number);
    }

    /** Which message the next probe of any source has to find; null if it is free. */
    public @Nullable Determinant ofNextProbe() {
        return probes.isEmpty() ? null : probes.get(nextProbe);
    }

    /** Indices of the requests that the next wait for some of several has to complete; null if it is free. */
    public @Nullable List<Integer> ofNextChoice() {
        return choices.isEmpty() ? null : choices.get(nextChoice);
    }

    /** The next wait for some of several requests has no such request: all go back. */
    public void choiceDiverged(Object requests) {
        listener.diverged("another wait than before: " + requests + "; it was number " + nextChoice);
    }

    /**
     * A message is about to be received: whether that is what happened before. If not all go back.
     *
     * @param number of the receive, −1 if it is not of any source
     */
    public boolean isAsBefore(long number, int sourceRank, long contextId, long messageId) {
        Determinant before = reserved.isEmpty() ? null : reserved.get(new Message(sourceRank, contextId, messageId));
        if (before == null || before.number() == number) {
            return true;
        }
        listener.diverged("another receive than before takes a message; it was " + before);
        return false;
    }

    /** An operation does not fit what it got before: all go back. */
    public void diverged(Determinant before, Object operation) {
        listener.diverged("another operation than before: " + operation + "; it was " + before);
    }
}
