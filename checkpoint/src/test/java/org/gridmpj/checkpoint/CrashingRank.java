package org.gridmpj.checkpoint;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.job.control.ControlMessage.SnapshotWritten;
import org.gridmpj.snapshot.SnapshotEngine;

/**
 * A job of one rank, and its launcher's ledger, in a process of their own that a crash point may end at any step:
 * {@code CrashingRank FOLDER GENERATION}. Counts to six, a snapshot at each number.
 */
final class CrashingRank {
    static final int LAST = 6;
    static final int STATE_LENGTH = 50_000;

    private CrashingRank() {}

    public static void main(String[] args) throws Exception {
        FileSnapshotStore store = FileSnapshotStore.at(Path.of(args[0]));
        int generation = Integer.parseInt(args[1]);
        EpochLedger ledger = new EpochLedger(store, Images.JOB, 1, generation);
        ledger.beginGeneration(generation);
        int resumeEpoch = ledger.resumePoint().resumeEpoch();
        SnapshotEngine engine = new JobEngine(
                new LoneEngine(generation, resumeEpoch),
                generation,
                resumeEpoch,
                (rank, message) -> commit(ledger, message));
        ProgramSnapshots snapshots = new ProgramSnapshots(true);
        snapshots.attach(
                engine,
                store,
                CheckpointInterval.parse("1h"),
                System::nanoTime,
                System::currentTimeMillis,
                () -> new StreamPositions(0, 0, 0));
        long[] state = new long[STATE_LENGTH];
        if (snapshots.isResumed()) {
            state = (long[]) Objects.requireNonNull(snapshots.retrieve("state"));
        }
        snapshots.register("state", state);
        while (state[0] < LAST) {
            long next = state[0] + 1;
            Arrays.fill(state, next);
            snapshots.takeNow((int) next);
        }
        snapshots.detach();
        System.out.println("result " + state[0] + " " + state[STATE_LENGTH - 1]);
    }

    private static void commit(EpochLedger ledger, ControlMessage message) {
        if (message instanceof SnapshotWritten written) {
            ledger.written(0, written);
        }
    }
}
