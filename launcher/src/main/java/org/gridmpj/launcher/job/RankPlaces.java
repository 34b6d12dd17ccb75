package org.gridmpj.launcher.job;

import java.io.IOException;
import org.gridmpj.checkpoint.EpochManifest;
import org.jspecify.annotations.Nullable;

/** Where the ranks of a job run. Confined to the job's thread. */
sealed interface RankPlaces extends AutoCloseable permits ThisHost, Hosts {
    /**
     * A life of the job begins: finds out which places there are.
     *
     * @param resumed whether this is not the first one, so that what is left has to do
     */
    void reach(boolean resumed);

    /**
     * All ranks are about to start: chooses a place for each and brings there what it starts from.
     *
     * @param from the epoch that they go back to, or null for the beginning
     */
    void prepare(int generation, @Nullable EpochManifest from) throws IOException;

    /** Starts a rank at its place; a place that is lost meanwhile gives a process that has ended. */
    Process start(int worldRank, int incarnation, int life) throws IOException;

    /**
     * Starts another process of a rank, which is to take it over.
     *
     * @param host where, as the user has said it; empty for anywhere
     * @throws IOException saying why that cannot be
     */
    Process startBeside(int worldRank, int incarnation, String host) throws IOException;

    /** Name of the host of a rank, for people; empty on this one. */
    String host(int worldRank);

    /**
     * The job has ended.
     *
     * @param forGood nobody will resume it
     */
    void ended(boolean forGood);

    @Override
    void close();
}
