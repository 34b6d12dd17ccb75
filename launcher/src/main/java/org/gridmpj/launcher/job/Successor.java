package org.gridmpj.launcher.job;

import java.util.function.Consumer;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * A process that is to be a rank and is not yet: it dials the launcher, listens, gets the table of all, and waits until it is
 * told what to take over. Confined to the job's thread.
 */
final class Successor {
    final RankSlot slot;
    private ControlMessage.@Nullable Bound bound;
    private boolean prepared;

    private Successor(RankSlot slot) {
        this.slot = slot;
    }

    /** A process that was started for this; its output is read when it is the rank. */
    static Successor of(
            RankSlot before,
            int incarnation,
            RankPlaces.Beside beside,
            Ranks ranks,
            JobStreams streams,
            Consumer<JobEvent> events) {
        Successor successor = new Successor(new RankSlot(
                before.worldRank,
                before.life,
                incarnation,
                beside.host(),
                beside.process(),
                streams.stdout(before.worldRank),
                streams.stderr(before.worldRank),
                ranks.machine(),
                events));
        if (beside.link() != null) {
            ranks.welcome(successor.slot, beside.link(), ControlMessage.Welcome.ARRIVING);
        }
        return successor;
    }

    boolean is(int worldRank, int incarnation) {
        return worldRank == slot.worldRank && incarnation == slot.incarnation;
    }

    /** The process has dialled the launcher. */
    void connected(ControlMessage.Hello hello, ControlLine link, Ranks ranks) {
        if (hello.pid() != slot.process.pid() || slot.link != null) {
            link.close();
        } else {
            ranks.welcome(slot, link, ControlMessage.Welcome.ARRIVING);
        }
    }

    /**
     * The process says something.
     *
     * @return whether that was on the way to be prepared; else it concerns what it takes over
     */
    boolean said(ControlMessage message, Ranks ranks) {
        switch (message) {
            case ControlMessage.Bound at -> {
                bound = at;
                slot.tell(ranks.tableWith(slot.worldRank, slot.incarnation, at));
            }
            case ControlMessage.Prepared ready -> prepared = true;
            case ControlMessage.Heartbeat beat -> slot.beat(beat);
            case ControlMessage.Ending ending -> slot.ends(ending);
            default -> {
                return false;
            }
        }
        return true;
    }

    /** Where it listens, once it does. */
    ControlMessage.@Nullable Bound bound() {
        return bound;
    }

    boolean isPrepared() {
        return prepared;
    }
}
