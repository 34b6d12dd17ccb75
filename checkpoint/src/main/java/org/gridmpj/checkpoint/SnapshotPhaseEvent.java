package org.gridmpj.checkpoint;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** One phase of a snapshot in a flight recording: agree, markers, copy, write, restore. */
@Name("org.gridmpj.SnapshotPhase")
@Label("Snapshot Phase")
@Category("GridMPJ")
@StackTrace(false)
final class SnapshotPhaseEvent extends Event {
    @Label("Phase")
    @Description("agree, markers, copy: the program stands still; write: in the background; restore: after a crash")
    String phase = "";

    @Label("World Rank")
    int worldRank;

    @Label("Epoch")
    int epoch;

    @Label("Bytes")
    long bytes;

    static SnapshotPhaseEvent begun(String phase, int worldRank) {
        SnapshotPhaseEvent event = new SnapshotPhaseEvent();
        event.phase = phase;
        event.worldRank = worldRank;
        event.begin();
        return event;
    }

    void done(int epoch, long bytes) {
        this.epoch = epoch;
        this.bytes = bytes;
        commit();
    }
}
