package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.gridmpj.checkpoint.EpochId;
import org.gridmpj.checkpoint.EpochLedger;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.checkpoint.SnapshotStore;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.Durations;
import org.gridmpj.launcher.coordination.Coordination;
import org.jspecify.annotations.Nullable;

/** The launcher's part in the snapshots of a job: commits epochs and knows where to go back to. Confined to the job's thread. */
final class Snapshots {
    /** After so long, and the time for the bytes of the largest image, an image that is missing is told of. */
    private static final long PATIENCE_SECONDS = 60;

    private static final long SLOW_BYTES_PER_SECOND = 10_000_000;

    private final EpochLedger ledger;
    private final Announcements announcements;
    private final Consumer<String> say;
    private final @Nullable Drills drills;
    private final LongSupplier nanoTime;
    private final List<ControlLine> askers = new ArrayList<>();
    /** Why somebody waits for the next epoch; null once one was committed or given up. */
    private @Nullable String wanted;

    private @Nullable EpochManifest latest;
    private @Nullable EpochManifest beforeLatest;
    /** A drill has put the latest one into quarantine: what the one before needs has to be kept. */
    private boolean isLatestAside;

    private long latestNanos;
    /** As {@link #usableEpoch}. */
    private int usableEpoch = -1;

    /** Those that cannot be used, each said once for each reason. */
    private final Set<SnapshotStore.Skipped> saidSkipped = new HashSet<>();

    private String drilled = "";
    /** What drills have found of the program, each said once. */
    private final Set<String> misfits = new HashSet<>();

    private String pace = "";
    private long saidIntervalNanos;
    /** The last epoch that was begun, if it came to nothing. */
    private EpochLedger.Outcome.@Nullable Abandoned givenUp;

    /** The epoch that is under way, since when, and what was said of it if it takes too long. */
    private int incompleteEpoch = -1;

    private long incompleteNanos;
    private String late = "";

    private volatile int committedCount;

    Snapshots(
            SnapshotStore store,
            String jobName,
            int size,
            int generation,
            Announcements announcements,
            @Nullable Drills drills,
            LongSupplier nanoTime,
            Consumer<String> say) {
        this.ledger = new EpochLedger(store, jobName, size, generation);
        this.announcements = announcements;
        this.drills = drills;
        this.nanoTime = nanoTime;
        this.say = say;
    }

    /** A rank's image is on disk; its offsets are those of the program's streams. */
    void written(int generation, int worldRank, ControlMessage.SnapshotWritten message, RankSlot... ranks) {
        settle(generation, ledger.written(worldRank, message), ranks);
    }

    /** A rank could not make its image. */
    void failed(int generation, int worldRank, ControlMessage.SnapshotFailed message, RankSlot... ranks) {
        settle(generation, ledger.failed(worldRank, message), ranks);
    }

    /** A rank goes back alone to the last committed epoch: none below this number becomes real any more. */
    void refuseBelow(int generation, int epoch, RankSlot... ranks) {
        ledger.refuseBelow(epoch).forEach(outcome -> settle(generation, outcome, ranks));
    }

    /** No rank has reported an image of this epoch or a later one, also none that has died since. */
    int unheardOf() {
        return ledger.unheardOf();
    }

    /** The last committed epoch, or null. */
    @Nullable
    EpochManifest latest() {
        return latest;
    }

    /** Whether that one cannot be used any more. */
    boolean isLatestAside() {
        return isLatestAside;
    }

    private void settle(int generation, EpochLedger.Outcome outcome, RankSlot... ranks) {
        if (!(outcome instanceof EpochLedger.Outcome.Open)) {
            wanted = null;
        }
        switch (outcome) {
            case EpochLedger.Outcome.Open open -> {}
            case EpochLedger.Outcome.Committed committed -> {
                if (!isLatestAside) {
                    beforeLatest = latest;
                }
                latest = committed.manifest();
                isLatestAside = false;
                usableEpoch = latestEpoch();
                latestNanos = nanoTime.getAsLong();
                givenUp = null;
                // one writer, many readers
                int before = committedCount;
                committedCount = before + 1;
                int epoch = committed.manifest().id().epoch();
                if (epoch == incompleteEpoch && !late.isEmpty()) {
                    say.accept("snapshot " + epoch + " is complete, after "
                            + Durations.seconds(latestNanos - incompleteNanos));
                }
                announcements.committed(new Coordination.Committed(generation, epoch));
                ControlMessage.EpochCommitted message = new ControlMessage.EpochCommitted(epoch);
                for (RankSlot rank : ranks) {
                    rank.tell(message);
                }
                answer(message);
                if (drills != null) {
                    drills.begin(committed.manifest());
                }
            }
            case EpochLedger.Outcome.Abandoned abandoned -> {
                givenUp = abandoned;
                say.accept("snapshot " + abandoned.epoch() + " was given up, the job goes on: " + abandoned.reason());
                ControlMessage.SnapshotFailed message =
                        new ControlMessage.SnapshotFailed(abandoned.epoch(), abandoned.reason());
                for (RankSlot rank : ranks) {
                    rank.tell(message);
                }
                answer(message);
            }
        }
    }

    /** Tells of an epoch of which images are missing for long: nothing fails, and no later one is begun. */
    void tick(long nowNanos, RankSlot... ranks) {
        EpochLedger.Incomplete now = ledger.incomplete();
        int epoch = now == null ? -1 : now.epoch();
        if (epoch != incompleteEpoch) {
            incompleteEpoch = epoch;
            incompleteNanos = nowNanos;
            late = "";
        }
        if (now == null || !late.isEmpty()) {
            return;
        }
        long patienceSeconds = PATIENCE_SECONDS + now.largestBytes() / SLOW_BYTES_PER_SECOND;
        if (nowNanos - incompleteNanos >= TimeUnit.SECONDS.toNanos(patienceSeconds)) {
            late = "snapshot " + epoch + " is not complete after " + patienceSeconds + " s: " + missing(now, ranks);
            say.accept(late
                    + ". Its disk may hang or be slow, or it makes no MPI call. The job goes on; there is no later snapshot until"
                    + " this one is complete or given up");
        }
    }

    private static String missing(EpochLedger.Incomplete epoch, RankSlot... ranks) {
        String first = ranks[epoch.missing().getFirst()].name();
        int others = epoch.missing().size() - 1;
        return "the image of " + first + (others == 0 ? "" : ", and of " + others + " more,") + " is missing";
    }

    /** A restore drill has ended; a snapshot that fails it is not used, and another one is asked for. */
    void drilled(JobEvent.Drilled event, Ranks ranks) throws IOException {
        EpochId id = event.result().id();
        String problem = event.result().problem();
        String where = "rank " + event.worldRank() + (event.host().isEmpty() ? "" : " at host " + event.host());
        String what = "epoch " + id.epoch() + ", " + where;
        switch (event.result().verdict()) {
            case AS_CAPTURED -> drilled = what + ": as captured";
            case OTHER_PROGRAM -> {
                drilled = what + ": as captured, but not of this program: " + problem;
                if (misfits.add(problem)) {
                    String remedy = event.host().isEmpty()
                            ? "put the program back as it was, or it ends with the first rank that dies"
                            : "give that host the JDK and the files that it had when the job began, or the job ends"
                                    + " when a rank goes back there";
                    say.accept("snapshot " + id.epoch() + " is whole, but " + where + " could not go back to it now: "
                            + problem + ". The job goes on; " + remedy);
                }
            }
            case DAMAGED -> {
                if (event.remedy().words().isEmpty()) {
                    unusable(id, where, problem, ranks);
                } else {
                    mended(id, where, problem, event.remedy(), ranks);
                }
            }
        }
    }

    private void mended(EpochId id, String where, String problem, Drills.Remedy remedy, Ranks ranks)
            throws IOException {
        if (!ledger.isCommitted(id)) {
            return; // removed under the drill: nobody's concern
        }
        String found = "was damaged (" + problem + "); " + remedy.words();
        drilled = "epoch " + id.epoch() + ", " + where + ": " + found;
        say.accept("snapshot " + id.epoch() + ": the image of " + where + " " + found);
        if (!remedy.isWhole()) {
            // increments to it would be as bad there
            want(ControlMessage.CheckpointNow.FULL, ranks);
        }
    }

    private void unusable(EpochId id, String where, String problem, Ranks ranks) throws IOException {
        EpochLedger.Drilled outcome = ledger.drillFailed(id, "drill: " + problem);
        if (outcome == EpochLedger.Drilled.PAST) {
            return;
        }
        boolean isAside = outcome == EpochLedger.Drilled.PUT_ASIDE;
        drilled = "epoch " + id.epoch() + ", " + where + ": " + problem;
        isLatestAside |= isAside && latest != null && latest.id().equals(id);
        usableEpoch = ledger.committed().stream()
                .findFirst()
                .map(manifest -> manifest.id().epoch())
                .orElse(-1);
        say.accept("snapshot " + id.epoch() + " would not restore (" + where + ": " + problem + "): "
                + (isAside
                        ? "it was moved to quarantine, another one is taken"
                        : "a full one is taken; this one stays, as a later one refers to it"));
        want(ControlMessage.CheckpointNow.FULL, ranks);
    }

    /** How the last drill went, or an empty text. */
    String drilled() {
        return drilled;
    }

    /** Rank 0 has chosen how often snapshots are taken: said at first, and when it is less than half or more than twice that. */
    void pace(ControlMessage.Pace chosen) {
        pace = chosen.words();
        long interval = chosen.intervalNanos();
        if (saidIntervalNanos == 0 || interval > 2 * saidIntervalNanos || interval < saidIntervalNanos / 2) {
            saidIntervalNanos = interval;
            say.accept("checkpoint auto: " + pace);
        }
    }

    /** Interval and expected waste where they are chosen by cost, or an empty text. */
    String pace() {
        return pace;
    }

    /** Nothing is drilled any more. Any thread may call. */
    void endDrills() {
        if (drills != null) {
            drills.end();
        }
    }

    /** mpjctl waits for the next epoch. */
    void ask(ControlLine asker) {
        askers.add(asker);
    }

    /** Asks the ranks for an epoch now; those of another life as well, should this one end before. */
    void want(String reason, Ranks ranks) {
        wanted = reason;
        remind(ranks);
    }

    /** All ranks are there, maybe in another life than when an epoch was asked for. */
    void remind(Ranks ranks) {
        if (wanted != null) {
            ranks.tell(new ControlMessage.CheckpointNow(wanted));
        }
    }

    private void answer(ControlMessage message) {
        for (ControlLine asker : askers) {
            try (asker) {
                asker.send(message);
            } catch (IOException e) {
                // mpjctl has not waited
            }
        }
        askers.clear();
    }

    private void sayUnusable(SnapshotStore.Skipped skipped) {
        say.accept(skipped.id() + " cannot be used: " + skipped.reason()
                + (skipped.isDamaged() ? "; it was moved to quarantine" : ""));
    }

    /**
     * Chooses the epoch to go back to, every byte of it read, and says which ones cannot be used.
     *
     * @param isWaitedFor which of the later epochs must not be passed over, as they may be there another time
     * @throws HostsAwayException if one of them cannot be read now
     */
    @Nullable
    EpochManifest resumePoint(Predicate<SnapshotStore.Skipped> isWaitedFor) throws IOException {
        EpochLedger.ResumePoint point = ledger.resumePoint();
        // while the job waits for hosts, epochs are chosen among again and again
        point.skipped().stream().filter(saidSkipped::add).forEach(this::sayUnusable);
        EpochManifest manifest = point.manifest();
        for (SnapshotStore.Skipped skipped : ledger.passedOver()) {
            if (isWaitedFor.test(skipped)) {
                throw new HostsAwayException(
                        skipped.id() + " cannot be read now: " + skipped.reason(),
                        "with --earlier it goes on from "
                                + (manifest == null
                                        ? "its beginning"
                                        : manifest.id().toString())
                                + " instead");
            }
        }
        usableEpoch = point.resumeEpoch();
        if (manifest == null || latest == null || !manifest.id().equals(latest.id())) {
            latest = manifest;
            isLatestAside = false;
            latestNanos = 0;
        }
        return manifest;
    }

    /** All ranks are about to start from there; later epochs are not gone back to any more. */
    void begin() throws IOException {
        ledger.begin()
                .forEach(id -> say.accept(id + " was moved to quarantine: the job goes on from an earlier state"));
    }

    void beginGeneration(int generation) throws IOException {
        incompleteEpoch = -1;
        late = "";
        ledger.beginGeneration(generation);
    }

    /** A rank could not take its state back. */
    void restoreFailed(int worldRank, ControlMessage.RestoreFailed message) throws IOException {
        boolean bad = ledger.restoreFailed(worldRank, message.reason());
        say.accept("snapshot " + message.epoch() + " does not restore (rank " + worldRank + ": " + message.reason()
                + ")" + (bad ? ": it was moved to quarantine, the one before is used" : ": trying once more"));
    }

    /** Number of epochs committed by this launcher. Any thread may ask. */
    int committedCount() {
        return committedCount;
    }

    /** " (0.2 s lost)": what was done between the last epoch and a time; empty where that is not known. */
    String lost(long nanos) {
        return latestNanos == 0 ? "" : " (" + Durations.seconds(nanos - latestNanos) + " lost)";
    }

    /** Which epoch that was begun has come to nothing, or takes too long, and why, if none was committed since; else an empty text. */
    String unfinished() {
        if (!late.isEmpty() && ledger.incomplete() != null) {
            return late;
        }
        return givenUp == null ? "" : "snapshot " + givenUp.epoch() + " was given up: " + givenUp.reason();
    }

    /** " (reason)": why the last epoch that was begun came to nothing; empty if it did not. */
    String givenUp() {
        return givenUp == null ? "" : " (" + givenUp.reason() + ")";
    }

    /** The last epoch that the job would go back to now, as far as is known, or −1. */
    int usableEpoch() {
        return usableEpoch;
    }

    /** The last committed epoch, or −1; also where a drill has put it aside since. */
    int latestEpoch() {
        return latest == null ? -1 : latest.id().epoch();
    }

    /** Position of standard input at the cut of the older one of the two epochs that are kept: the later one may be damaged. */
    long keptStdin() {
        return beforeLatest == null ? 0 : beforeLatest.images().getFirst().stdinBytes();
    }
}
