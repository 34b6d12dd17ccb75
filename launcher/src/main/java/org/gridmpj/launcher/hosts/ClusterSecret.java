package org.gridmpj.launcher.hosts;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.UserFolders;

/**
 * The secret that a user's launchers and agents share: a file, the same on all hosts, that only its owner may read.
 * Whoever has it may run any program as that user on every host with an agent, as with an ssh key without a passphrase.
 *
 * <pre>
 *   GRIDMPJ_CLUSTER_SECRET, else XDG_CONFIG_HOME/gridmpj/cluster-secret, else ~/.config/gridmpj/cluster-secret
 * </pre>
 */
public final class ClusterSecret {
    private static final Set<PosixFilePermission> OWNERS =
            EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);

    private ClusterSecret() {}

    /** Where the file is. */
    public static Path file(Map<String, String> variables) {
        String own = variables.getOrDefault("GRIDMPJ_CLUSTER_SECRET", "");
        if (!own.isBlank()) {
            return Path.of(own).toAbsolutePath();
        }
        String xdg = variables.getOrDefault("XDG_CONFIG_HOME", "");
        Path config = xdg.isBlank() ? Path.of(System.getProperty("user.home", "."), ".config") : Path.of(xdg);
        return config.resolve("gridmpj").resolve("cluster-secret").toAbsolutePath();
    }

    /** Reads the file; refuses one that others may read or write. */
    public static JobSecret read(Path file) {
        try {
            if (file.getFileSystem().supportedFileAttributeViews().contains("posix")
                    && !OWNERS.containsAll(Files.getPosixFilePermissions(file))) {
                throw new UserError(
                        1, "others than its owner may use " + file + ": chmod 600 it, and make a new one if they did");
            }
            return JobSecret.read(file);
        } catch (NoSuchFileException e) {
            throw new UserError(
                    1,
                    "there is no cluster secret " + file + ": mpjagent --make-secret makes one, which belongs on all"
                            + " hosts of the cluster (GRIDMPJ_CLUSTER_SECRET names another file)");
        } catch (IOException e) {
            throw new UserError(1, "the cluster secret " + file + " cannot be read: " + e);
        }
    }

    /** Makes a new one where there is none. */
    public static void make(Path file) {
        try {
            Path folder = file.getParent();
            if (folder != null) {
                UserFolders.createOwnerOnly(folder);
            }
            if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNERS));
            } else {
                Files.createFile(file);
            }
            Files.writeString(file, JobSecret.random().text());
        } catch (FileAlreadyExistsException e) {
            throw new UserError(1, "there is a cluster secret " + file + " already: it stays as it is");
        } catch (IOException e) {
            throw new UserError(1, "the cluster secret " + file + " cannot be made: " + e);
        }
    }
}
