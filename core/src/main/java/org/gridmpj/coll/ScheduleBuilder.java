package org.gridmpj.coll;

import java.util.ArrayList;
import java.util.List;
import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.Reducer;

/**
 * Puts a schedule together, round by round. A communication that is added after a local action begins a new round; all
 * others begin with {@link #nextRound}. Confined to the thread that starts the collective.
 */
final class ScheduleBuilder {
    private final Communicator communicator;
    private final String operation;
    private final int ownWorldRank;
    private final List<Round> rounds = new ArrayList<>();
    private int receivesAhead;
    private List<Action> communications = new ArrayList<>();
    private List<Action> local = new ArrayList<>();

    ScheduleBuilder(Communicator communicator, String operation) {
        this.communicator = communicator;
        this.operation = operation;
        this.ownWorldRank = communicator.group().worldRank(communicator.rank());
    }

    /** Ends the round at hand, if it has anything in it. */
    void nextRound() {
        if (!communications.isEmpty() || !local.isEmpty()) {
            rounds.add(new Round(communications, local, receivesAhead));
            communications = new ArrayList<>();
            local = new ArrayList<>();
        }
        receivesAhead = 0;
    }

    /** Begins a round whose receives may be posted so many rounds ahead: see {@link Round}. */
    void nextRound(int roundsAhead) {
        nextRound();
        receivesAhead = roundsAhead;
    }

    void send(Region from, int worldRank) {
        communicate(new Action.Send(from, worldRank));
    }

    /** Receives exactly the region's elements. */
    void receive(Region to, int worldRank) {
        communicate(new Action.Receive(to, worldRank, true, true));
    }

    /**
     * As {@link #receive} where only the order of messages keeps what comes early from what is still on its way out of the same
     * region: not ahead of its round where messages may come again out of that order. The round's other receives from this
     * process come before it.
     */
    void receiveInOrder(Region to, int worldRank) {
        communicate(new Action.Receive(
                to, worldRank, true, !communicator.pointToPoint().mayReturnAlone()));
    }

    /** Receives at most the region's elements: a sender with fewer is forgiven where nothing else depends on it. */
    void receiveUpTo(Region to, int worldRank) {
        communicate(new Action.Receive(to, worldRank, false, true));
    }

    private void communicate(Action action) {
        if (!local.isEmpty()) {
            nextRound();
        }
        communications.add(action);
    }

    /**
     * Copies from a buffer of the program. Objects are cloned by serialization, as if they had come from another process,
     * so that an operation that changes its arguments in place spares the program's.
     */
    void copy(Region from, Region to) {
        if (from.isSameAs(to)) {
            return;
        }
        if (from.isObjects()) {
            copyBySelfMessage(from, to);
        } else {
            move(from, to);
        }
    }

    /** Copies from a temporary buffer, whose objects nobody else has. */
    void move(Region from, Region to) {
        if (from.elements() == 0 || from.isSameAs(to)) {
            return;
        }
        if (from.isContiguous()
                && to.isContiguous()
                && from.elements() <= to.elements()
                && from.type().base() == to.type().base()) {
            local.add(new Action.Copy(from, to));
        } else {
            copyBySelfMessage(from, to);
        }
    }

    /** Differing layouts: a message to oneself packs and unpacks, and checks sizes and types as any message. */
    private void copyBySelfMessage(Region from, Region to) {
        nextRound();
        receiveUpTo(to, ownWorldRank);
        send(from, ownWorldRank);
        nextRound();
    }

    /** inout = lower ∘ inout. */
    void combine(Region lower, Region inout, Reducer op) {
        if (inout.elements() > 0) {
            local.add(new Action.Combine(lower, inout, op));
        }
    }

    /**
     * Regions to send from whatever happens to the receive buffer: the ones given, or a copy of them where the two overlap
     * (programs that use one array for both).
     */
    Region[] apart(Region[] send, Region[] receive) {
        Region whole = Region.hull(send);
        if (!whole.overlaps(Region.hull(receive))) {
            return send;
        }
        // offsets may lie before the first element
        int begin = whole.offset();
        for (Region region : send) {
            begin = region.count() == 0 ? begin : Math.min(begin, region.offset());
        }
        int before = whole.offset() - begin;
        Region copy = whole.packed(Math.addExact(before, whole.count()));
        move(whole, copy.slice(before, whole.count()));
        nextRound();
        Region[] moved = new Region[send.length];
        for (int i = 0; i < send.length; i++) {
            moved[i] = new Region(copy.array(), send[i].offset() - begin, send[i].count(), send[i].type());
        }
        return moved;
    }

    Schedule build() {
        nextRound();
        int tag = communicator.nextCollectiveTag();
        return new Schedule(communicator, tag, operation, rounds);
    }
}
