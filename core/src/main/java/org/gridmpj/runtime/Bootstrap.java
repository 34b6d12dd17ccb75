package org.gridmpj.runtime;

import java.util.List;
import java.util.Map;
import org.gridmpj.job.JobSecret;
import org.gridmpj.job.JobSpec;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how this JVM became a rank, and gives the facade its process.
 *
 * <ul>
 *   <li>started by mpjrun: {@link RankMain} has left a context here;
 *   <li>started by hand, as in the 2005 report: the arguments begin with {@code host port} and have {@code -np N};
 *   <li>started as any Java program: a job of one rank.
 * </ul>
 */
public final class Bootstrap {
    static {
        // a program without a logging provider is the rule: SLF4J need not say so on every rank's stderr
        if (System.getProperty("slf4j.internal.verbosity") == null) {
            System.setProperty("slf4j.internal.verbosity", "ERROR");
        }
    }

    /** Set once, before the program's main runs. */
    private static volatile @Nullable Launch launch;

    private record Launch(RankContext context, List<String> userArgs) {}

    /**
     * What MPI.Init gets.
     *
     * @param process this rank, connected
     * @param userArgs the user's own arguments, whatever main was given
     */
    public record Started(MpiProcess process, List<String> userArgs) {
        public Started {
            userArgs = List.copyOf(userArgs);
        }
    }

    private Bootstrap() {}

    /** This JVM is a rank of mpjrun's. */
    static void launched(RankContext context, List<String> userArgs) {
        launch = new Launch(context, List.copyOf(userArgs));
    }

    /** What the start by mpjrun has left here, or null if this JVM was started otherwise. */
    public static @Nullable RankContext launched() {
        Launch launched = launch;
        return launched == null ? null : launched.context();
    }

    /**
     * MPI.Init: connects this rank with the others. May be called again after {@link MpiProcess#shutdown}.
     *
     * @param args what the program handed to Init, usually main's own
     * @throws org.gridmpj.error.MpiFailure if the other ranks cannot be reached
     */
    public static Started start(String[] args) {
        Launch launched = launch;
        if (launched != null) {
            return new Started(MpiProcess.start(launched.context()), launched.userArgs());
        }
        HandArguments byHand = HandArguments.of(args);
        if (byHand != null) {
            return new Started(MpiProcess.start(HandStart.context(byHand, System.getenv())), byHand.userArgs());
        }
        return new Started(MpiProcess.start(solo()), List.of(args));
    }

    private static RankContext solo() {
        JobSpec job = new JobSpec("solo-" + ProcessHandle.current().pid(), 1, 0);
        return new RankContext(
                new SoloParent(job, code -> Runtime.getRuntime().halt(code)),
                0,
                0,
                JobSecret.random(),
                "",
                "127.0.0.1",
                Map.of(),
                "",
                null);
    }
}
