package org.gridmpj.launcher.job;

import java.util.List;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.jspecify.annotations.Nullable;

/** What a process is told is kept; it says nothing. */
record KeptLine(List<ControlMessage> told) implements ControlLine {
    @Override
    public void send(ControlMessage message) {
        told.add(message);
    }

    @Override
    public @Nullable ControlMessage receive() {
        return null;
    }

    @Override
    public void close() {
        // there is nothing to close
    }
}
