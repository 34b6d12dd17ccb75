package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The epochs that are not to be used again, as they were, each with a file that says why; the newest few are kept.
 *
 * <pre>
 *   quarantine/
 *     g0-e6/
 *       reason
 *       ...                    what the epoch's folder held
 * </pre>
 */
final class Quarantine {
    private static final String NAME = "quarantine";
    private static final String REASON = "reason";
    /** Evidence is worth a little disk, not all of it. */
    private static final int KEPT = 2;

    private final EpochFolders live;
    private final EpochFolders kept;

    /** The quarantine of the epochs in live, beside them. */
    Quarantine(EpochFolders live) {
        this.live = live;
        this.kept = new EpochFolders(live.folder().resolve(NAME));
    }

    /** The epochs in quarantine, newest first. */
    List<EpochId> ids() throws IOException {
        return kept.ids();
    }

    /** Why an epoch is in quarantine, in a line for people. */
    String reason(EpochId id) throws IOException {
        try {
            return Files.readString(kept.of(id).resolve(REASON)).strip();
        } catch (NoSuchFileException | CharacterCodingException e) {
            return "the reason is not known any more";
        }
    }

    /** Moves a live epoch here, durably, and removes the oldest of those kept. */
    void admit(EpochId id, String reason) throws IOException {
        Path epochFolder = live.of(id);
        OwnerOnly.createFolders(kept.folder());
        // the reason first: a folder in quarantine always has one
        DurableText.append(epochFolder.resolve(REASON), reason);
        kept.remove(id);
        Files.move(epochFolder, kept.of(id), StandardCopyOption.ATOMIC_MOVE);
        FolderForce.DISK.force(kept.folder());
        FolderForce.DISK.force(live.folder());
        List<EpochId> all = kept.ids();
        for (EpochId old : all.subList(Math.min(KEPT, all.size()), all.size())) {
            kept.remove(old);
        }
    }
}
