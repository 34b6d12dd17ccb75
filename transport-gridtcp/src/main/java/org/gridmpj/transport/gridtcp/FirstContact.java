package org.gridmpj.transport.gridtcp;

import java.util.function.IntConsumer;
import org.gridmpj.transport.Knocker;
import org.jspecify.annotations.Nullable;

/**
 * Whether the two ranks of a pair are to be connected: at once in small jobs; in larger ones when either has something for the
 * other, and from then on. Confined to the holder of the progress lock.
 *
 * <pre>
 *   lower rank                          control connections                      higher rank
 *     has a frame: wants ── knock ──▶ launcher ── knock ─────────────────────────▶ wants, dials
 *     accepts  ◀──────────────────────────────────────────────────────────────────┘
 *                                                                    has a frame: wants, dials
 * </pre>
 *
 * <p>The direction of dialing stays that of the IP table, so two first frames that cross make one connection. A knock may be
 * lost, when its target is being started anew: it is repeated until there is a link. One that is too much does no harm.
 *
 * <p><b>Goodbyes.</b> A pair that has never had anything for each other ends without a connection: FINALIZED goes the way of
 * the knocks. What it says there, "nothing was sent before", holds because it is taken only from who wants nothing.
 */
final class FirstContact {
    private static final long FIRST_PAUSE_NANOS = 500_000_000;
    private static final long LAST_PAUSE_NANOS = 10_000_000_000L;

    private final int peerRank;
    /** Null: this pair is connected at once. */
    private final @Nullable Knocker knocker;

    private final IntConsumer goodbyes;
    private boolean wanted;
    private boolean hasKnocked;
    private long nextKnockNanos;
    private long pauseNanos = FIRST_PAUSE_NANOS;
    private boolean goodbyeSaid;
    private boolean goodbyeHeard;

    /**
     * Of two ranks that have never been connected.
     *
     * @param knocker null if they are connected at once
     * @param goodbyes takes the peers to which a goodbye is to be said by the knocker
     */
    FirstContact(int peerRank, @Nullable Knocker knocker, IntConsumer goodbyes) {
        this.peerRank = peerRank;
        this.knocker = knocker;
        this.goodbyes = goodbyes;
        wanted = knocker == null;
    }

    /** Whether the pair is to be connected, or stay so. */
    boolean isWanted() {
        return wanted;
    }

    /** Either rank has something for the other; whether that is news. */
    boolean want() {
        boolean news = !wanted;
        wanted = true;
        return news;
    }

    /** There is no link, and it is the peer's turn to dial. */
    void knockIfDue(long nowNanos) {
        Knocker way = knocker;
        if (way == null || (hasKnocked && nowNanos - nextKnockNanos < 0)) {
            return;
        }
        way.knock(peerRank);
        pauseNanos = hasKnocked ? Math.min(LAST_PAUSE_NANOS, pauseNanos * 3 / 2) : FIRST_PAUSE_NANOS;
        hasKnocked = true;
        nextKnockNanos = nowNanos + pauseNanos;
    }

    /** There is a link, whose end the peer sees as well and dials; it is knocked for only if it does not. */
    void met(long nowNanos) {
        wanted = true;
        hasKnocked = true;
        pauseNanos = FIRST_PAUSE_NANOS;
        nextKnockNanos = nowNanos + pauseNanos;
    }

    /** The peer is somewhere else, or is a process that has not heard the last knock. */
    void peerMoved() {
        hasKnocked = false;
    }

    /** Takes FINALIZED for a peer for which there has never been anything, where that may be said without a connection. */
    boolean takesGoodbye() {
        if (wanted || goodbyeSaid || knocker == null || !knocker.saysGoodbyes()) {
            return false;
        }
        goodbyeSaid = true;
        goodbyes.accept(peerRank);
        return true;
    }

    /** The peer has called Finalize and had nothing for this rank; whether that is news. */
    boolean hearGoodbye() {
        boolean news = !goodbyeHeard;
        goodbyeHeard = true;
        return news;
    }

    /** Whether both have said goodbye without ever having had to do with each other. */
    boolean isOver() {
        return !wanted && goodbyeSaid && goodbyeHeard;
    }
}
