package org.gridmpj.runtime;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.RankTable;
import org.gridmpj.job.control.ControlMessage;

/** Nobody: a program that was started without a launcher is a job of one rank. */
record SoloParent(JobSpec job, IntConsumer halt) implements Parent {
    @Override
    public int resumeEpoch() {
        return -1;
    }

    @Override
    public RankTable exchange(ControlMessage.Bound bound) {
        return new RankTable(0, List.of(new RankTable.Entry(0, bound.host(), bound.port(), 0, bound.hostId())));
    }

    @Override
    public void report(ControlMessage message) {
        // nobody listens
    }

    @Override
    public void listen(Consumer<ControlMessage> listener) {
        // nobody speaks
    }

    @Override
    public void heartbeat(Supplier<ControlMessage.Heartbeat> source) {
        // nobody asks
    }

    @Override
    public void end(ControlMessage.EndKind kind, int exitCode, String text) {
        ProgramOutput.flush();
        System.err.println("job ended with code " + exitCode + ": " + text);
        halt.accept(exitCode);
    }
}
