package org.gridmpj.launcher;

import java.io.PrintStream;
import org.gridmpj.capture.instrument.CaptureCheck;
import org.gridmpj.launcher.program.Program;

/** What {@code mpjrun --checkpoint-check} says of a program. */
final class CheckReport {
    private CheckReport() {}

    /** Prints it; returns the exit code: 1 if some frame can never be captured. */
    static int of(Program program, PrintStream out) {
        CaptureCheck check = CaptureCheck.of(program.classPath());
        out.println(program.display() + ": " + count(check.captured().size(), "method")
                + " can be captured in an MPI call");
        check.captured().forEach(method -> out.println("  " + method));
        if (check.obstacles().isEmpty()) {
            out.println("nothing stands in the way of a snapshot");
            return 0;
        }
        out.println(count(check.obstacles().size(), "place")
                + " that cannot: a snapshot waits until none of them is on the stack");
        check.obstacles().forEach(each -> out.println("  " + each.place() + ": " + each.reason()));
        return 1;
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
