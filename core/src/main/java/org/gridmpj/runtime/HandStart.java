package org.gridmpj.runtime;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.UnknownHostException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.jspecify.annotations.Nullable;

/**
 * Ranks started one by one, without a launcher: rank 0 plays the parent of the others.
 *
 * <p>The secret comes from GRIDMPJ_SECRET, else from an owner-only file (GRIDMPJ_SECRET_FILE, default
 * {@code ~/.gridmpj/secret}) that the master creates and that the user copies to the slaves' hosts. Where neither is to
 * be had, only loopback is used.
 */
final class HandStart {
    /** How long a slave tries to reach a master that is not up yet, and a master waits for its slaves. */
    private static final Duration MEETING_TIME = Duration.ofMinutes(2);

    private static final long RETRY_MILLIS = 100;
    private static final String LOOPBACK_ONLY = "loopback only, no secret";
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private HandStart() {}

    static RankContext context(HandArguments args, Map<String, String> variables) {
        try {
            IntConsumer halt = code -> Runtime.getRuntime().halt(code);
            return args.worldRank() == 0 ? master(args, variables, halt) : slave(args, variables, halt);
        } catch (IOException e) {
            throw new MpiFailure(
                    ErrorClass.OTHER,
                    "rank " + args.worldRank() + " of a job started by hand could not meet the others at "
                            + args.masterHost() + ":" + args.masterPort() + ": " + e.getMessage(),
                    e);
        }
    }

    private static RankContext master(HandArguments args, Map<String, String> variables, IntConsumer halt)
            throws IOException {
        JobSecret secret = secret(args, variables, true);
        HandMaster parent = HandMaster.open(
                new InetSocketAddress(args.masterHost(), args.masterPort()), args.size(), secret, MEETING_TIME, halt);
        return rank(args, parent, secret, variables);
    }

    static RankContext slave(HandArguments args, Map<String, String> variables, IntConsumer halt) throws IOException {
        InetSocketAddress master = new InetSocketAddress(args.masterHost(), args.masterPort());
        if (master.isUnresolved()) {
            throw new UnknownHostException("no host " + args.masterHost());
        }
        HandWait waiting = new HandWait(MEETING_TIME);
        while (true) {
            // read at each attempt: the master on this host may be about to write it
            JobSecret secret = secret(args, variables, false);
            try {
                Parent parent = join(master, secret, args.worldRank(), waiting.endNanos(), halt);
                if (parent != null) {
                    return rank(args, parent, secret, variables);
                }
            } catch (ProtocolException e) {
                // a master on this host writes it before it listens, perhaps after it was looked for here
                if (secret(args, variables, false).text().equals(secret.text())) {
                    throw e;
                }
            }
            waiting.say("rank " + args.worldRank() + " tries to reach its master at " + args.masterHost() + ":"
                    + args.masterPort());
            pause();
        }
    }

    /**
     * One attempt to reach the master, who may not be up yet, or may have had to make room for another connection.
     *
     * @return null if there is to be another one
     * @throws IOException if the master knows another secret or does not want this rank, or if the time is over
     */
    static @Nullable Parent join(
            InetSocketAddress master, JobSecret secret, int worldRank, long deadlineNanos, IntConsumer halt)
            throws IOException {
        try {
            return ParentConnection.open(master, secret, worldRank, 0, halt, true);
        } catch (ProtocolException | ParentConnection.RefusedException e) {
            throw e;
        } catch (IOException e) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new IOException("it has been tried for " + MEETING_TIME.toSeconds() + " s, at last: " + e, e);
            }
            return null;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MpiFailure(ErrorClass.OTHER, "interrupted while waiting for the master", e);
        }
    }

    private static RankContext rank(
            HandArguments args, Parent parent, JobSecret secret, Map<String, String> variables) {
        return new RankContext(
                parent,
                args.worldRank(),
                0,
                secret,
                variables.getOrDefault("GRIDMPJ_TRANSPORT", ""),
                args.ownHost(),
                RankEnvironment.transportOptions(variables.getOrDefault("GRIDMPJ_LINK", "auto"), variables),
                "",
                null);
    }

    private static JobSecret secret(HandArguments args, Map<String, String> variables, boolean create)
            throws IOException {
        String text = variables.getOrDefault("GRIDMPJ_SECRET", "");
        if (!text.isBlank()) {
            return JobSecret.of(text);
        }
        String named = variables.getOrDefault("GRIDMPJ_SECRET_FILE", "");
        Path file =
                named.isEmpty() ? Path.of(System.getProperty("user.home", "."), ".gridmpj", "secret") : Path.of(named);
        IOException problem = null;
        if (create) {
            problem = create(file);
        }
        if (Files.isReadable(file)) {
            refuseUnlessOwnerOnly(file);
            return JobSecret.read(file);
        }
        if (InetAddress.getByName(args.masterHost()).isLoopbackAddress()
                && InetAddress.getByName(args.ownHost()).isLoopbackAddress()) {
            return JobSecret.of(LOOPBACK_ONLY);
        }
        throw new MpiFailure(
                ErrorClass.OTHER,
                "rank " + args.worldRank() + " has no secret to prove that it belongs to the job at "
                        + args.masterHost()
                        + ":" + args.masterPort()
                        + ", so it refuses any address but loopback: set GRIDMPJ_SECRET to the"
                        + " same text on all hosts, or copy the master's file " + file + " to this host",
                problem);
    }

    /** Makes the file unless it is there: whole, as a slave on this host may look for it at any moment. */
    static @Nullable IOException create(Path file) {
        if (Files.exists(file)) {
            return null;
        }
        try {
            Path folder = file.toAbsolutePath().resolveSibling("");
            Files.createDirectories(folder);
            // made for its owner only where there is such a thing
            Path fresh = Files.createTempFile(folder, "secret", ".new");
            try {
                Files.writeString(fresh, JobSecret.random().text());
                Files.move(fresh, file);
            } finally {
                Files.deleteIfExists(fresh);
            }
            return null;
        } catch (FileAlreadyExistsException e) {
            return null;
        } catch (IOException e) {
            return e;
        }
    }

    private static boolean posix(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static void refuseUnlessOwnerOnly(Path file) throws IOException {
        if (!posix(file)) {
            return;
        }
        Set<PosixFilePermission> others = EnumSet.copyOf(OWNER_ONLY);
        others.addAll(Files.getPosixFilePermissions(file));
        others.remove(PosixFilePermission.OWNER_EXECUTE);
        others.removeAll(OWNER_ONLY);
        if (!others.isEmpty()) {
            throw new MpiFailure(
                    ErrorClass.OTHER,
                    "the secret in " + file
                            + " can be read by others, so it is none: chmod 600 it, or delete it and start"
                            + " the master again");
        }
    }
}
