package org.gridmpj.launcher.job;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;
import org.gridmpj.launcher.UserError;
import org.gridmpj.launcher.UserFolders;
import org.jspecify.annotations.Nullable;

/**
 * The folder of one job's snapshots in the one that {@code --checkpoint-dir} names. Other users, and launchers on other
 * hosts, may have theirs beside it, and those of old jobs are there still: a new job takes none that it finds, since it
 * would go back to a state that is not its own; and what is resumed runs with the rights of this user, so nobody else may
 * have put it there.
 */
final class SnapshotFolder {
    private SnapshotFolder() {}

    /**
     * Makes the folder of a new job.
     *
     * @return whether it was made; not if there is something of this name
     */
    static boolean create(Path folder) {
        try {
            Path parent = folder.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            Path _ = UserFolders.createNewOwnerOnly(folder);
            return true;
        } catch (FileAlreadyExistsException e) {
            if (folder.toString().equals(e.getFile())) {
                return false;
            }
            throw cannotMake(folder, "there is no folder " + e.getFile());
        } catch (IOException e) {
            throw cannotMake(folder, e.toString());
        }
    }

    private static UserError cannotMake(Path folder, String why) {
        return new UserError(
                1,
                "the job's snapshot folder " + folder + " cannot be made: " + why
                        + ". The job does not start; --checkpoint-dir names another place");
    }

    /** Refuses to resume from a folder that is gone, or that others could have written to. */
    static void requireOwn(Path folder, String jobName) {
        if (!Files.isDirectory(folder)) {
            throw refused(
                    jobName,
                    "its snapshots were in " + folder + ", and there is no such folder now. Bring it back (is its disk"
                            + " mounted?), or start the program anew with mpjrun -np");
        }
        String why;
        try {
            why = problem(folder);
        } catch (IOException e) {
            throw refused(
                    jobName,
                    "its snapshot folder " + folder + " cannot be used (" + e
                            + "). It is to belong to you and to be writable for you");
        }
        if (why != null) {
            throw refused(jobName, why);
        }
    }

    private static UserError refused(String jobName, String why) {
        return new UserError(1, "job " + jobName + " is not resumed: " + why);
    }

    /** Compares with what this user makes there now: some file systems name other owners, or know no rights at all. */
    private static @Nullable String problem(Path folder) throws IOException {
        boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
        Path mine = posix
                ? Files.createTempDirectory(
                        folder,
                        ".mine",
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")))
                : Files.createTempDirectory(folder, ".mine");
        try {
            UserPrincipal me = Files.getOwner(mine);
            for (UserPrincipal owner :
                    new UserPrincipal[] {Files.getOwner(folder), Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS)}) {
                if (!owner.equals(me)) {
                    return "its snapshot folder " + folder + " belongs to " + owner.getName() + ", not to "
                            + me.getName() + ", and could hold anything. If you trust what is there, make it yours"
                            + " (chown -R " + me.getName() + " " + folder + ") and resume the job again";
                }
            }
            if (posix && isOpen(folder) && !isOpen(mine)) {
                return "others may write to its snapshot folder " + folder + ", which could hold anything. If you trust"
                        + " what is there, close it (chmod -R go-w " + folder + ") and resume the job again";
            }
            return null;
        } finally {
            Files.deleteIfExists(mine);
        }
    }

    private static boolean isOpen(Path folder) throws IOException {
        Set<PosixFilePermission> rights = Files.getPosixFilePermissions(folder);
        return rights.contains(PosixFilePermission.GROUP_WRITE) || rights.contains(PosixFilePermission.OTHERS_WRITE);
    }
}
