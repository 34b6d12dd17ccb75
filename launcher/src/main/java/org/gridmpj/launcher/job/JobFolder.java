package org.gridmpj.launcher.job;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.Json;
import org.gridmpj.launcher.OwnHost;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.runtime.RankEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one job, readable by its owner only.
 *
 * <pre>
 *   lock               held (file lock) by the launcher of the job while it lives
 *   secret             the job's secret; new at each --resume
 *   job.json           what was asked for, and the launcher's process: written whole, forced, renamed
 *   cluster            the name of a job over agents in its cluster
 *   status.json        where the ranks are; written whole, renamed, not forced
 *   coordination       generation, incarnations, committed epoch (see FolderCoordination)
 *   rank-R.stdout      what has been passed on of the program's output, and likewise rank-R.stderr;
 *                      with checkpoints, the length of the file is the offset that a resumed job goes on from
 *   snapshots/         images and manifests, unless --checkpoint-dir names another place
 * </pre>
 *
 * Every JSON document has a member {@code "version": 1}; members may be added within a version, never changed.
 */
public final class JobFolder implements AutoCloseable {
    /** Version of job.json and status.json. */
    public static final int VERSION = 1;

    /** What was asked for; written when the job begins. */
    static final String JOB = "job.json";

    private static final String LOCK = "lock";
    private static final String CLUSTER = "cluster";
    private static final int KEPT_JOBS = 20;
    /** A job that could be resumed is kept for so long. */
    public static final int KEPT_DAYS = 30;

    private static final int NAME_ATTEMPTS = 200;

    private final Path path;
    private final FileChannel lockChannel;

    private JobFolder(Path path, FileChannel lockChannel) {
        this.path = path;
        this.lockChannel = lockChannel;
    }

    /**
     * A new job's folder, under a name that no other job has; folders of old jobs go.
     *
     * @param checkpointDir where a folder of the job's name is made for its snapshots, or null
     */
    static JobFolder create(UserFolders user, @Nullable Path checkpointDir, Random random) {
        try {
            Path jobs = UserFolders.createOwnerOnly(user.jobs());
            prune(jobs);
            for (int attempt = 0; attempt < NAME_ATTEMPTS; attempt++) {
                String name = JobNames.pick(random) + (attempt < NAME_ATTEMPTS / 2 ? "" : "-" + random.nextInt(1000));
                Path path = jobs.resolve(name);
                JobFolder folder = Files.exists(path) ? null : claim(path);
                if (folder != null && folder.hasSnapshotsOfItsOwn(checkpointDir)) {
                    return folder;
                }
            }
            throw new UserError(
                    1,
                    "no free name for a job in " + jobs + (checkpointDir == null ? "" : " and " + checkpointDir)
                            + ": remove folders of old jobs");
        } catch (IOException e) {
            throw new UserError(
                    1,
                    "the job's folder cannot be made in " + user.jobs() + ": " + e.getMessage()
                            + " (GRIDMPJ_CACHE_DIR names another place)");
        }
    }

    private static @Nullable JobFolder claim(Path path) throws IOException {
        try {
            Path _ = UserFolders.createNewOwnerOnly(path);
        } catch (FileAlreadyExistsException e) {
            return null;
        }
        FileChannel channel = lockChannel(path);
        if (tryLock(channel) == null) {
            channel.close();
            return null;
        }
        return new JobFolder(path, channel);
    }

    /** Job and snapshots have one name, so a name goes back if somebody's snapshots have it. */
    private boolean hasSnapshotsOfItsOwn(@Nullable Path checkpointDir) {
        boolean own = false;
        try {
            own = checkpointDir == null || SnapshotFolder.create(checkpointDir.resolve(name()));
        } finally {
            if (!own) {
                removeTree(path);
                close();
            }
        }
        return own;
    }

    /** A job that has come to nothing before it began leaves nothing behind, and its name is free. */
    void removeUnlessBegun(@Nullable Path checkpointDir) {
        if (Files.exists(path.resolve(JOB))) {
            return;
        }
        removeTree(path);
        if (checkpointDir != null) {
            try {
                Files.deleteIfExists(checkpointDir.resolve(name()));
            } catch (IOException e) {
                // only an empty one is nobody's loss
            }
        }
    }

    /** The folder of a job whose launcher is dead; refuses while it lives. */
    static JobFolder takeOver(UserFolders user, String name) {
        Path path = find(user, name);
        try {
            FileChannel channel = lockChannel(path);
            if (tryLock(channel) == null) {
                channel.close();
                throw new UserError(1, "job " + name + " still has a launcher: see mpjctl status " + name);
            }
            return new JobFolder(path, channel);
        } catch (IOException e) {
            throw new UserError(1, "job " + name + " cannot be taken over: " + e.getMessage());
        }
    }

    /** The folder of a job by its name; throws {@link UserError} if there is none. */
    public static Path find(UserFolders user, String name) {
        Path path = user.jobs().resolve(name);
        if (name.isEmpty() || name.contains("/") || name.startsWith(".") || !Files.isDirectory(path)) {
            throw new UserError(1, "there is no job " + name + " in " + user.jobs() + ": see mpjctl ps --all");
        }
        return path;
    }

    /** Whether the launcher of a job lives. */
    public static boolean hasLauncher(Path jobFolder) {
        try (FileChannel channel = FileChannel.open(jobFolder.resolve(LOCK), StandardOpenOption.WRITE)) {
            return tryLock(channel) == null;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Where the launcher is that has written job.json, if that is not where this process could signal it by its pid: the host's
     * name, or null.
     */
    public static @Nullable String launcherElsewhere(Map<String, @Nullable Object> job) {
        return job.get("launcherHost") instanceof String host
                        && job.get("launcherPids") instanceof String pids
                        && !OwnHost.isHere(host, pids)
                ? host
                : null;
    }

    private static FileChannel lockChannel(Path path) throws IOException {
        return FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /**
     * Of jobs that cannot be resumed the newest {@value #KEPT_JOBS} stay; of those that can be, as the user may have been
     * told, as many and all of the last {@value #KEPT_DAYS} days. None goes while it has a launcher.
     */
    private static void prune(Path jobs) throws IOException {
        List<Path> all;
        try (Stream<Path> listed = Files.list(jobs)) {
            all = listed.sorted(Comparator.comparingLong(JobFolder::modifiedMillis))
                    .toList();
        }
        for (Path job : allButTheNewest(all, Use.SPENT)) {
            boolean _ = removeIf(job, Use.SPENT);
        }
        long longAgo = Instant.now().minus(KEPT_DAYS, ChronoUnit.DAYS).toEpochMilli();
        for (Path job : allButTheNewest(all, Use.RESUMABLE)) {
            if (modifiedMillis(job) < longAgo && removeIf(job, Use.RESUMABLE)) {
                System.err.println("job " + job.getFileName()
                        + " was removed: it could have been resumed, but has not been" + " for " + KEPT_DAYS + " days");
            }
        }
    }

    private static List<Path> allButTheNewest(List<Path> jobs, Use use) {
        List<Path> alike = jobs.stream().filter(job -> use(job) == use).toList();
        return alike.subList(0, Math.max(0, alike.size() - KEPT_JOBS));
    }

    /** Its lock is kept meanwhile: a job that is just being resumed stays, and one that goes is not resumed. */
    private static boolean removeIf(Path job, Use use) {
        try (FileChannel channel = lockChannel(job)) {
            if (tryLock(channel) == null || use(job) != use) {
                return false;
            }
            removeTree(job);
            return true;
        } catch (IOException e) {
            return false; // another launcher is removing the same old folder
        }
    }

    /** What the folder of a job is good for, once its launcher is gone. */
    private enum Use {
        /** Only to look at. */
        SPENT,
        RESUMABLE,
        /** Written by another version. */
        UNKNOWN
    }

    /** Whether this is a job that {@code mpjrun --resume} goes on with: it has no launcher, keeps snapshots and has not ended with 0. */
    public static boolean isResumable(Path job) {
        return !hasLauncher(job) && use(job) == Use.RESUMABLE;
    }

    private static Use use(Path job) {
        try {
            Map<String, @Nullable Object> document = readJson(job.resolve(JOB));
            boolean checkpoints = document.get("request") instanceof Map<?, ?> request
                    && request.get("checkpoint") instanceof String interval
                    && !interval.isEmpty();
            return checkpoints && !Long.valueOf(0).equals(document.get("exitCode")) ? Use.RESUMABLE : Use.SPENT;
        } catch (NoSuchFileException e) {
            return Use.SPENT; // its launcher died before it began, or while it removed it
        } catch (IOException | IllegalArgumentException e) {
            return Use.UNKNOWN;
        }
    }

    private static long modifiedMillis(Path path) {
        try {
            return Files.getLastModifiedTime(path).toMillis();
        } catch (IOException e) {
            return 0;
        }
    }

    /** Removes the folder of a job that has no launcher; throws {@link UserError} if it has one. */
    public static void remove(UserFolders user, String name) {
        try (JobFolder folder = takeOver(user, name)) {
            removeTree(folder.path);
        }
        Path left = user.jobs().resolve(name);
        if (Files.exists(left)) {
            throw new UserError(1, "the folder of job " + name + " could not be removed: see what is left in " + left);
        }
    }

    /** What makes it a job goes first; last the lock, which whoever removes it holds. */
    private static void removeTree(Path folder) {
        Path lock = folder.resolve(LOCK);
        removeFile(folder.resolve(JOB));
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(path -> !path.equals(lock) && !path.equals(folder))
                    .sorted(Comparator.reverseOrder())
                    .forEach(JobFolder::removeFile);
        } catch (IOException | UncheckedIOException e) {
            // another launcher is removing the same old folder
        }
        removeFile(lock);
        removeFile(folder);
    }

    private static void removeFile(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // another launcher is removing the same old folder
        }
    }

    /** Folder's place. */
    public Path path() {
        return path;
    }

    /** The job's name. */
    public String name() {
        return path.getFileName().toString();
    }

    /**
     * The job's name in its cluster. A job's name is unique on the host of its first launcher; with that, in the cluster. Later
     * launchers, at whatever host, find the images and the generation by the same name.
     *
     * @param host where this launcher is
     */
    String clusterName(String host) throws IOException {
        String name = clusterName(path, host);
        // a job that has begun without the file has the name that its first launcher's host gives it
        if (!Files.exists(path.resolve(CLUSTER)) && !Files.exists(path.resolve(JOB))) {
            writeWhole(path.resolve(CLUSTER), name + "\n", true);
        }
        return name;
    }

    /**
     * The name in its cluster of the job in a folder.
     *
     * @param host where its first launcher was, if the folder does not say
     */
    public static String clusterName(Path folder, String host) throws IOException {
        Path file = folder.resolve(CLUSTER);
        return Files.exists(file) ? Files.readString(file).strip() : folder.getFileName() + "." + host;
    }

    /** Makes a fresh secret and hands it to the ranks by the owner-only file. */
    JobSecret renewSecret() throws IOException {
        JobSecret secret = JobSecret.random();
        Path file = path.resolve(RankEnvironment.SECRET_FILE);
        Files.deleteIfExists(file);
        if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(file, secret.text());
        return secret;
    }

    /** What has been passed on of one stream of one rank. */
    public static Path log(Path jobFolder, int worldRank, boolean stderr) {
        return jobFolder.resolve("rank-" + worldRank + (stderr ? ".stderr" : ".stdout"));
    }

    /** Writes a document whole; a reader sees the old or the new one. */
    void writeJson(String file, Map<String, @Nullable Object> document, boolean force) throws IOException {
        writeWhole(path.resolve(file), Json.write(document) + "\n", force);
    }

    /** Writes a file whole by rename, forced to disk with its folder on demand. */
    public static void writeWhole(Path target, String text, boolean force) throws IOException {
        writeWhole(target, text.getBytes(StandardCharsets.UTF_8), force);
    }

    static void writeWhole(Path target, byte[] content, boolean force) throws IOException {
        Path temporary = target.resolveSibling(target.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(content);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            if (force) {
                channel.force(true);
            }
        }
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Path folder = target.getParent();
        if (force && folder != null) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            } catch (IOException e) {
                // platforms that cannot open a folder have no such thing to force
            }
        }
    }

    /** Reads a document of this version. */
    public static Map<String, @Nullable Object> readJson(Path file) throws IOException {
        Map<String, @Nullable Object> document;
        try {
            document = Json.parseObject(Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new NoSuchFileException("there is no " + file);
        }
        if (!Long.valueOf(VERSION).equals(document.get("version"))) {
            throw new IOException(file + " is of version " + document.get("version") + ", this is " + VERSION);
        }
        return document;
    }

    @Override
    public void close() {
        try {
            lockChannel.close();
        } catch (IOException e) {
            // the lock ends with the process
        }
    }
}
