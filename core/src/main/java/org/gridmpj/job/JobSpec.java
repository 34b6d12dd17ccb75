package org.gridmpj.job;

import java.util.Collections;
import java.util.List;

/**
 * What every rank of a job agrees on from the start, also one whose process is started later.
 *
 * @param jobName short readable name, as printed by mpjrun
 * @param generation how often the whole job was rolled back or resumed, from 0; frames and handshakes of another
 *     generation are refused
 * @param hosts by world rank: the host where it was put when this generation began, in any words that are equal for ranks of
 *     one host; it may have gone elsewhere since, which this does not say
 */
public record JobSpec(String jobName, int generation, List<String> hosts) {
    public JobSpec {
        hosts = List.copyOf(hosts);
    }

    /** A job of so many ranks on one host. */
    public JobSpec(String jobName, int size, int generation) {
        this(jobName, generation, Collections.nCopies(size, ""));
    }

    /** Number of ranks. */
    public int size() {
        return hosts.size();
    }
}
