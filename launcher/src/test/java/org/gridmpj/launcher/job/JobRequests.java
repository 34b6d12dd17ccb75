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
        return of(new Program(mainClass, List.of(), mainClass), size, false, restart, List.of(), "", folder);
    }

    /** A job of two ranks that names no hosts. */
    static JobRequest inCluster(String zookeeper, Path folder) {
        return of(new Program("Program", List.of(), "Program"), 2, false, false, List.of(), zookeeper, folder);
    }

    /** A program that is captured as it is, of one rank. */
    static JobRequest captured(List<Path> classPath, List<String> jvmOptions, Path folder) {
        return of(new Program("Program", classPath, "Program"), 1, true, true, jvmOptions, "", folder);
    }

    private static JobRequest of(
            Program program,
            int size,
            boolean transparent,
            boolean restart,
            List<String> jvmOptions,
            String zookeeper,
            Path folder) {
        return new JobRequest(
                program,
                List.of(),
                size,
                "gridtcp",
                "auto",
                "",
                null,
                transparent,
                restart,
                ArgsLayout.MPIJAVA,
                jvmOptions,
                Map.of(CoreShares.VARIABLE, CoreShares.NONE),
                folder,
                false,
                null,
                zookeeper,
                "",
                false);
    }

    /** The streams of a job. */
    static JobStreams streams(JobLaunch launch) throws IOException {
        return new JobStreams(launch.request(), launch.folder().path(), Surroundings.of(launch), loss -> {});
    }
}
