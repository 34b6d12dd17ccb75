package org.gridmpj.testkit;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.runtime.Parent;

/** As {@link LocalParent}; the end of the job unwinds the rank's thread with {@link Aborted}. */
final class FacadeParent implements Parent {
    private final LocalParent ranks;

    FacadeParent(JobSpec job) {
        this.ranks = new LocalParent(job, null);
    }

    /** Ends a rank as Abort does; an Error, so that a program's catch of exceptions does not stop it. */
    static final class Aborted extends Error {
        private static final long serialVersionUID = 1L;

        private final int exitCode;

        Aborted(int exitCode, String reason) {
            super(reason);
            this.exitCode = exitCode;
        }

        int exitCode() {
            return exitCode;
        }
    }

    @Override
    public JobSpec job() {
        return ranks.job();
    }

    @Override
    public int resumeEpoch() {
        return ranks.resumeEpoch();
    }

    @Override
    public RankTable exchange(ControlMessage.Bound bound) {
        return ranks.exchange(bound);
    }

    @Override
    public boolean passesOn() {
        return ranks.passesOn();
    }

    @Override
    public void report(ControlMessage message) {
        ranks.report(message);
    }

    @Override
    public void listen(Consumer<ControlMessage> listener) {
        ranks.listen(listener);
    }

    @Override
    public void heartbeat(Supplier<ControlMessage.Heartbeat> source) {
        ranks.heartbeat(source);
    }

    @Override
    public void end(ControlMessage.EndKind kind, int exitCode, String text) {
        throw new Aborted(exitCode, text);
    }

    /** Whoever still waits for other ranks fails. */
    void giveUp() {
        ranks.fail(new MpiFailure(ErrorClass.OTHER, "another rank of this test has failed"));
    }
}
