package org.gridmpj.transport.log;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.OutOfReach;
import org.gridmpj.job.RankTable;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * A transport under which messages are logged, so that one rank alone can go back to its snapshot while the others run on
 * (docs/design/0018).
 *
 * <pre>
 *   PointToPoint
 *      │  ▲
 *      ▼  │        LoggedTransport: a LoggedChannel for each peer
 *   Transport      that recovers and renews channels
 * </pre>
 *
 * Guarded by the progress lock, as any transport; {@link #await} and {@link #wakeup} by none.
 */
public final class LoggedTransport implements Transport, FrameSink {
    private static final long BACKLOGGED_AWAIT_NANOS = 1_000_000;

    private final int worldRank;
    private final FrameSink engine;
    private final RecoveryListener listener;
    private final LogMemory memory;
    private final LogRules rules;
    private final LoggedChannel[] channels;
    private final EngineView view;
    private final Outcomes outcomes;
    private final int[] holderRanks;
    private @Nullable Transport wire;
    private boolean catchingUp;
    /** Not catching up, or only what others owe is left. */
    private boolean back = true;

    private volatile boolean pressing;

    /** The logs of one of these ranks. */
    public LoggedTransport(
            int worldRank,
            FrameSink engine,
            EngineView view,
            RecoveryListener listener,
            LogMemory memory,
            HolderAssignment holders,
            LogRules rules) {
        this.worldRank = worldRank;
        this.engine = engine;
        this.listener = listener;
        this.memory = memory;
        this.rules = rules;
        this.view = view;
        List<Integer> assigned = holders.of(worldRank);
        holderRanks = assigned.stream().mapToInt(Integer::intValue).toArray();
        outcomes = new Outcomes(listener, view::latestEpoch, rules, holderRanks);
        channels = new LoggedChannel[holders.size()];
        for (int rank = 0; rank < channels.length; rank++) {
            channels[rank] = new LoggedChannel(
                    worldRank,
                    rank,
                    engine,
                    view,
                    listener,
                    memory,
                    outcomes,
                    assigned.contains(rank),
                    this::sendDeterminants,
                    this::isBack,
                    this::sayNothingIsLogged,
                    rules);
        }
    }

    /** Outcomes of operations of any source. */
    public Outcomes outcomes() {
        return outcomes;
    }

    /** This process is about to end without goodbye, and some holders may have: nothing waits for them any more. */
    public void holdNothingBack() {
        if (!outcomes.areHeld(outcomes.toBeHeld())) {
            outcomes.giveUp("rank " + worldRank + " ends without MPI.Finalize");
        }
    }

    private void sendDeterminants() {
        for (int holder : holderRanks) {
            if (channels[holder].hasUnsentDeterminants()) {
                channels[holder].pump();
            }
        }
    }

    private boolean isBack() {
        return back || !rules.hold(LogRule.BACK_BEFORE_THAT_WAS_ALL);
    }

    /** This, over the transport that moves the frames; it was opened with this as its sink. */
    public Transport over(Transport transport) {
        wire = transport;
        return this;
    }

    private Transport wire() {
        Transport known = wire;
        if (known == null) {
            throw new MpiFailure(ErrorClass.INTERN, "the logs have no transport yet");
        }
        return known;
    }

    // ---------------------------------------------------------------- ranks that go back

    /**
     * A peer has died and goes back alone: its channel begins anew.
     *
     * @param incarnation of the process that takes its place
     * @param epoch committed one that it goes back to
     */
    public void peerGoesBack(int peerRank, int incarnation, int epoch) {
        wire().renew(peerRank, incarnation);
        if (!channels[peerRank].peerGoesBack(epoch, wire().endpoint(peerRank), catchingUp)) {
            listener.diverged("rank " + worldRank + " has no log of what it sent to rank " + peerRank
                    + " since snapshot " + epoch);
        }
    }

    /** This rank begins from an image: what comes from here on is behind its cut, even before the engine has its state. */
    public void remember() {
        for (LoggedChannel channel : channels) {
            channel.remember();
        }
    }

    /** The engine has its state, and can be asked for its operations. */
    public void stateIsHere() {
        for (LoggedChannel channel : channels) {
            channel.stateIsHere();
        }
        if (outcomes.stateIsHere()) {
            view.outcomesAreKnown();
        }
    }

    /** The engine is about to take over its state of an epoch; {@code alone}: this rank only, while the others run on. */
    public void adopted(int epoch, boolean alone) {
        catchingUp = alone;
        back = !alone;
        if (alone && channels.length > 1) {
            outcomes.await();
        }
        for (int rank = 0; rank < channels.length; rank++) {
            if (rank != worldRank) {
                channels[rank].adopted(epoch, alone);
            }
        }
    }

    /** An epoch is committed. */
    public void committed(int epoch) {
        outcomes.committed(epoch);
        for (int rank = 0; rank < channels.length; rank++) {
            if (rank != worldRank) {
                channels[rank].committed(epoch);
            }
        }
    }

    private boolean isRefilled() {
        for (LoggedChannel channel : channels) {
            if (!channel.isRefilled()) {
                return false;
            }
        }
        return true;
    }

    /** Whether all is said again but for what another one that goes back awaits, which hears of it when it has it. */
    private void lookWhetherBack() {
        for (int rank = 0; rank < channels.length; rank++) {
            if (rank != worldRank && !channels[rank].isBack()) {
                back = false;
                return;
            }
        }
        back = !outcomes.areFollowed();
    }

    private void lookWhetherCaughtUp() {
        int latest = 0;
        for (int rank = 0; rank < channels.length; rank++) {
            if (rank != worldRank) {
                int epoch = channels[rank].caughtUpAtEpoch();
                if (epoch < 0 && rules.hold(LogRule.CATCH_UP_BEFORE_EPOCHS)) {
                    return;
                }
                latest = Math.max(latest, epoch);
            }
        }
        if (outcomes.areFollowed() && rules.hold(LogRule.FOLLOW_BEFORE_CAUGHT_UP)) {
            return;
        }
        catchingUp = false;
        back = true;
        outcomes.refilled();
        listener.caughtUp(latest + 1);
    }

    // ---------------------------------------------------------------- frames that come

    @Override
    public PayloadSink onFrame(int peerRank, FrameHeader header) {
        return channels[peerRank].onFrame(header);
    }

    @Override
    public void onFrameComplete(int peerRank, FrameHeader header, PayloadSink sink) {
        channels[peerRank].onFrameComplete(header, sink);
    }

    @Override
    public void onPeerLost(int peerRank, MpiFailure cause) {
        engine.onPeerLost(peerRank, cause);
    }

    // ---------------------------------------------------------------- the transport

    @Override
    public int bind(String host) {
        return wire().bind(host);
    }

    @Override
    public void connect(RankTable table, Duration timeout) {
        wire().connect(table, timeout);
    }

    @Override
    public void arrive(RankTable table) {
        wire().arrive(table);
    }

    @Override
    public void rehearse() {
        wire().rehearse();
    }

    @Override
    public boolean isLinked() {
        return wire().isLinked();
    }

    @Override
    public void update(RankTable table) {
        wire().update(table);
    }

    @Override
    public Endpoint endpoint(int peerRank) {
        LoggedChannel channel = channels[peerRank];
        channel.over(wire().endpoint(peerRank));
        return channel;
    }

    @Override
    public int eagerLimitBytes(boolean onOneHost) {
        return wire().eagerLimitBytes(onOneHost);
    }

    @Override
    public boolean poll() {
        boolean any = deliverEarly();
        any |= wire().poll();
        return pump() || any;
    }

    @Override
    public boolean pollAgain() {
        boolean any = deliverEarly();
        any |= wire().pollAgain();
        return pump() || any;
    }

    private boolean deliverEarly() {
        boolean any = false;
        for (LoggedChannel channel : channels) {
            any |= channel.deliverEarly();
        }
        return any;
    }

    private boolean pump() {
        boolean any = false;
        boolean left = false;
        for (LoggedChannel channel : channels) {
            if (channel.isBacklogged()) {
                any |= channel.pump();
                left |= channel.isBacklogged();
            }
            left |= channel.hasAnswersDue();
        }
        pressing = left;
        if (catchingUp) {
            lookWhetherBack();
            if (isRefilled()) {
                outcomes.refilled();
            }
            lookWhetherCaughtUp();
        } else if (memory.pace().isTooFast() && canDoWithoutLogs()) {
            int latest = view.latestEpoch();
            memory.pace().pause(latest);
            sayNothingIsLogged(latest);
            for (LoggedChannel channel : channels) {
                channel.forgetLog();
            }
        }
        return any;
    }

    /** No peer that dies now, or behind this cut, can be given again what it got. */
    private void sayNothingIsLogged(int epoch) {
        if (rules.hold(LogRule.SAY_WHAT_IS_NOT_LOGGED)) {
            listener.logLost(
                    epoch,
                    "rank " + worldRank + " does not log what it sends, "
                            + memory.pace().describe() + " (gridmpj.log.limit)");
        }
    }

    private boolean canDoWithoutLogs() {
        for (LoggedChannel channel : channels) {
            if (!channel.canDoWithoutLog()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void await(long timeoutNanos) {
        wire().await(pressing ? Math.min(timeoutNanos, BACKLOGGED_AWAIT_NANOS) : timeoutNanos);
    }

    @Override
    public void wakeup() {
        wire().wakeup();
    }

    @Override
    public boolean drain(Duration timeout) {
        return wire().drain(timeout);
    }

    @Override
    public boolean isBacklogged() {
        for (LoggedChannel channel : channels) {
            if (channel.isBacklogged()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public List<OutOfReach> outOfReach() {
        return wire().outOfReach();
    }

    @Override
    public boolean recovers() {
        return wire().recovers();
    }

    @Override
    public Map<String, byte[]> freeze() {
        return wire().freeze();
    }

    @Override
    public void thaw(Map<String, byte[]> sections) {
        wire().thaw(sections);
    }

    @Override
    public void renew(int peerRank, int incarnation) {
        wire().renew(peerRank, incarnation);
    }

    @Override
    public void close() {
        memory.close();
        wire().close();
    }
}
