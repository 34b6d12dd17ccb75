package org.gridmpj.pt2pt;

import org.jspecify.annotations.Nullable;

/**
 * Events whose outcome depends on time: a rank that has met one since its cut may do something else when it goes back to
 * that. Whoever listens hears of the first in each epoch before the event has its outcome, and so before anything can depend
 * on it. Nobody listens unless ranks may go back alone.
 *
 * <p>Written by the program's threads and under the progress lock: a report too many does no harm.
 */
final class Chances {
    private static final int NEVER = Integer.MIN_VALUE;

    private final EpochCut cut;
    private volatile @Nullable ChanceListener listener;
    private volatile int toldAfterCut = NEVER;
    private volatile int imageEpoch = -1;
    private volatile boolean outcomesAreRecorded;

    Chances(EpochCut cut) {
        this.cut = cut;
    }

    void tell(ChanceListener newListener) {
        listener = newListener;
    }

    /** Outcomes of operations of any source, of waits for some of several requests, and of polls are recorded: they are no chances. */
    void outcomesAreRecorded() {
        outcomesAreRecorded = true;
    }

    /** This rank begins from its image of an epoch. */
    void wentBackTo(int epoch) {
        imageEpoch = epoch;
    }

    void met(String what) {
        ChanceListener told = listener;
        if (told == null) {
            return;
        }
        int since = Math.max(imageEpoch, cut.cutEpoch());
        if (since != toldAfterCut) {
            told.met(since, what);
            // only now: another thread that meets one meanwhile says so, too, rather than go on before it is known
            toldAfterCut = since;
        }
    }

    /** A receive or probe with ANY_SOURCE. */
    void wildcard() {
        metUnlessRecorded("a message was awaited from any source");
    }

    void metUnlessRecorded(String what) {
        if (!outcomesAreRecorded) {
            met(what);
        }
    }
}
