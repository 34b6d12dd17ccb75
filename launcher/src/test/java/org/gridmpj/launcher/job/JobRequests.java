package org.gridmpj.launcher.job;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gridmpj.launcher.program.Program;
import org.gridmpj.runtime.ArgsLayout;

/** Requests of tests: a class that is there, and the options' defaults. */
final class JobRequests {
    private JobRequests() {}

    /** @param restart whether ranks that have died are started again */
    static JobRequest of(String mainClass, int size, boolean restart, Path folder) {
        return new JobRequest(
                new Program(mainClass, List.of(), mainClass),
                List.of(),
                size,
                "gridtcp",
                "auto",
                "",
                null,
                false,
                restart,
                ArgsLayout.MPIJAVA,
                List.of(),
                Map.of(CoreShares.VARIABLE, CoreShares.NONE),
                folder,
                false,
                null,
                "",
                "",
                false);
    }

    /** The streams of a job. */
    static JobStreams streams(JobLaunch launch) throws IOException {
        return new JobStreams(launch.request(), launch.folder().path(), Surroundings.of(launch), () -> {});
    }
}
