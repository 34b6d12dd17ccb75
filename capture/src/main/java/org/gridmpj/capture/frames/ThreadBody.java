package org.gridmpj.capture.frames;

/** A subclass of Thread as the agent has made it: what was {@code run} is this method, and {@code run} is {@link ThreadRoot}. */
public interface ThreadBody {
    /** The program's run. */
    @SuppressWarnings("checkstyle:MethodName") // no program has one of this name
    void mpj$run();
}
