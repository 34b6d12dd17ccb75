package org.gridmpj.launcher.job;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.gridmpj.launcher.OwnHost;
import org.jspecify.annotations.Nullable;

/** What a job leaves in its folder for mpjctl and for a later launcher: job.json and status.json. */
final class JobDocuments {
    static final String STATUS = "status.json";

    private static final long STATUS_NANOS = 500_000_000L;

    private final JobFolder folder;
    private final JobRequest request;
    private final InetSocketAddress control;
    private final LongSupplier nanoTime;
    private long statusNanos;

    JobDocuments(JobFolder folder, JobRequest request, InetSocketAddress control, LongSupplier nanoTime) {
        this.folder = folder;
        this.request = request;
        this.control = control;
        this.nanoTime = nanoTime;
    }

    /** Writes job.json; the exit code is null while the job runs. */
    void writeJob(@Nullable Integer exitCode) throws IOException {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("version", JobFolder.VERSION);
        document.put("name", folder.name());
        document.put("launcherPid", ProcessHandle.current().pid());
        document.put("launcherHost", OwnHost.name());
        document.put("launcherPids", OwnHost.pids());
        document.put("control", control.getHostString() + ":" + control.getPort());
        document.put("started", Instant.now().toString());
        document.put("exitCode", exitCode);
        document.put("request", request.toJson());
        folder.writeJson(JobFolder.JOB, document, request.checkpoints());
    }

    /** Whether what status.json says has become old. */
    boolean isStatusDue(long nowNanos) {
        return nowNanos - statusNanos > STATUS_NANOS;
    }

    /** Writes status.json. */
    void writeStatus(
            String state,
            int generation,
            int committedEpoch,
            String givenUp,
            String rate,
            String drilled,
            String pace,
            FailureRecord failures,
            int spares,
            Map<String, @Nullable Object> onDeath,
            RankSlot... slots) {
        statusNanos = nanoTime.getAsLong();
        try {
            folder.writeJson(
                    STATUS,
                    StatusDocument.of(
                            state,
                            generation,
                            committedEpoch,
                            givenUp,
                            rate,
                            drilled,
                            pace,
                            failures,
                            spares,
                            onDeath,
                            slots),
                    false);
        } catch (IOException e) {
            // a full disk: mpjctl shows what was last written
        }
    }
}
