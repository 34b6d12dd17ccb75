package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.gridmpj.job.control.ControlLine;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.hosts.AgentMessage;
import org.gridmpj.launcher.hosts.AgentRegistration;
import org.gridmpj.launcher.hosts.RankProcess;

/** A host at which the job is open, by the agent there. Any thread may call. */
interface AgentHost extends RankPlaces.Host, AutoCloseable {
    /** What ranks of a host say that others than the job's thread are to hear first. */
    interface Listener {
        /** A process says that it is a rank. */
        void connected(ControlMessage.Hello hello, ControlLine line);

        /**
         * A rank's image is on the disk of its host.
         *
         * @param heard completed when the job's thread has, or will have before anything else, what the rank said before
         */
        void written(
                AgentHost host, RankProcess of, ControlMessage.SnapshotWritten written, CompletableFuture<Void> heard);

        /** The agent could not start a rank. */
        void notStarted(AgentHost host, int worldRank, String problem);
    }

    /** What the agent says of itself. */
    AgentRegistration agent();

    /**
     * Starts a process of a rank; those that have ended, and those of an earlier life, are forgotten.
     *
     * @throws IOException if the one of an earlier try has not ended: nobody could tell what is said of which
     */
    Process start(RankProcess wanted) throws IOException;

    /** Asks for something; the answer is an empty text, or why it could not be done; of a drill what it says. */
    CompletableFuture<String> request(IntFunction<AgentMessage> message);

    /**
     * Another host was asked to bring something here: that is over when this host is gone. The other one need not notice: it may
     * be in the middle of sending to a host that is frozen.
     *
     * @param answer of {@link #request} at the other host
     */
    CompletableFuture<String> comes(CompletableFuture<String> answer);

    /** Sends; if the agent is gone, that is noticed elsewhere. */
    void tell(AgentMessage message);

    /** For how long the agent has said nothing; the longest time there is once the connection has ended. */
    long silenceNanos();

    /** Whether the connection has ended. */
    boolean isEnded();

    @Override
    void close();
}
