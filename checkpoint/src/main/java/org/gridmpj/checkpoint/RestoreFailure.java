package org.gridmpj.checkpoint;

import java.util.function.Consumer;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.control.ControlMessage;

/** A rank that cannot go back to a snapshot. */
final class RestoreFailure {
    private RestoreFailure() {}

    /** Tells the launcher, and gives what the program gets. */
    static MpiFailure told(
            Consumer<ControlMessage> parent,
            String jobName,
            int worldRank,
            ControlMessage.RestoreFailed what,
            Throwable cause) {
        parent.accept(what);
        return new MpiFailure(
                ErrorClass.OTHER,
                "rank " + worldRank + " of job " + jobName + " cannot go back to snapshot " + what.epoch() + ": "
                        + what.reason() + ". The launcher has been told and "
                        + (what.isOtherProgram() ? "ends the job" : "tries again or takes the one before"),
                cause);
    }
}
