package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.gridmpj.checkpoint.EpochManifest;
import org.gridmpj.job.control.ControlLine;
import org.jspecify.annotations.Nullable;

/** Where the ranks of a job run. Confined to the job's thread. */
interface RankPlaces extends AutoCloseable {
    /**
     * A life of the job begins: finds out which places there are.
     *
     * @param resumed whether this is not the first one, so that what is left has to do
     */
    void reach(boolean resumed);

    /**
     * Waits until there are other places than there are now, or those that had no room may have some.
     *
     * @param nanos for so long at most
     * @return whether it may be tried again
     */
    boolean awaitOthers(long nanos);

    /**
     * All ranks are about to start: chooses a place for each and brings there what it starts from.
     *
     * @param from the epoch that they go back to, or null for the beginning
     * @throws HostsAwayException if there is no place, or what they start from could not be brought there
     */
    void prepare(int generation, @Nullable EpochManifest from) throws IOException;

    /** Starts a rank at its place; a place that is lost meanwhile gives a process that has ended. */
    Beside start(int worldRank, int incarnation, int life) throws IOException;

    /**
     * A process that is to be a rank, or to take it over.
     *
     * @param host name of its host, or empty for this one
     * @param link if it was started before ({@link Spares}): its connection, on which it waits for Welcome
     */
    record Beside(String host, Process process, @Nullable ControlLine link) {
        Beside(String host, Process process) {
            this(host, process, null);
        }
    }

    /**
     * Starts another process of a rank, which is to take it over.
     *
     * @param host where, as the user has said it; empty for anywhere
     * @throws IOException saying why that cannot be
     */
    Beside startBeside(int worldRank, int incarnation, int life, String host) throws IOException;

    /**
     * Starts another process of a rank, which is to be that rank when its present one has ended; until it has {@link #moved} the
     * rank's place is where it was.
     *
     * @param host from {@link #placeFor}
     * @throws IOException saying why that cannot be
     */
    Beside startAt(int worldRank, int incarnation, int life, String host) throws IOException;

    /**
     * Where a rank may go on in another process.
     *
     * @param host as the user has said it, its own one among them; empty for any other one
     * @return name of the host, or empty for this one
     * @throws IOException saying why that cannot be
     */
    String placeFor(int worldRank, String host) throws IOException;

    /**
     * Starts a rank whose process has ended anew: at its host, or, if that is gone, where there is room; that is its place from
     * here on.
     *
     * @param host its own
     * @throws IOException saying why there is no place
     */
    Beside startAgain(int worldRank, int incarnation, int life, String host) throws IOException;

    /**
     * Brings what a rank goes back to where it is.
     *
     * @return completed on any thread: an empty text when it is there, else why it is not
     */
    CompletableFuture<String> bring(EpochManifest from, int worldRank);

    /**
     * Brings the image of a rank that moves from the job's folder at one host to that at another.
     *
     * @return completed on any thread: an empty text when it is there, else why it is not
     */
    CompletableFuture<String> ship(String image, String fromHost, String toHost);

    /** Such an image is not needed any more, at either host. */
    void discard(String image, String fromHost, String toHost);

    /** A rank is at another host from now on. */
    void moved(int worldRank, String host);

    /** Name of the host of a rank, for people; empty on this one. */
    String host(int worldRank);

    /** One that may be lost, with all processes that were started there. */
    interface Host {
        String name();

        /** Whether a process was started there. */
        boolean has(Process process);

        /** Its processes count as killed from now on. */
        void lost();
    }

    /**
     * The job has ended.
     *
     * @param forGood nobody will resume it
     */
    void ended(boolean forGood);

    @Override
    void close();
}
