package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import mpj.Probe;

/** Captures a program at its calls: the output must be that of the program left alone. */
final class Sweep {
    private static final int RELAYS = 20;

    private final String main;
    private final ProgramFiles files;
    private final String plain;
    private final int calls;

    private Sweep(String main, List<Path> classPath) throws Exception {
        this.main = main;
        files = new ProgramFiles(classPath);
        plain = new ProgramUnderTest(main, files).run(0, state -> {});
        calls = Probe.calls;
    }

    /** Captured at each call and entered again at once, and relayed by images; returns the output. */
    static String through(String main, List<Path> classPath, int moreCallsThan) throws Exception {
        Sweep sweep = new Sweep(main, classPath);
        assertThat(sweep.calls).isGreaterThan(moreCallsThan);
        sweep.enterAgain();
        assertThat(sweep.relayed()).isEqualTo(sweep.plain);
        assertThat(Probe.calls).isEqualTo(sweep.calls);
        return sweep.plain;
    }

    private void enterAgain() throws Exception {
        List<Object> states = new ArrayList<>();
        String captured = new ProgramUnderTest(main, files).runCapturedAtEach(states::add);
        assertThat(Probe.lastObstacle).isNull();
        assertThat(states).hasSize(calls);
        assertThat(captured).isEqualTo(plain);
    }

    /**
     * What the program writes when it goes by images from classes to classes: some of its calls, at like distances, are made in
     * a loader of their own.
     */
    private String relayed() throws Exception {
        int step = Math.max(1, calls / RELAYS);
        ProgramStatics.reset();
        Killed killed = Killed.at(new ProgramUnderTest(main, files), 1);
        int at = 1;
        while (killed != null && at + step <= calls) {
            at += step;
            killed = killed.goOnTo(at, new ProgramUnderTest(main, files));
        }
        if (killed == null) {
            throw new AssertionError("not captured at call " + at + ": " + Probe.lastObstacle);
        }
        Probe.captureAt = 0;
        String output = killed.goOnIn(new ProgramUnderTest(main, files));
        ProgramStatics.reset();
        return output;
    }
}
