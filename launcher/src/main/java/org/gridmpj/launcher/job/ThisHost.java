package org.gridmpj.launcher.job;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.gridmpj.checkpoint.EpochManifest;
import org.jspecify.annotations.Nullable;

/**
 * All ranks are children of the launcher.
 *
 * @param control where they find it
 */
record ThisHost(RankStarter starter, InetSocketAddress control) implements RankPlaces {
    private static final String LOOPBACK = "127.0.0.1";

    @Override
    public void reach(boolean resumed) {
        // it is here
    }

    @Override
    public void prepare(int generation, @Nullable EpochManifest from) {
        // everything is here
    }

    @Override
    public Process start(int worldRank, int incarnation, int life) throws IOException {
        return starter.start(worldRank, incarnation, control, LOOPBACK, false);
    }

    @Override
    public Process startBeside(int worldRank, int incarnation, String host) throws IOException {
        if (!host.isEmpty() && !host.equals("localhost") && !host.equals(LOOPBACK)) {
            throw new IOException("all ranks of this job are on the launcher's host: it can move to a new process there"
                    + " (mpjctl migrate JOB RANK localhost); --hosts places ranks on several hosts");
        }
        return starter.start(worldRank, incarnation, control, LOOPBACK, false);
    }

    @Override
    public String host(int worldRank) {
        return "";
    }

    @Override
    public void ended(boolean forGood) {
        // the job's folder says it
    }

    @Override
    public void close() {
        // the processes are the job's own to end
    }
}
