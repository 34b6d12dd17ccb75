package org.gridmpj.runtime;

import java.nio.file.Path;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.transport.log.FileLogSpill;
import org.gridmpj.transport.log.HolderAssignment;
import org.gridmpj.transport.log.LogMemory;
import org.gridmpj.transport.log.LogPace;
import org.gridmpj.transport.log.LogRules;
import org.gridmpj.transport.log.RecoveryListener;

/**
 * The logs that let one rank go back alone, as a launched rank has them. What they say goes to the parent at once, under the
 * progress lock: before anything can depend on it, and before a later image is reported. What stands against a lone return is
 * known to the launcher before anything depends on it, for it may hear nothing more of a host that is lost.
 */
final class MessageLogging {
    private static final long LEAST_MEMORY_BYTES = 64L << 20;
    private static final long MOST_MEMORY_BYTES = 1L << 30;
    /**
     * Of all ranks of a host together. Outside the heap, but in proportion to it: who limits the one has little of the other, and
     * who does not has four times as much. What is beyond it goes to a file, which lies in memory first, too, and takes longer.
     */
    private static final int PART_OF_HEAP = 2;
    /** The JVM lends no more memory outside the heap than the heap may have, and the transport has its buffers there, too. */
    private static final int MOST_OF_HEAP = 4;

    private static final String LIMIT_PROPERTY = "gridmpj.log.limit";
    /** What a rank may lose by its logs is 4 %; a part of that is what copying does to its caches. */
    private static final int LIMIT_PERCENT = 3;

    private MessageLogging() {}

    static void begin(PointToPoint engine, Parent parent, int worldRank, int ranksOnHost, Path folder) {
        long heapBytes = Runtime.getRuntime().maxMemory();
        long memoryBytes = Math.clamp(
                heapBytes / PART_OF_HEAP / ranksOnHost,
                Math.min(LEAST_MEMORY_BYTES, heapBytes / MOST_OF_HEAP),
                MOST_MEMORY_BYTES);
        parent.listenApart();
        engine.logMessages(
                new LogMemory(memoryBytes, new FileLogSpill(folder), pace()),
                new HolderAssignment(parent.job().hosts()),
                new RecoveryListener() {
                    @Override
                    public void diverged(String what) {
                        parent.report(new ControlMessage.Diverged(what));
                    }

                    @Override
                    public void caughtUp(int nextEpoch) {
                        parent.report(new ControlMessage.CaughtUp(worldRank, nextEpoch));
                    }

                    @Override
                    public void logLost(int cutEpoch, String why) {
                        parent.reportHeard(new ControlMessage.NotAlone(cutEpoch, true, why));
                    }
                },
                (cutEpoch, what) -> parent.reportHeard(new ControlMessage.NotAlone(cutEpoch, false, what)),
                LogRules.ALL);
        ProgramOutput.showOnlyAfter(engine::awaitOutcomesHeld);
        RankMain.beforeExit(engine::letGoOfHeld);
    }

    private static LogPace pace() {
        Long megabytes = Long.getLong(LIMIT_PROPERTY);
        if (megabytes == null) {
            return LogPace.ofTime(LIMIT_PERCENT, System::nanoTime);
        }
        return megabytes <= 0 ? LogPace.unlimited() : LogPace.ofBytes(megabytes * 1_000_000, System::nanoTime);
    }
}
