package org.gridmpj.launcher;

import java.io.PrintStream;
import org.gridmpj.capture.instrument.CaptureCheck;
import org.gridmpj.launcher.program.Program;

/** What {@code mpjrun --checkpoint-check} says of a program. */
final class CheckReport {
    private CheckReport() {}

    /**
     * Prints what its classes show; returns the exit code: 1 if some frame can never be captured.
     *
     * @param trialFollows whether it is run, too
     */
    static int of(Program program, boolean trialFollows, PrintStream out) {
        CaptureCheck check = CaptureCheck.of(program.classPath());
        out.println(program.display() + ": " + count(check.captured().size(), "method")
                + " can be captured in an MPI call");
        check.captured().forEach(method -> out.println("  " + method));
        if (check.obstacles().isEmpty()) {
            out.println("nothing in its classes stands in the way of a snapshot"
                    + (trialFollows ? "" : "; what its objects and threads are, a trial shows: with -np N"));
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
