package org.gridmpj.launcher.agent;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gridmpj.checkpoint.CrashPoint;
import org.gridmpj.checkpoint.ForcedAlong;
import org.gridmpj.checkpoint.ImageFile;
import org.gridmpj.checkpoint.ImageSummary;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.UserFolders;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;

/**
 * The snapshots of a job on this host: images of ranks that run here, and copies for other hosts. The layout is that of
 * {@code FileSnapshotStore}; no other name of a file is accepted from a peer.
 */
final class JobImages {
    private static final Pattern IMAGE = Pattern.compile("g\\d{1,9}-e\\d{1,9}/rank-\\d{1,9}\\.image");
    private static final Pattern MANIFEST = Pattern.compile("g\\d{1,9}-e\\d{1,9}/manifest");
    private static final Pattern EPOCH = Pattern.compile("g(\\d{1,9})-e\\d{1,9}");
    private static final String COMING = ".coming";
    /** How the answer begins if an image was right but those that it is an increment to are not here. */
    private static final String LACKS = "earlier images are wanted";

    private static final int DIAL_MILLIS = 5_000;
    /** For so long a partner, or who sends to it, may be silent. */
    private static final int STORE_MILLIS = 20_000;

    private static final int BEAT_MILLIS = STORE_MILLIS / 4;
    /** For so long, and the time for its bytes, the disk may be at a file. The launcher has more patience: it hears why. */
    private static final long DISK_MILLIS = 300_000;

    private static final long SLOWEST_BYTES_PER_MILLI = 1_000;

    private JobImages() {}

    private static Path file(Path snapshots, String name, Pattern allowed) {
        if (!allowed.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is no name of a snapshot's file");
        }
        return snapshots.resolve(name);
    }

    /** Whether an image is here and whole; throws if not. */
    static void check(Path snapshots, AgentMessage.Check wanted) throws IOException {
        ImageFile.check(file(snapshots, wanted.file(), IMAGE), wanted.bytes(), wanted.crc32c());
        CrashPoint.hit("agent.checked");
    }

    /**
     * Sends an image to another agent, which keeps it; and before it those that it is an increment to, where the other one
     * lacks them: it may be a partner since a short while only.
     */
    static void copy(Path snapshots, String job, AgentMessage.Copy wanted, JobSecret cluster) throws IOException {
        Path image = file(snapshots, wanted.file(), IMAGE);
        String error = send(image, job, wanted, cluster);
        if (error.startsWith(LACKS)) {
            for (String base : ImageFile.bases(image)) {
                ImageSummary summary = ImageFile.summary(file(snapshots, base, IMAGE));
                copy(
                        snapshots,
                        job,
                        new AgentMessage.Copy(
                                wanted.request(),
                                base,
                                summary.bytes(),
                                summary.crc32c(),
                                wanted.host(),
                                wanted.port()),
                        cluster);
            }
            error = send(image, job, wanted, cluster);
        }
        if (!error.isEmpty()) {
            throw new IOException(error);
        }
    }

    /** @return what the other agent has against it, or an empty text */
    private static String send(Path image, String job, AgentMessage.Copy wanted, JobSecret cluster) throws IOException {
        try (InputStream in = Files.newInputStream(image);
                AgentLink partner = AgentLink.dial(wanted.host(), wanted.port(), DIAL_MILLIS, cluster)) {
            partner.send(new AgentMessage.Store(job, wanted.file(), wanted.bytes(), wanted.crc32c()));
            CrashPoint.hit("agent.copying");
            sendParts(in, partner, STORE_MILLIS);
            return Beats.awaitDone(partner, STORE_MILLIS).error();
        }
    }

    /**
     * Sends a file in parts, the last of which is shorter than the others.
     *
     * @param patienceMillis the other end is given up when it takes nothing for so long
     */
    static void sendParts(InputStream in, AgentLink to, int patienceMillis) throws IOException {
        boolean last = false;
        while (!last) {
            byte[] bytes = in.readNBytes(AgentMessage.CHUNK_BYTES);
            last = bytes.length < AgentMessage.CHUNK_BYTES;
            to.send(new AgentMessage.Part("", last, ByteBuffer.wrap(bytes)), patienceMillis);
        }
    }

    /** Writes what {@link #sendParts} sends. */
    static void takeParts(AgentLink from, WritableByteChannel channel) throws IOException {
        boolean last = false;
        while (!last) {
            if (!(from.receive(STORE_MILLIS) instanceof AgentMessage.Part part)) {
                throw new EOFException("the image has come in part only");
            }
            ByteBuffer bytes = part.bytes();
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            last = part.last();
        }
    }

    /** What a disk does with a file that has come, and may take its time for. */
    @FunctionalInterface
    interface Disk {
        /** Forces it, and reads it again. */
        Disk THIS = (file, coming, store) -> {
            file.forceRest();
            String missing = ImageFile.checkApart(coming, store.bytes(), store.crc32c());
            if (!missing.isEmpty()) {
                // its own bytes are right: the owner sends what it refers to
                throw new IOException(LACKS + ": " + missing);
            }
            file.awaitForced();
        };

        void take(ForcedAlong file, Path coming, AgentMessage.Store store) throws IOException;
    }

    /**
     * Takes a copy from another agent: written, forced, read again, renamed. While it is forced and read the other end hears
     * that this one is at it, and, when that has taken too long, that the disk seems to hang.
     */
    static void keep(Path jobFolder, AgentMessage.Store store, AgentLink from, DiskWatch watch) throws IOException {
        keep(jobFolder, store, from, watch, Disk.THIS, DISK_MILLIS + store.bytes() / SLOWEST_BYTES_PER_MILLI);
    }

    static void keep(
            Path jobFolder, AgentMessage.Store store, AgentLink from, DiskWatch watch, Disk disk, long limitMillis)
            throws IOException {
        Path image = file(snapshots(jobFolder), store.file(), IMAGE);
        UserFolders.createOwnerOnly(jobFolder);
        UserFolders.createOwnerOnly(snapshots(jobFolder));
        Path epoch = UserFolders.createOwnerOnly(image.resolveSibling(""));
        Path coming = Files.createTempFile(epoch, image.getFileName().toString(), COMING);
        try {
            try (ForcedAlong channel = new ForcedAlong(FileChannel.open(coming, StandardOpenOption.WRITE))) {
                CrashPoint.hit("agent.storing");
                takeParts(from, channel);
                CrashPoint.hit("agent.stored");
                try (DiskWatch.Turn turn = watch.begin(store.file());
                        Beats _ = new Beats(from, BEAT_MILLIS, limitMillis, () -> {
                            if (turn.giveUp()) {
                                from.send(new AgentMessage.Done(0, DiskWatch.hangs(limitMillis)));
                            }
                        })) {
                    disk.take(channel, coming, store);
                    turn.taken();
                    Files.move(coming, image, StandardCopyOption.ATOMIC_MOVE);
                    CrashPoint.hit("agent.renamed");
                    force(epoch);
                }
            }
        } finally {
            Files.deleteIfExists(coming);
        }
    }

    /** Writes a manifest whole. */
    static void put(Path snapshots, String file, ByteBuffer bytes) throws IOException {
        Path manifest = file(snapshots, file, MANIFEST);
        Path epoch = UserFolders.createOwnerOnly(manifest.resolveSibling(""));
        Path coming = Files.createTempFile(epoch, "manifest", COMING);
        try {
            try (FileChannel channel = FileChannel.open(coming, StandardOpenOption.WRITE)) {
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(coming, manifest, StandardCopyOption.ATOMIC_MOVE);
            force(epoch);
        } finally {
            Files.deleteIfExists(coming);
        }
    }

    static void force(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // platforms that cannot open a folder have no such thing to force
        }
    }

    /** Removes an epoch; what cannot be removed now goes with the job's folder. */
    static void remove(Path snapshots, String epoch) {
        removeEpoch(file(snapshots, epoch, EPOCH));
    }

    /** The manifest goes first: an epoch that has one has its images, too. */
    private static void removeEpoch(Path epoch) {
        try {
            Files.deleteIfExists(epoch.resolve("manifest"));
        } catch (IOException e) {
            return; // as a whole later
        }
        removeTree(epoch);
    }

    /** Removes the epochs of earlier generations that are not among the needed ones. */
    static void keepOnly(Path snapshots, int generation, List<String> needed) {
        List<Path> all;
        try (Stream<Path> epochs = Files.list(snapshots)) {
            all = epochs.toList();
        } catch (IOException e) {
            return; // there are none
        }
        for (Path epoch : all) {
            String name = String.valueOf(epoch.getFileName());
            Matcher parts = EPOCH.matcher(name);
            if (parts.matches() && Integer.parseInt(parts.group(1)) < generation && !needed.contains(name)) {
                removeEpoch(epoch);
            }
        }
    }

    static void removeTree(Path folder) {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(folder)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        } catch (IOException e) {
            return; // it is not there
        }
        for (Path each : all) {
            try {
                Files.deleteIfExists(each);
            } catch (IOException e) {
                // a rank is at it still
            }
        }
    }

    static Path snapshots(Path jobFolder) {
        return jobFolder.resolve("snapshots");
    }
}
