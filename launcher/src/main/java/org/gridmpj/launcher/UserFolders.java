package org.gridmpj.launcher;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The user's own folder of GridMPJ: jobs, compiled source files, start-up caches.
 *
 * <pre>
 *   GRIDMPJ_CACHE_DIR, else XDG_CACHE_HOME/gridmpj, else ~/Library/Caches/gridmpj on macOS, else ~/.cache/gridmpj
 *     jobs/NAME/       one folder per job
 *     programs/HASH/   classes of a source file
 *     startup/         AOT caches, by JDK and jar
 * </pre>
 *
 * All of it is readable by the owner only.
 */
public record UserFolders(Path root) {
    /** Variable that names the folder. */
    static final String VARIABLE = "GRIDMPJ_CACHE_DIR";

    /** The folders of this user. */
    public static UserFolders of(Map<String, String> variables) {
        String own = variables.getOrDefault(VARIABLE, "");
        if (!own.isBlank()) {
            return new UserFolders(Path.of(own).toAbsolutePath());
        }
        String xdg = variables.getOrDefault("XDG_CACHE_HOME", "");
        if (!xdg.isBlank()) {
            return new UserFolders(Path.of(xdg, "gridmpj").toAbsolutePath());
        }
        Path home = Path.of(System.getProperty("user.home", "."));
        boolean mac = System.getProperty("os.name", "").startsWith("Mac");
        Path caches = mac ? home.resolve("Library").resolve("Caches") : home.resolve(".cache");
        return new UserFolders(caches.resolve("gridmpj").toAbsolutePath());
    }

    /** One folder per job. */
    public Path jobs() {
        return root.resolve("jobs");
    }

    /** One folder per compiled source file. */
    public Path programs() {
        return root.resolve("programs");
    }

    /** Caches that make JVMs start faster. */
    public Path startup() {
        return root.resolve("startup");
    }

    /** Removes a folder and all in it, if it is there. */
    public static void removeTree(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** Creates a folder, and those above it, for the owner only. */
    public static Path createOwnerOnly(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return folder;
        }
        Path parent = folder.toAbsolutePath().getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        try {
            return createNewOwnerOnly(folder);
        } catch (FileAlreadyExistsException e) {
            if (Files.isDirectory(folder)) {
                return folder; // another thread was quicker
            }
            throw e;
        }
    }

    /**
     * Creates a folder for the owner only that nobody else has made.
     *
     * @throws FileAlreadyExistsException if there is something of this name
     */
    public static Path createNewOwnerOnly(Path folder) throws IOException {
        boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        return posix
                ? Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
                : Files.createDirectory(folder);
    }
}
