package org.gridmpj.checkpoint;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.gridmpj.job.control.ControlMessage.SnapshotFailed;
import org.gridmpj.job.control.ControlMessage.SnapshotWritten;
import org.jspecify.annotations.Nullable;

/**
 * The launcher's book of epochs: collects what the ranks report, commits, abandons, and says where to go back to.
 *
 * <pre>
 *   SnapshotWritten of every rank ─▶ Committed(manifest)   tell the ranks EpochCommitted
 *   SnapshotFailed of any rank    ─▶ Abandoned(reason)     say so; the job goes on
 *   a rank died                   ─▶ beginGeneration(g), resumePoint() → resumeEpoch for Welcome
 *   RestoreFailed                 ─▶ restoreFailed(epoch, reason); twice moves it to quarantine; then as if a rank had died
 * </pre>
 *
 * Guarded by its own monitor. Messages of connections of an earlier generation must not be handed in.
 */
public final class EpochLedger {
    /** Committed epochs that are kept. */
    public static final int KEPT_EPOCHS = 2;

    private static final int RESTORE_FAILURES_OF_A_BAD_EPOCH = 2;

    private final SnapshotStore store;
    private final String jobName;
    private final int size;
    private final Map<Integer, TreeMap<Integer, RankImage>> open = new HashMap<>();
    private final Map<Integer, String> abandoned = new HashMap<>();
    private int generation;
    private int refusedBelow;
    /** Of this generation, or −1. */
    private int lastCommitted = -1;
    /** Of those that ranks of this generation have reported. */
    private int highest = -1;

    private @Nullable EpochManifest resumedFrom;
    /** Newer ones than that, which could not be used. */
    private List<SnapshotStore.Skipped> passedOver = List.of();

    /**
     * @param size number of ranks
     * @param generation the job's, from 0; one higher than that of the dead launcher for {@code --resume}
     */
    public EpochLedger(SnapshotStore store, String jobName, int size, int generation) {
        this.store = store;
        this.jobName = jobName;
        this.size = size;
        this.generation = generation;
    }

    /** What became of an epoch. */
    public sealed interface Outcome {
        /**
         * Nothing new: other ranks have yet to report.
         *
         * @param ranksToCome 0 if the epoch was given up before, which has been said
         */
        record Open(int ranksToCome) implements Outcome {}

        /** The epoch is real. */
        record Committed(EpochManifest manifest) implements Outcome {}

        /** The epoch is given up; nothing of it is left. */
        record Abandoned(int epoch, String reason) implements Outcome {}
    }

    /** A rank's image is on disk. */
    public synchronized Outcome written(int worldRank, SnapshotWritten message) {
        highest = Math.max(highest, message.epoch());
        if (abandoned.containsKey(message.epoch())) {
            return abandon(message.epoch(), "");
        }
        if (message.epoch() < refusedBelow) {
            return abandon(message.epoch(), "a rank is going back alone");
        }
        if (message.epoch() < lastCommitted) {
            // copies at other hosts may take their time: what was sent before the later cut is not kept any more
            return abandon(message.epoch(), "a later one is committed already");
        }
        TreeMap<Integer, RankImage> images = open.computeIfAbsent(message.epoch(), epoch -> new TreeMap<>());
        images.put(worldRank, RankImage.of(worldRank, message));
        if (images.size() < size) {
            return new Outcome.Open(size - images.size());
        }
        EpochManifest manifest = new EpochManifest(jobName, id(message.epoch()), List.copyOf(images.values()));
        try {
            store.commit(manifest);
            open.remove(message.epoch());
            lastCommitted = message.epoch();
        } catch (IOException e) {
            return abandon(message.epoch(), "the manifest could not be written: " + e);
        }
        try {
            store.retain(KEPT_EPOCHS);
        } catch (IOException e) {
            // The epoch is real; what could not be removed goes with the next one.
            System.getLogger(EpochLedger.class.getName())
                    .log(System.Logger.Level.WARNING, "old snapshots of " + jobName + " could not be removed", e);
        }
        return new Outcome.Committed(manifest);
    }

    /**
     * An epoch of which some images are there.
     *
     * @param missing ranks whose images are not
     * @param largestBytes of the images that are
     */
    public record Incomplete(int epoch, List<Integer> missing, long largestBytes) {}

    /** The last of the epochs that are under way and have an image; null if there is none. */
    public synchronized @Nullable Incomplete incomplete() {
        int epoch = open.keySet().stream().max(Integer::compare).orElse(-1);
        TreeMap<Integer, RankImage> images = open.get(epoch);
        if (images == null) {
            return null;
        }
        List<Integer> missing = IntStream.range(0, size)
                .filter(rank -> !images.containsKey(rank))
                .boxed()
                .toList();
        long largest =
                images.values().stream().mapToLong(RankImage::bytes).max().orElse(0);
        return new Incomplete(epoch, missing, largest);
    }

    /** A rank could not make its image. */
    public synchronized Outcome failed(int worldRank, SnapshotFailed message) {
        highest = Math.max(highest, message.epoch());
        return abandon(message.epoch(), "rank " + worldRank + ": " + message.reason());
    }

    /**
     * A rank has died and goes back alone to the last committed epoch: no epoch below this number becomes real any more.
     *
     * @return what has become of those under way
     */
    public synchronized List<Outcome> refuseBelow(int epoch) {
        refusedBelow = epoch;
        List<Outcome> outcomes = new ArrayList<>();
        for (int open : List.copyOf(this.open.keySet())) {
            if (open < epoch) {
                outcomes.add(abandon(open, "a rank is going back alone"));
            }
        }
        return outcomes;
    }

    /** No rank of this generation has said anything of this epoch or a later one, also none that has died since. */
    public synchronized int unheardOf() {
        return highest + 1;
    }

    /** All ranks are gone and start anew: what the old timeline had not committed is void. */
    public synchronized void beginGeneration(int newGeneration) throws IOException {
        generation = newGeneration;
        refusedBelow = 0;
        lastCommitted = -1;
        highest = -1;
        open.clear();
        abandoned.clear();
        store.sweep(newGeneration);
    }

    /** Chooses the epoch to go back to, every byte of it checked, and remembers it for {@link #restoreFailed}. */
    public synchronized ResumePoint resumePoint() throws IOException {
        SnapshotStore.Selection selection = store.latestCommitted();
        EpochManifest manifest = selection.manifest();
        if (manifest != null && manifest.size() != size) {
            throw new IOException(manifest.id() + " is of " + manifest.size() + " ranks, the job has " + size);
        }
        resumedFrom = manifest;
        passedOver = selection.skipped();
        for (SnapshotStore.Skipped skipped : selection.skipped()) {
            if (skipped.isDamaged()) {
                store.quarantine(skipped.id(), skipped.reason());
            }
        }
        return new ResumePoint(manifest, selection.skipped());
    }

    /** Later epochs than the one that {@link #resumePoint} gave, which could not be read then, but may be another time. */
    public synchronized List<SnapshotStore.Skipped> passedOver() throws IOException {
        List<SnapshotStore.Skipped> live = new ArrayList<>();
        for (SnapshotStore.Skipped skipped : passedOver) {
            if (isCommitted(skipped.id())) {
                live.add(skipped);
            }
        }
        return live;
    }

    /**
     * All ranks are about to start from the epoch that {@link #resumePoint} gave: {@link #passedOver} ones are put aside. Nobody
     * may go back to one of them from here on: what the program has in files is of an earlier time, and would have a gap.
     *
     * @return those put aside now
     */
    public synchronized List<EpochId> begin() throws IOException {
        List<EpochId> aside = new ArrayList<>();
        for (SnapshotStore.Skipped skipped : passedOver()) {
            store.quarantine(skipped.id(), "an earlier one was gone back to: " + skipped.reason());
            aside.add(skipped.id());
        }
        passedOver = List.of();
        return aside;
    }

    /**
     * A rank could not take back its image of the epoch that {@link #resumePoint} gave. Once per attempt, however many
     * ranks say so.
     *
     * @return whether the epoch is now in quarantine, so that the next {@link #resumePoint} is another one
     */
    public synchronized boolean restoreFailed(int worldRank, String reason) throws IOException {
        EpochManifest manifest = resumedFrom;
        if (manifest == null) {
            return false;
        }
        resumedFrom = null;
        if (!isCommitted(manifest.id())) {
            // a drill has put it aside while the ranks went back to it
            return true;
        }
        String text = "rank " + worldRank + ": " + reason;
        if (store.countRestoreFailure(manifest.id(), text) < RESTORE_FAILURES_OF_A_BAD_EPOCH) {
            return false;
        }
        store.quarantine(manifest.id(), text);
        return true;
    }

    /** What has become of an epoch that a drill has found damaged. */
    public enum Drilled {
        /** It is none of those that a job goes back to: what it is an increment to may be gone, as it should. */
        PAST,
        /** A later one refers to it, so it stays. Whoever goes back reads every byte, and passes over what is damaged. */
        REFERRED_TO,
        /** It is in quarantine. */
        PUT_ASIDE
    }

    /** An image of a committed epoch was found not to be what was captured. */
    public synchronized Drilled drillFailed(EpochId id, String reason) throws IOException {
        List<EpochManifest> kept =
                store.restorable().stream().limit(KEPT_EPOCHS).toList();
        if (kept.stream().noneMatch(manifest -> manifest.id().equals(id))) {
            return Drilled.PAST;
        }
        if (kept.stream()
                .anyMatch(later ->
                        later.id().compareTo(id) > 0 && later.oldestNeeded().compareTo(id) <= 0)) {
            return Drilled.REFERRED_TO;
        }
        store.quarantine(id, reason);
        return Drilled.PUT_ASIDE;
    }

    /** Whether an epoch is real, and has not been removed or put aside since. */
    public synchronized boolean isCommitted(EpochId id) throws IOException {
        return store.restorable().stream().anyMatch(manifest -> manifest.id().equals(id));
    }

    /** The usable committed epochs, newest first. */
    public synchronized List<EpochManifest> committed() throws IOException {
        return store.restorable();
    }

    private Outcome abandon(int epoch, String reason) {
        boolean known = abandoned.putIfAbsent(epoch, reason) != null;
        open.remove(epoch);
        String told = reason;
        try {
            store.abandon(id(epoch));
        } catch (IOException e) {
            told = reason + " (and what there is of it could not be removed: " + e + ")";
        }
        return known ? new Outcome.Open(0) : new Outcome.Abandoned(epoch, told);
    }

    private EpochId id(int epoch) {
        return new EpochId(generation, epoch);
    }

    /**
     * Where a job goes on.
     *
     * @param manifest null to start again from the beginning
     * @param skipped newer epochs that cannot be used, with their reasons: to be told to the user
     */
    public record ResumePoint(@Nullable EpochManifest manifest, List<SnapshotStore.Skipped> skipped) {
        /** For Welcome: the epoch, or −1. */
        public int resumeEpoch() {
            return manifest == null ? -1 : manifest.id().epoch();
        }
    }
}
