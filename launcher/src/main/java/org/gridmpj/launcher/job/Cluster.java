package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.gridmpj.launcher.hosts.AgentRegistration;

/** The agents that a job may use, how it comes to them, and who of them is to be left. Any thread may call. */
interface Cluster extends AutoCloseable {
    /**
     * Those that are registered, by name.
     *
     * @throws CoordinationFailure if they are not known now
     */
    List<AgentRegistration> agents();

    /**
     * Opens the job at an agent, which ends what is left there of its ranks.
     *
     * @throws IOException saying why it cannot be used
     */
    AgentHost open(AgentRegistration agent, AgentHost.Listener listener) throws IOException;

    /** From now on hosts that are gone are given up, and hosts that are to be left announced. */
    void watch(Hosts hosts);

    /** Whether this agent, this very process, was given up for dead. */
    boolean wasLost(AgentRegistration agent);

    /** Hosts on which no rank is to stay. */
    Set<String> draining();

    /**
     * Says why ranks of this job stay at a host that is to be drained.
     *
     * @param reason an empty text takes it back
     * @throws CoordinationFailure if it cannot be said now
     */
    void object(String host, String reason);

    @Override
    void close();
}
