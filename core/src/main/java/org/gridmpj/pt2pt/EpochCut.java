package org.gridmpj.pt2pt;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.gridmpj.snapshot.CutCopy;
import org.gridmpj.snapshot.CutListener;
import org.gridmpj.snapshot.Departure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.PayloadSink;
import org.jspecify.annotations.Nullable;

/**
 * This rank's part in transparent cuts, one epoch at a time (Chandy and Lamport 1985, with the state taken at an MPI call
 * instead of at the marker's arrival):
 *
 * <pre>
 *   idle ── requested, told, or a marker ──▶ wanted ── all threads unwound: markers out, copy ──▶ logging ── all markers in ──▶ idle
 *    ▲                                         │ frames behind markers are held                    │ frames before markers
 *    └──────────── abandoned ◀─────────────────┴───────────────────────────────────────────────────┘ belong to the image
 * </pre>
 *
 * <p>No rank waits for another one. A rank that cannot be captured goes on until it would block while frames are held, or
 * has polled for too long; then it abandons the epoch for all.
 *
 * <p>Guarded by the progress lock, but for {@link #isWanted}.
 */
final class EpochCut {
    private final int worldRank;
    private final PointToPointConfig config;
    private final Peer[] peers;
    private final FrameOutlet outlet;
    private final MarkerGate gate;
    private final FrameDispatch dispatch;
    private final EngineImage image;
    private final ProgressEngine progress;
    private final ProgressLock lock;
    private final CutRules rules;

    private @Nullable CutListener listener;
    /** Program threads are to unwind, for an epoch or to leave this process. */
    private volatile boolean wanted;

    private boolean epochWanted;
    private boolean leaving;
    /** Why this rank could not leave when it was last asked. */
    private String departureObstacle = "the program makes no MPI call";

    private int wantedEpoch = -1;
    /** When a thread was asked first that could not be captured; meaningful while deferred. */
    private long deferredSinceNanos;

    private boolean deferred;

    /** Written under the lock. */
    private volatile int cutEpoch = -1;
    /** Written under the lock. */
    private volatile int passedEpoch = -1;
    /** What is to be done before this rank leaves its process. */
    private Runnable beforeLeaving = () -> {};

    private @Nullable InFlightLog log;
    private BooleanSupplier awaitsAnySource = () -> false;
    private @Nullable Chances chances;

    EpochCut(
            int worldRank,
            PointToPointConfig config,
            Peer[] peers,
            FrameOutlet outlet,
            MarkerGate gate,
            FrameDispatch dispatch,
            EngineImage image,
            ProgressEngine progress,
            CutRules rules) {
        this.worldRank = worldRank;
        this.config = config;
        this.peers = peers;
        this.outlet = outlet;
        this.gate = gate;
        this.dispatch = dispatch;
        this.image = image;
        this.progress = progress;
        this.lock = progress.lock;
        this.rules = rules;
    }

    /** Who hears of a receive of any source that is pending at a cut. */
    void onChance(BooleanSupplier newAwaitsAnySource, Chances newChances) {
        awaitsAnySource = newAwaitsAnySource;
        chances = newChances;
    }

    /**
     * Transparent cuts are possible from here on. Peers that were sooner may have begun an epoch already, which is wanted here, too, or
     * given it up. Under the lock.
     */
    void enable(CutListener newListener) {
        listener = newListener;
        gate.enableTransparent();
        if (!rules.hold(CutRule.TAKE_UP_WHAT_HAS_BEGUN)) {
            return;
        }
        if (gate.abandonedEpoch() >= 0) {
            newListener.abandoned(gate.abandonedEpoch(), "another rank has abandoned it", false);
            dispatch.releaseHeld();
        }
        boolean _ = request(latestEpoch());
    }

    /** What is to be done, under the lock, before this rank leaves its process. Set once. */
    void beforeLeaving(Runnable action) {
        beforeLeaving = action;
    }

    boolean isEnabled() {
        return listener != null;
    }

    /** Whether program threads are to unwind. Any thread may ask. */
    boolean isWanted() {
        return wanted;
    }

    /**
     * A cut is wanted, of all ranks: the others are told at once, so that they need not wait until this one has made its own and
     * sent its markers. False if that is too late for this epoch. Takes the lock.
     */
    boolean requestOfAll(int epoch) {
        lock.lock();
        try {
            if (!request(epoch)) {
                return false;
            }
            outlet.emitToAll(FrameKind.EPOCH_WANTED, epoch, worldRank, peers);
            progress.kick();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** A cut is wanted; false if that is too late for this epoch. Takes the lock. */
    boolean request(int epoch) {
        lock.lock();
        try {
            if (!isEnabled() || epoch <= cutEpoch || gate.isAbandoned(epoch) || epoch < wantedEpoch) {
                return false;
            }
            wantedEpoch = epoch;
            epochWanted = true;
            decideWanted();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** This rank leaves its process alone as soon as it takes part in no epoch. An epoch that is wanted goes first. */
    private void decideWanted() {
        boolean before = wanted;
        wanted = epochWanted || (leaving && !takesPart());
        if (wanted && !before) {
            progress.wakeAll();
        }
    }

    private boolean takesPart() {
        return (epochWanted || log != null || gate.holdsAny()) && rules.hold(CutRule.NO_DEPARTURE_IN_EPOCH);
    }

    /** This rank is to leave its process, or is not any more. Takes the lock. */
    void leave(boolean newLeaving) {
        lock.lock();
        try {
            leaving = newLeaving && isEnabled();
            decideWanted();
        } finally {
            lock.unlock();
        }
    }

    /** Why this rank has not left yet. Takes the lock. */
    String departureObstacle() {
        lock.lock();
        try {
            return log != null || epochWanted ? "a snapshot is under way" : departureObstacle;
        } finally {
            lock.unlock();
        }
    }

    /**
     * All program threads are unwound: if this rank is to leave, it stands still while {@code departure} runs. When that
     * returns this process goes on. Takes the lock.
     *
     * @param channels what the transport's channels hold
     * @return whether this rank was to leave
     */
    boolean depart(Departure departure, Supplier<Map<String, byte[]>> channels) {
        lock.lock();
        try {
            if (!leaving || takesPart()) {
                return false;
            }
            leaving = false;
            departureObstacle = "the program makes no MPI call";
            decideWanted();
            if (rules.hold(CutRule.CLOSE_WHEN_LEAVING)) {
                beforeLeaving.run();
            }
            departure.leave(() -> image.state(true, gate.abandonedEpoch(), passedEpoch), channels);
            progress.kick();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * A thread was asked to unwind and cannot. Takes the lock.
     *
     * @param overtaken whether others that have made the cut wait for this rank's
     */
    void deferred(String obstacle, boolean wouldBlock, boolean overtaken) {
        lock.lock();
        try {
            if (leaving) {
                departureObstacle = obstacle;
            }
            if (!epochWanted) {
                return;
            }
            long now = config.nanoClock().getAsLong();
            if (!deferred) {
                deferred = true;
                deferredSinceNanos = now;
            }
            boolean stuck = wouldBlock && (overtaken || gate.holdsAny());
            boolean tooLong = now - deferredSinceNanos > config.captureLimitNanos();
            CutRule rule = wouldBlock ? CutRule.ABANDON_WHEN_BLOCKED : CutRule.ABANDON_AFTER_POLLING;
            if ((stuck || tooLong) && rules.hold(rule)) {
                abandon(wantedEpoch, "rank " + worldRank + " cannot be captured: " + obstacle);
            }
        } finally {
            lock.unlock();
        }
    }

    /** All program threads are unwound. Takes the lock; whether the copy was made. */
    boolean cut(CutCopy copy) {
        lock.lock();
        try {
            if (!epochWanted) {
                return false;
            }
            passOver();
            int epoch = wantedEpoch;
            emitMarkers(epoch);
            try {
                copy.copy(epoch, image.state(false, gate.abandonedEpoch(), passedEpoch));
            } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError e) {
                abandon(epoch, "rank " + worldRank + " cannot copy its state: " + e.getMessage());
                return false;
            }
            epochWanted = false;
            deferred = false;
            cutEpoch = epoch;
            passedEpoch = Math.max(passedEpoch, epoch);
            image.cut(epoch);
            Chances told = chances;
            if (told != null && awaitsAnySource.getAsBoolean()) {
                // which message it gets is decided behind this cut
                told.wildcard();
            }
            beginLog();
            gate.begin(epoch);
            dispatch.releaseHeld();
            completeIfAllMarkersAreIn();
            decideWanted();
            progress.kick();
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The copy of a cut for practice, if nothing is under way that refers to the program's data; whether it was made. Takes the lock
     * for the engine's state, but copies without it: the program's threads run, and may hold what the copy waits for (the monitor
     * of a call, a class that is being initialised) while they wait for the lock.
     */
    boolean practise(CutCopy copy) throws IOException {
        EngineState state;
        lock.lock();
        try {
            if (epochWanted || log != null || !image.isIdle()) {
                return false;
            }
            state = image.state(false, gate.abandonedEpoch(), passedEpoch);
        } finally {
            lock.unlock();
        }
        copy.copy(cutEpoch, state);
        return true;
    }

    /**
     * What is held behind a marker before the wanted one was sent before this cut, and belongs to it; and nothing is logged for an
     * earlier cut any more, whose end is on its way here.
     */
    private void passOver() {
        if (log != null && rules.hold(CutRule.END_LOG_WHEN_PASSED_OVER)) {
            onAbandoned(cutEpoch, "others have begun a later one", false);
        }
        // what is let go may be the marker of a later epoch yet
        for (int older = gate.passedOver(wantedEpoch); older >= 0; older = gate.passedOver(wantedEpoch)) {
            if (!rules.hold(CutRule.RELEASE_WHEN_PASSED_OVER)) {
                return;
            }
            onAbandoned(older, "others have begun a later one", false);
        }
    }

    private void emitMarkers(int epoch) {
        for (Peer peer : peers) {
            if (rules.hold(CutRule.NO_WITHDRAWAL_ACROSS_CUT)) {
                peer.outbox.forEach(frame -> frame.starts = null);
            }
        }
        outlet.emitToAll(FrameKind.MARKER, epoch, worldRank, peers);
        for (Peer peer : peers) {
            if (!rules.hold(CutRule.MARKER_BEHIND_OUTBOX) && peer.outbox.size() > 1) {
                peer.outbox.addFirst(peer.outbox.removeLast());
            }
        }
    }

    private void beginLog() {
        InFlightLog opened = new InFlightLog();
        log = opened;
        for (Peer peer : peers) {
            if (!awaitsMarkerOf(peer)) {
                continue;
            }
            if (rules.hold(CutRule.LOG_UNTIL_MARKER)) {
                peer.log = opened;
            }
            if (rules.hold(CutRule.LOG_REST_OF_ARRIVING)
                    && EngineImage.arrivingSink(peer) instanceof ArrivalSink sink) {
                LoggedFrame rest = new LoggedFrame(peer.worldRank, EngineImage.arrivingHeader(peer), sink, true);
                opened.add(rest);
                sink.tap(rest);
                peer.tapped = sink;
            }
        }
    }

    private boolean awaitsMarkerOf(Peer peer) {
        return peer.worldRank != worldRank
                && peer.lost == null
                && peer.markerEpoch < cutEpoch
                && (!peer.finalized || rules.hold(CutRule.FINALIZED_TAKE_PART));
    }

    /** A frame that is not held has begun to arrive; where its payload is to go. */
    PayloadSink arriving(Peer peer, FrameHeader header, PayloadSink sink) {
        InFlightLog open = peer.log;
        if (open == null || header.kind.isOfEpoch()) {
            return sink;
        }
        if (open.payloadBytes() + header.payloadBytes > config.inFlightBudgetBytes()) {
            abandon(
                    cutEpoch,
                    "more than " + config.inFlightBudgetBytes() + " bytes were on their way to rank " + worldRank
                            + " at the cut");
            return sink;
        }
        LoggedFrame frame = new LoggedFrame(peer.worldRank, header, sink, false);
        open.add(frame);
        return frame;
    }

    /** A marker has come. */
    void onMarker(Peer peer, int epoch) {
        if (!isEnabled()) {
            return;
        }
        if (epoch == cutEpoch && log != null) {
            peer.log = null;
            completeIfAllMarkersAreIn();
        } else if (epoch > cutEpoch) {
            request(epoch);
        }
    }

    private void completeIfAllMarkersAreIn() {
        InFlightLog finished = log;
        for (Peer peer : peers) {
            if (awaitsMarkerOf(peer)) {
                return;
            }
        }
        if (finished != null && listener != null) {
            endLog();
            listener.complete(cutEpoch, finished);
            decideWanted();
        }
    }

    private void endLog() {
        log = null;
        for (Peer peer : peers) {
            peer.log = null;
            ArrivalSink sink = peer.tapped;
            if (sink != null) {
                sink.tap(null);
                peer.tapped = null;
            }
        }
    }

    /** Abandons an epoch on all ranks. Takes the lock. */
    void abandon(int epoch, String reason) {
        lock.lock();
        try {
            if (gate.isAbandoned(epoch)) {
                return;
            }
            if (rules.hold(CutRule.ABANDON_EVERYWHERE)) {
                outlet.emitToAll(FrameKind.EPOCH_ABORT, epoch, worldRank, peers);
            }
            onAbandoned(epoch, reason, true);
        } finally {
            lock.unlock();
        }
    }

    /**
     * An epoch is abandoned. Idempotent.
     *
     * @param here whether that was decided on this rank
     */
    void onAbandoned(int epoch, String reason, boolean here) {
        if (gate.isAbandoned(epoch)) {
            return;
        }
        gate.onAbort(epoch);
        if (rules.hold(CutRule.PASS_WHAT_IS_ABANDONED)) {
            passedEpoch = Math.max(passedEpoch, epoch);
        }
        if (wantedEpoch <= epoch) {
            epochWanted = false;
            deferred = false;
        }
        if (cutEpoch <= epoch && log != null) {
            endLog();
        }
        if (listener != null) {
            listener.abandoned(epoch, reason, here);
        }
        if (rules.hold(CutRule.RELEASE_WHEN_ABANDONED)) {
            dispatch.releaseHeld();
        }
        decideWanted();
        progress.completed(null);
        progress.kick();
    }

    /** The epoch of this rank's last cut, −1 for none. Any thread may ask. */
    int cutEpoch() {
        return cutEpoch;
    }

    /**
     * The last epoch of which this rank has made its cut or heard that it is abandoned, −1 for none: it is not cut for one up to
     * this any more. Any thread may ask.
     */
    int passedEpoch() {
        return passedEpoch;
    }

    /** The highest epoch that this rank has heard of. Under the lock. */
    int latestEpoch() {
        int latest = Math.max(wantedEpoch, cutEpoch);
        for (Peer peer : peers) {
            latest = Math.max(latest, peer.markerEpoch);
        }
        return Math.max(latest, gate.abandonedEpoch());
    }

    /** A peer has died and goes back alone to a committed epoch: what is under way of a later one comes to nothing. */
    void peerGoesBack(int committedEpoch, String reason) {
        int latest = latestEpoch();
        if (isEnabled() && latest > committedEpoch && (log != null || epochWanted || gate.holdsAny())) {
            abandon(latest, reason);
        }
    }

    /** A peer is gone: its marker will not come. */
    void onPeerLost(Peer peer) {
        if (isEnabled() && log != null && awaitsMarkerOf(peer)) {
            onAbandoned(cutEpoch, "rank " + peer.worldRank + " is lost", false);
        }
    }

    /** The engine ends. */
    void close() {
        lock.lock();
        try {
            leaving = false;
            if (log != null || epochWanted) {
                onAbandoned(Math.max(cutEpoch, wantedEpoch), "all ranks have called Finalize", false);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Takes over what {@link CutCopy} was given in another process. Takes the lock. */
    void adopt(EngineState state, byte[] inFlight) {
        List<InFlightLog.Saved> frames = state.alone() ? List.of() : new ArrayList<>(InFlightLog.read(inFlight));
        lock.lock();
        try {
            image.adopt(state);
            if (!rules.hold(CutRule.IN_FLIGHT_FIRST)) {
                gate.adopted();
                dispatch.releaseHeld();
            }
            if (state.alone()) {
                gate.onAbort(state.abandonedEpoch());
                passedEpoch = Math.max(passedEpoch, state.passedEpoch());
                image.goOn(state, outlet);
            }
            frames.forEach(frame -> dispatch.deliver(frame, image.arrivingOf(frame.peerRank())));
            image.startAdopted(state);
            gate.adopted();
            dispatch.releaseHeld();
            progress.completed(null);
            progress.kick();
        } finally {
            lock.unlock();
        }
    }
}
