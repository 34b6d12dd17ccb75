package org.gridmpj.launcher.job;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/**
 * How long a job has run and how often it has failed, under all its launchers: what {@code --checkpoint auto} goes by. Failures are
 * deaths of ranks, hosts and launchers; not what was asked for, as moves and SIGTERM. Confined to the job's thread.
 */
final class FailureRecord {
    private static final String LIVED = "livedMillis";
    private static final String FAILURES = "failures";

    private final long beganNanos;
    private int failures;

    private FailureRecord(long livedMillis, int failures) {
        this.beganNanos = System.nanoTime() - Duration.ofMillis(livedMillis).toNanos();
        this.failures = failures;
    }

    /** Goes on with what an earlier launcher has left in the job's folder, if there was one. */
    static FailureRecord in(Path folder) {
        try {
            Path status = folder.resolve(JobDocuments.STATUS);
            if (!Files.exists(status)) {
                return new FailureRecord(0, 0);
            }
            Map<String, @Nullable Object> before = JobFolder.readJson(status);
            boolean launcherDied =
                    JobFolder.readJson(folder.resolve(JobFolder.JOB)).get("exitCode") == null;
            return new FailureRecord(
                    number(before.get(LIVED)), (int) number(before.get(FAILURES)) + (launcherDied ? 1 : 0));
        } catch (IOException | IllegalArgumentException e) {
            return new FailureRecord(0, 0); // a guess is what it comes to in any case
        }
    }

    private static long number(@Nullable Object value) {
        return value instanceof Long number ? number : 0;
    }

    /** Ranks have died, one or some together. */
    void failed() {
        failures++;
    }

    /** For rank 0, which chooses the interval. */
    ControlMessage.Lived message() {
        return new ControlMessage.Lived(System.nanoTime() - beganNanos, failures);
    }

    /** Adds what {@link #in} reads back. */
    void writeTo(Map<String, @Nullable Object> status) {
        status.put(LIVED, Duration.ofNanos(System.nanoTime() - beganNanos).toMillis());
        status.put(FAILURES, (long) failures);
    }
}
