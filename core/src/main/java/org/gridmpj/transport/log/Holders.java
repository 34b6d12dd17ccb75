package org.gridmpj.transport.log;

import org.jspecify.annotations.Nullable;

/**
 * The ranks that hold one rank's determinants ({@link HolderAssignment}), and how far each is.
 *
 * <pre>
 *   determinants   … │ base ─────────┬──────────┬───────────── end
 *   one                      held ───┘   sent ──┘
 *   the other           held ──┘     sent ──┘                      what depends on those before both "held" may leave
 * </pre>
 *
 * What leaves depends on what every holder has, so any one that is left is enough for a return; one that has gone back itself
 * holds what it was given since. Guarded by the progress lock.
 */
final class Holders {
    /** One of them. */
    private static final class Holder {
        final int rank;
        long sent;
        long held;
        /** It has said goodbye: nobody goes back alone any more. */
        boolean gone;

        // ---- this rank has gone back
        boolean awaited;

        @Nullable
        DeterminantRun told;
        /** Number behind the last that its present process has. */
        long has;

        Holder(int rank) {
            this.rank = rank;
        }
    }

    private final LogRules rules;
    private final Holder[] holders;

    Holders(LogRules rules, int... ranks) {
        this.rules = rules;
        holders = new Holder[ranks.length];
        for (int i = 0; i < ranks.length; i++) {
            holders[i] = new Holder(ranks[i]);
        }
    }

    boolean exist() {
        return holders.length > 0;
    }

    private Holder holder(int rank) {
        for (Holder each : holders) {
            if (each.rank == rank) {
                return each;
            }
        }
        throw new IllegalArgumentException("rank " + rank + " is no holder");
    }

    // ---------------------------------------------------------------- how far they are

    /** All before this number are with every holder that is there. */
    long held() {
        return heldButFor(-1);
    }

    /**
     * All before this number are with every holder that is there, or, for one of them, on their way to it: before the frame in
     * question.
     */
    long heldButFor(int peerRank) {
        boolean all = rules.hold(LogRule.HELD_BY_EVERY_HOLDER);
        long held = all || holders.length == 0 ? Long.MAX_VALUE : 0;
        for (Holder each : holders) {
            long its = each.gone ? Long.MAX_VALUE : each.rank == peerRank ? each.sent : each.held;
            if (each.rank == peerRank && !rules.hold(LogRule.HOLDER_AWAITS_THE_OTHERS)) {
                return its;
            }
            held = all ? Math.min(held, its) : Math.max(held, its);
        }
        return held;
    }

    /** The number of the next one that a holder is to be given. */
    long sent(int rank) {
        return holder(rank).sent;
    }

    /** A holder was given all before a number. */
    void sent(int rank, long end) {
        Holder holder = holder(rank);
        holder.sent = end;
        if (!rules.hold(LogRule.HELD_WHEN_HOLDER_SAYS_SO)) {
            holder.held = end;
        }
    }

    /** A holder says that it has all before this number. */
    void heldUpTo(int rank, long number) {
        Holder holder = holder(rank);
        holder.held = Math.clamp(number, holder.held, holder.sent);
    }

    /** A holder takes nothing more: it has said goodbye. */
    void isGone(int rank) {
        holder(rank).gone = true;
    }

    /** A holder has died: its next process has nothing, and is to be given all from a number on. */
    void beginsAnew(int rank, long base) {
        Holder holder = holder(rank);
        holder.gone = false;
        holder.has = 0;
        if (rules.hold(LogRule.REFILL_HOLDER)) {
            holder.sent = base;
            holder.held = base;
        }
    }

    /** Those before this number are of no use any more. */
    void dropped(long base) {
        for (Holder each : holders) {
            each.sent = Math.max(each.sent, base);
            each.held = Math.max(each.held, base);
        }
    }

    /** There is none before this number, and none behind it yet. */
    void beginAt(long base) {
        for (Holder each : holders) {
            each.sent = base;
            each.held = base;
        }
    }

    // ---------------------------------------------------------------- gone back

    /** What each has is to be heard. */
    void await() {
        for (Holder each : holders) {
            each.awaited = true;
        }
    }

    /** What one has; whether that of all is known now. One that has died since it told so has been heard all the same. */
    boolean told(int rank, DeterminantRun run) {
        Holder holder = holder(rank);
        holder.awaited = false;
        holder.has = run.end();
        if (holder.told == null || run.end() > holder.told.end()) {
            holder.told = run;
        }
        for (Holder each : holders) {
            if (each.awaited && rules.hold(LogRule.AWAIT_EVERY_HOLDER)) {
                return false;
            }
        }
        return true;
    }

    /** The run that reaches furthest, of those that any of them had; null if none reaches behind a number. */
    @Nullable
    DeterminantRun longest(long base) {
        DeterminantRun longest = null;
        for (Holder each : holders) {
            DeterminantRun run = each.told;
            if (run != null && run.end() > (longest == null ? base : longest.end())) {
                longest = run;
            }
        }
        return longest;
    }

    /** All before a number are known again; each holder is to be given what it lacks. */
    void areTold(long base, long end) {
        boolean each = rules.hold(LogRule.GIVE_WHAT_OTHERS_HAD);
        for (Holder holder : holders) {
            holder.sent = each ? Math.clamp(holder.has, base, end) : end;
            holder.held = holder.sent;
            holder.told = null;
        }
    }
}
