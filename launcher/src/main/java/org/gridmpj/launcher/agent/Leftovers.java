package org.gridmpj.launcher.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.gridmpj.launcher.job.JobFolder;

/**
 * What jobs have left in an agent's folder: images and secrets of those that did not end well, or ended while this host was
 * away, and jars. It goes when nothing has touched it for as long as a launcher keeps a job that could be resumed.
 */
final class Leftovers {
    static final Duration KEPT = Duration.ofDays(JobFolder.KEPT_DAYS);

    private Leftovers() {}

    /**
     * Removes the folders of jobs, and the jars, that have been there for longer.
     *
     * @param agent the folder with one for each job, and parts
     * @param jobsInUse names of jobs that are here now
     * @param partsInUse names of their jars
     */
    static void remove(Path agent, Set<String> jobsInUse, Set<String> partsInUse, Instant now) {
        Instant longAgo = now.minus(KEPT);
        for (Path job : children(agent)) {
            String name = String.valueOf(job.getFileName());
            if (!name.equals(AgentJob.PARTS)
                    && !jobsInUse.contains(name)
                    && lastTouched(job).isBefore(longAgo)) {
                System.err.println(
                        "job " + name + ": what it has left here was removed, as nobody has asked for it for "
                                + KEPT.toDays() + " days");
                JobImages.removeTree(job);
            }
        }
        for (Path part : children(agent.resolve(AgentJob.PARTS))) {
            if (!partsInUse.contains(String.valueOf(part.getFileName()))
                    && modified(part).isBefore(longAgo)) {
                JobImages.removeTree(part);
            }
        }
    }

    /** A jar is wanted again. */
    static void touch(Path part) {
        try {
            Files.setLastModifiedTime(part, FileTime.from(Instant.now()));
        } catch (IOException e) {
            // it is fetched again when it has gone
        }
    }

    /** A snapshot makes or removes a folder of its epoch. */
    private static Instant lastTouched(Path job) {
        Instant folder = modified(job);
        Instant snapshots = modified(JobImages.snapshots(job));
        return folder.isAfter(snapshots) ? folder : snapshots;
    }

    private static Instant modified(Path file) {
        try {
            return Files.getLastModifiedTime(file).toInstant();
        } catch (IOException e) {
            return Instant.MIN;
        }
    }

    private static List<Path> children(Path folder) {
        try (Stream<Path> all = Files.list(folder)) {
            return all.toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}
