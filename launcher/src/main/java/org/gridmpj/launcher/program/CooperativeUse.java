package org.gridmpj.launcher.program;

import java.util.concurrent.atomic.AtomicBoolean;
import org.gridmpj.capture.instrument.ProgramPath;

/** Whether a program takes its snapshots itself: some class of it names Ateam or UserProgWrapper, or that runs it. */
public final class CooperativeUse {
    /** It runs a program that names neither. */
    static final String WRAPPER = "mpj.UserProgWrapper";

    private CooperativeUse() {}

    /** Looks at the classes of the program's path; what cannot be read is left out. */
    public static boolean in(Program program) {
        AtomicBoolean found = new AtomicBoolean(program.mainClass().equals(WRAPPER));
        new ProgramPath(program.classPath()).forEach((name, classFile) -> {
            if (!found.get() && ProgramTraits.of(classFile).cooperative()) {
                found.set(true);
            }
        });
        return found.get();
    }
}
