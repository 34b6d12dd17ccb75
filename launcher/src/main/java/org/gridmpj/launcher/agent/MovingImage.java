package org.gridmpj.launcher.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.regex.Pattern;
import org.gridmpj.checkpoint.CrashPoint;
import org.gridmpj.job.JobSecret;
import org.gridmpj.launcher.hosts.AgentLink;
import org.gridmpj.launcher.hosts.AgentMessage;

/**
 * The image of a rank that moves, in the job's folder of the host that it leaves, then in that of the host where it goes on.
 * Nothing is forced to disk: after a power cut nobody needs it. The process that takes the rank over verifies every byte.
 */
final class MovingImage {
    private static final Pattern NAME = Pattern.compile("moving-\\d{1,9}-\\d{1,19}-\\d{1,9}\\.image");
    private static final String ALL = "moving-*";
    private static final int DIAL_MILLIS = 5_000;
    private static final int DELIVERY_MILLIS = 20_000;

    private MovingImage() {}

    private static Path file(Path folder, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("\"" + name + "\" is no name of a moving rank's image");
        }
        return folder.resolve(name);
    }

    /** Sends it to another agent, and returns when it is there. */
    static void ship(Path folder, String job, AgentMessage.Ship wanted, JobSecret cluster) throws IOException {
        try (InputStream in = Files.newInputStream(file(folder, wanted.file()));
                AgentLink target = AgentLink.dial(wanted.host(), wanted.port(), DIAL_MILLIS, cluster)) {
            target.send(new AgentMessage.Deliver(job, wanted.file()));
            CrashPoint.hit("agent.shipping");
            JobImages.sendParts(in, target, DELIVERY_MILLIS);
            AgentMessage.Done done = Beats.awaitDone(target, DELIVERY_MILLIS);
            if (!done.error().isEmpty()) {
                throw new IOException(done.error());
            }
        }
    }

    /** Takes it from another agent; it is there whole or not at all. */
    static void take(Path folder, AgentMessage.Deliver delivery, AgentLink from) throws IOException {
        Path image = file(folder, delivery.file());
        Path coming = Files.createTempFile(folder, "moving-", ".coming");
        try {
            try (FileChannel channel = FileChannel.open(coming, StandardOpenOption.WRITE)) {
                JobImages.takeParts(from, channel);
            }
            CrashPoint.hit("agent.delivered");
            Files.move(coming, image, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(coming);
        }
    }

    /** It is not needed any more; what cannot be removed now goes with the job's folder. */
    static void discard(Path folder, String name) {
        remove(file(folder, name));
    }

    /** The ranks of an earlier launcher are gone, and with them what they left on the way. */
    static void discardAll(Path folder) throws IOException {
        try (DirectoryStream<Path> left = Files.newDirectoryStream(folder, ALL)) {
            left.forEach(MovingImage::remove);
        }
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            // it goes with the job's folder
        }
    }
}
