package org.gridmpj.checkpoint;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the snapshots of one job are kept.
 *
 * <pre>
 *   every rank                                            the launcher
 *   create ─▶ write … ─▶ seal   (read again, forced,
 *                                renamed)   ── reported ─▶ commit    the manifest is renamed last: the epoch is real
 *                        close  (nothing is left)          abandon   nothing is left
 *                                                          retain    older epochs go
 *   open ◀──────────────────────────────────────────────── latestCommitted, after a crash
 * </pre>
 *
 * <p>The ranks' methods may be called by all ranks at once, from different processes. Those of the launcher are called by
 * one process, the holder of the job's lock, from one thread at a time. An epoch that is not committed is never seen by
 * {@link #latestCommitted}, whatever happened in between.
 */
public interface SnapshotStore {
    /** Begins the image of one rank. */
    PendingImage create(EpochId id, int worldRank) throws IOException;

    /** Opens an image of a committed epoch. */
    SeekableByteChannel open(EpochManifest manifest, int worldRank) throws IOException;

    /** Opens an image by the name that {@link PendingImage#seal} gave it: one that another image refers to. */
    SeekableByteChannel openFile(String file) throws IOException;

    /** Makes an epoch real; returns when that is forced to disk. */
    void commit(EpochManifest manifest) throws IOException;

    /** Removes what there is of an epoch that was not committed. */
    void abandon(EpochId id) throws IOException;

    /**
     * Keeps that many of the newest committed epochs, and those that their images are increments to; removes what is
     * older, uncommitted leftovers too.
     */
    void retain(int epochs) throws IOException;

    /** Removes leftovers of epochs that were not committed before this generation began. */
    void sweep(int generation) throws IOException;

    /** The committed epochs that are not in quarantine, newest first. Manifests that cannot be read are left out. */
    List<EpochManifest> committed() throws IOException;

    /**
     * Those of them that can be gone back to as far as this folder knows: not those that are kept as what later ones are increments
     * to, while what they are increments to themselves is gone. For the launcher's folder, which has the manifests of all epochs;
     * a host's has those only of which it has images.
     */
    List<EpochManifest> restorable() throws IOException;

    /** The newest committed epoch with this number, or null. */
    default @Nullable EpochManifest find(int epoch) throws IOException {
        return committed().stream()
                .filter(manifest -> manifest.id().epoch() == epoch)
                .findFirst()
                .orElse(null);
    }

    /** The newest epoch whose files are all there and whole, every byte read and checked; and why others are not. */
    Selection latestCommitted() throws IOException;

    /** Moves a committed epoch aside with the reason: it is not chosen again. A few such are kept as evidence. */
    void quarantine(EpochId id, String reason) throws IOException;

    /**
     * Notes that an epoch did not restore.
     *
     * @return how often this epoch has failed by now, kept over a restart of the launcher
     */
    int countRestoreFailure(EpochId id, String reason) throws IOException;

    /** An image being written. Closing it before {@link #seal} leaves nothing behind. */
    interface PendingImage extends Closeable {
        /** What the image is written to. */
        WritableByteChannel channel();

        /**
         * Forces the image to disk, reads it again and compares it with what was written, and gives it its name.
         *
         * @return the name, for the manifest
         * @throws ImageCorruptException if the disk does not give back what was written
         */
        String seal(ImageSummary written) throws IOException;
    }

    /**
     * An epoch to go back to.
     *
     * @param manifest null if there is none
     * @param skipped newer epochs that cannot be used, each with its reason, newest first
     */
    record Selection(@Nullable EpochManifest manifest, List<Skipped> skipped) {}

    /**
     * An epoch that cannot be used.
     *
     * @param reason why
     * @param isDamaged whether it never will be, and is still where it was
     * @param isUnknown whether it may be whole: somebody who has it has not answered
     */
    record Skipped(EpochId id, String reason, boolean isDamaged, boolean isUnknown) {}
}
