package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Snapshots in a folder of a file system, owner-only.
 *
 * <pre>
 *   JOB/
 *     g0-e7/                   one folder per epoch, named by generation and epoch
 *       rank-0.image           rank-0.image.tmp while it is written
 *       rank-1.image
 *       manifest               manifest.tmp before; its name makes the epoch real
 *       restore-failures       only if it did not restore: a line for each time
 *     quarantine/
 *       g0-e6/                 an epoch that is not to be used again, as it was, and a file with the reason
 * </pre>
 *
 * Order of what reaches the disk: bytes of the image, its name, the names of all images, bytes of the manifest, its name.
 * Removal goes the other way round: first the manifest.
 */
public final class FileSnapshotStore implements SnapshotStore {
    private static final Pattern IMAGE = Pattern.compile("g\\d{1,9}-e\\d{1,9}/rank-\\d{1,9}\\.image");
    private static final String MANIFEST = "manifest";
    private static final String RESTORE_FAILURES = "restore-failures";
    private static final String TEMPORARY = ".tmp";

    private final Path folder;
    private final EpochFolders epochs;
    private final Quarantine quarantine;
    private final ImageSite images;
    private final FolderForce names;
    private final ForcedAlong.Background forcing;
    private boolean pathForced;

    private FileSnapshotStore(Path folder, FolderForce names, ForcedAlong.Background forcing) {
        this.folder = folder;
        this.epochs = new EpochFolders(folder);
        this.quarantine = new Quarantine(epochs);
        this.images = new OwnFolder();
        this.names = names;
        this.forcing = forcing;
    }

    private FileSnapshotStore(Path folder, ImageSite images) {
        this.folder = folder;
        this.epochs = new EpochFolders(folder);
        this.quarantine = new Quarantine(epochs);
        this.images = images;
        this.names = FolderForce.DISK;
        this.forcing = ForcedAlong.Background.THREADS;
    }

    /** The snapshots of a job under a folder that may hold those of others too. */
    public static FileSnapshotStore of(Path root, String jobName) {
        if (!jobName.matches("[\\w.-]+") || jobName.startsWith(".")) {
            throw new IllegalArgumentException("job name \"" + jobName + "\" cannot be the name of a folder");
        }
        return at(root.resolve(jobName));
    }

    /** The snapshots of the one job whose folder this is. */
    public static FileSnapshotStore at(Path folder) {
        return at(folder, FolderForce.DISK);
    }

    /** As {@link #at(Path)}, on a disk that may lose what is not forced. */
    static FileSnapshotStore at(Path folder, FolderForce names) {
        return new FileSnapshotStore(folder, names, ForcedAlong.Background.THREADS);
    }

    /** As {@link #at(Path)}, with another one who forces images while they are read again. */
    static FileSnapshotStore at(Path folder, ForcedAlong.Background forcing) {
        return new FileSnapshotStore(folder, FolderForce.DISK, forcing);
    }

    /** The book of a job whose images are elsewhere: this folder has the manifests only. */
    public static FileSnapshotStore at(Path folder, ImageSite images) {
        return new FileSnapshotStore(folder, images);
    }

    /** Where the snapshots of this job are. */
    public Path folder() {
        return folder;
    }

    @Override
    public PendingImage create(EpochId id, int worldRank) throws IOException {
        Path epochFolder = epochs.of(id);
        OwnerOnly.createFolders(epochFolder);
        Path image = epochFolder.resolve("rank-" + worldRank + ".image");
        Path temporary = temporary(image);
        Files.deleteIfExists(temporary);
        return new PendingFile(image, temporary, OwnerOnly.open(temporary, CREATE_NEW, WRITE, READ));
    }

    @Override
    public SeekableByteChannel open(EpochManifest manifest, int worldRank) throws IOException {
        return openFile(manifest.images().get(worldRank).file());
    }

    @Override
    public SeekableByteChannel openFile(String file) throws IOException {
        if (!IMAGE.matcher(file).matches()) {
            throw new ImageCorruptException("\"" + file + "\" is no name of an image");
        }
        return FileChannel.open(folder.resolve(file), READ);
    }

    @Override
    public void commit(EpochManifest manifest) throws IOException {
        Path epochFolder = epochs.of(manifest.id());
        for (RankImage image : manifest.images()) {
            images.require(image);
        }
        OwnerOnly.createFolders(epochFolder);
        Path file = epochFolder.resolve(MANIFEST);
        Path temporary = temporary(file);
        Files.deleteIfExists(temporary);
        try (FileChannel channel = OwnerOnly.open(temporary, CREATE_NEW, WRITE)) {
            DurableText.write(channel, manifest.text());
            CrashPoint.hit("manifest.written");
            channel.force(true);
        }
        CrashPoint.hit("manifest.forced");
        // The epoch's folder must be on disk before its epoch can be real, and so must all that it is in.
        names.force(folder);
        forcePathOnce();
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        CrashPoint.hit("manifest.renamed");
        try {
            names.force(epochFolder);
        } catch (IOException e) {
            // Seen, but perhaps gone after a power cut: older epochs must not be removed for it.
            Files.deleteIfExists(file);
            throw e;
        }
        CrashPoint.hit("manifest.durable");
    }

    /** The folders above may be as new as this one: nobody has forced their names before the first epoch. */
    private void forcePathOnce() throws IOException {
        if (pathForced) {
            return;
        }
        for (Path above = folder.toAbsolutePath().getParent(); above != null; above = above.getParent()) {
            names.force(above);
        }
        pathForced = true;
    }

    @Override
    public void abandon(EpochId id) throws IOException {
        if (isCommitted(id)) {
            throw new IllegalStateException(id + " is committed and cannot be abandoned");
        }
        remove(id);
    }

    @Override
    public void retain(int kept) throws IOException {
        List<EpochManifest> committed = restorable();
        if (committed.size() < kept) {
            return;
        }
        EpochId newest = committed.getFirst().id();
        EpochId oldestKept = committed.subList(0, kept).stream()
                .map(EpochManifest::oldestNeeded)
                .min(Comparator.naturalOrder())
                .orElse(newest);
        // the oldest first: what is left is never an increment to what is gone without isOnlyBase() knowing it
        for (EpochId id : epochs.ids().reversed()) {
            boolean old = id.compareTo(oldestKept) < 0;
            boolean leftover = id.compareTo(newest) < 0 && !isCommitted(id);
            if (old || leftover) {
                remove(id);
            }
        }
    }

    @Override
    public void sweep(int generation) throws IOException {
        Set<EpochId> committed = new HashSet<>();
        for (EpochId id : epochs.ids()) {
            if (isCommitted(id)) {
                committed.add(id);
            } else if (id.generation() < generation) {
                remove(id);
            }
        }
        images.sweep(generation, committed);
    }

    @Override
    public List<EpochManifest> committed() throws IOException {
        List<EpochManifest> manifests = new ArrayList<>();
        for (EpochId id : epochs.ids()) {
            if (isCommitted(id)) {
                readableManifest(id).ifPresent(manifests::add);
            }
        }
        return manifests;
    }

    @Override
    public List<EpochManifest> restorable() throws IOException {
        return committed().stream().filter(manifest -> !isOnlyBase(manifest)).toList();
    }

    @Override
    public Selection latestCommitted() throws IOException {
        List<Skipped> skipped = new ArrayList<>();
        EpochManifest usable = null;
        for (EpochId id : epochs.ids()) {
            if (!isCommitted(id)) {
                continue;
            }
            try {
                EpochManifest manifest = readManifest(id);
                if (isOnlyBase(manifest)) {
                    skipped.add(new Skipped(
                            id,
                            "it was kept for what later ones refer to; what it refers to itself, from "
                                    + manifest.oldestNeeded() + " on, is not kept any more",
                            false,
                            false));
                    continue;
                }
                verify(manifest);
                // A launcher that died in commit() may have left the name unforced; later epochs count on this one.
                names.force(epochs.of(id));
                usable = manifest;
                break;
            } catch (IOException e) {
                skipped.add(new Skipped(
                        id,
                        reason(e),
                        e instanceof ImageCorruptException && images.isOwnFolder(),
                        e instanceof ImagesUnknownException));
            }
        }
        for (EpochId id : quarantine.ids()) {
            if (usable == null || id.compareTo(usable.id()) > 0) {
                skipped.add(new Skipped(id, "it is in quarantine: " + quarantine.reason(id), false, false));
            }
        }
        skipped.sort(Comparator.comparing(Skipped::id).reversed());
        return new Selection(usable, List.copyOf(skipped));
    }

    @Override
    public void quarantine(EpochId id, String reason) throws IOException {
        quarantine.admit(id, reason);
    }

    @Override
    public int countRestoreFailure(EpochId id, String reason) throws IOException {
        Path file = epochs.of(id).resolve(RESTORE_FAILURES);
        DurableText.append(file, reason);
        try (Stream<String> lines = Files.lines(file)) {
            return (int) lines.count();
        }
    }

    /** Checks that all images of an epoch are there and whole. */
    private void verify(EpochManifest manifest) throws IOException {
        for (RankImage image : manifest.images()) {
            images.verify(manifest, image);
        }
    }

    /** The images are where the manifests are. */
    private final class OwnFolder implements ImageSite {
        @Override
        public void require(RankImage image) throws IOException {
            if (!Files.exists(folder.resolve(image.file()))) {
                throw new NoSuchFileException(folder.resolve(image.file()).toString());
            }
        }

        @Override
        public void verify(EpochManifest manifest, RankImage image) throws IOException {
            try (ImageReader reader =
                    ImageReader.open(open(manifest, image.worldRank()), FileSnapshotStore.this::openFile)) {
                if (!reader.summary().equals(new ImageSummary(image.bytes(), image.crc32c()))
                        || !reader.header().id().equals(manifest.id())
                        || !reader.header().jobName().equals(manifest.jobName())
                        || reader.header().worldRank() != image.worldRank()) {
                    throw new ImageCorruptException("it is not the one that was committed");
                }
                reader.verify();
            } catch (NoSuchFileException e) {
                throw new ImageCorruptException("the image of rank " + image.worldRank() + " is missing");
            } catch (IOException e) {
                throw new ImageCorruptException("the image of rank " + image.worldRank() + " is damaged: " + reason(e));
            }
        }

        @Override
        public boolean isOwnFolder() {
            return true;
        }

        @Override
        public void sweep(int generation, Set<EpochId> committed) {
            // they go with the folders
        }

        @Override
        public void removed(EpochId id) {
            // they go with the folder
        }
    }

    /** The manifest, or nothing where {@link #latestCommitted} will say why the epoch cannot be used. */
    private Optional<EpochManifest> readableManifest(EpochId id) throws IOException {
        try {
            return Optional.of(readManifest(id));
        } catch (ImageCorruptException | NoSuchFileException e) {
            return Optional.empty();
        }
    }

    private EpochManifest readManifest(EpochId id) throws IOException {
        // bytes that are no UTF-8 fail the checksum too
        EpochManifest manifest =
                EpochManifest.parse(new String(Files.readAllBytes(epochs.of(id).resolve(MANIFEST)), UTF_8));
        if (!manifest.id().equals(id)) {
            throw new ImageCorruptException("the manifest is that of " + manifest.id());
        }
        return manifest;
    }

    /**
     * Whether an epoch is kept for the sake of later ones alone. Increments are by rank: where the image of one rank is what
     * later ones refer to, that of another may be an increment to an epoch that was removed as it should.
     */
    private boolean isOnlyBase(EpochManifest manifest) {
        return !isCommitted(manifest.oldestNeeded());
    }

    private boolean isCommitted(EpochId id) {
        return Files.exists(epochs.of(id).resolve(MANIFEST));
    }

    private void remove(EpochId id) throws IOException {
        Path epochFolder = epochs.of(id);
        images.removed(id);
        if (!Files.exists(epochFolder)) {
            return;
        }
        if (Files.deleteIfExists(epochFolder.resolve(MANIFEST))) {
            names.force(epochFolder);
            CrashPoint.hit("remove.manifest");
        }
        epochs.remove(id);
        names.force(folder);
    }

    private static Path temporary(Path file) {
        return file.resolveSibling(file.getFileName() + TEMPORARY);
    }

    private static String reason(IOException e) {
        boolean isOwn = e instanceof ImageCorruptException || e instanceof ImagesUnknownException;
        return isOwn && e.getMessage() != null ? e.getMessage() : e.toString();
    }

    /** An image in its temporary file. */
    private final class PendingFile implements PendingImage {
        private final Path image;
        private final Path temporary;
        private final ForcedAlong channel;
        private boolean sealed;

        PendingFile(Path image, Path temporary, FileChannel channel) {
            this.image = image;
            this.temporary = temporary;
            this.channel = new ForcedAlong(channel, forcing);
        }

        @Override
        public WritableByteChannel channel() {
            return channel;
        }

        @Override
        public String seal(ImageSummary written) throws IOException {
            CrashPoint.hit("image.written");
            channel.forceRest();
            try (ImageReader reader =
                    ImageReader.open(FileChannel.open(temporary, READ), FileSnapshotStore.this::openFile)) {
                if (!reader.summary().equals(written)) {
                    throw new ImageCorruptException(temporary + " does not read as it was written");
                }
                reader.verifyFile();
            }
            CrashPoint.hit("image.verified");
            channel.awaitForced();
            channel.close();
            CrashPoint.hit("image.forced");
            Files.move(temporary, image, StandardCopyOption.ATOMIC_MOVE);
            sealed = true;
            CrashPoint.hit("image.renamed");
            names.force(Objects.requireNonNull(image.getParent(), "images stand in an epoch's folder"));
            CrashPoint.hit("image.durable");
            return folder.relativize(image).toString().replace('\\', '/');
        }

        @Override
        public void close() throws IOException {
            channel.close();
            if (!sealed) {
                Files.deleteIfExists(temporary);
            }
        }
    }
}
