package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Snapshots hold what programs know: only their owner may read them. */
final class OwnerOnly {
    private static final FileAttribute<?>[] NONE = {};

    private OwnerOnly() {}

    /** Creates a folder and those above it that are missing. */
    static void createFolders(Path folder) throws IOException {
        Files.createDirectories(folder, attributes(folder, "rwx------"));
    }

    /** Attributes for a new file. */
    static FileAttribute<?>[] file(Path file) {
        return attributes(file, "rw-------");
    }

    /** Opens a file; if that makes it, only its owner may read it. */
    static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(file, Set.of(options), file(file));
    }

    private static FileAttribute<?>[] attributes(Path path, String permissions) {
        if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            return NONE;
        }
        return new FileAttribute<?>[] {
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        };
    }
}
