package org.gridmpj.snapshot;

/** Who runs the program of this process. Set at most once, before main. */
public final class ProgramRunners {
    private static volatile ProgramRunner current = ProgramRunner.direct();

    private ProgramRunners() {}

    /** The runner of this process. */
    public static ProgramRunner current() {
        return current;
    }

    /** Called by the agent, before main. */
    public static void install(ProgramRunner runner) {
        current = runner;
    }
}
