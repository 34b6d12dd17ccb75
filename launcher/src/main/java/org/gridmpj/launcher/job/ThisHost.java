package org.gridmpj.launcher.job;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.gridmpj.checkpoint.EpochManifest;
import org.jspecify.annotations.Nullable;

/**
 * All ranks are children of the launcher.
 *
 * @param folder of the job
 * @param control where they find it
 * @param spares of this job
 */
record ThisHost(Path folder, RankStarter starter, InetSocketAddress control, Spares spares) implements RankPlaces {
    static final String LOOPBACK = "127.0.0.1";

    @Override
    public void reach(boolean resumed) {
        // it is here
    }

    @Override
    public boolean awaitOthers(long nanos) {
        return false;
    }

    @Override
    public void prepare(int generation, @Nullable EpochManifest from) {
        // everything is here
    }

    @Override
    public Beside start(int worldRank, int incarnation, int life) throws IOException {
        Beside spare = spares.take(worldRank, incarnation);
        return spare != null ? spare : new Beside("", starter.start(worldRank, incarnation, control, LOOPBACK, false));
    }

    @Override
    public Beside startBeside(int worldRank, int incarnation, int life, String host) throws IOException {
        return startAt(worldRank, incarnation, life, placeFor(worldRank, host));
    }

    @Override
    public Beside startAt(int worldRank, int incarnation, int life, String host) throws IOException {
        return start(worldRank, incarnation, life);
    }

    @Override
    public String placeFor(int worldRank, String host) throws IOException {
        if (!host.isEmpty() && !host.equals("localhost") && !host.equals(LOOPBACK)) {
            throw new IOException("all ranks of this job are on the launcher's host: it can move to a new process there"
                    + " (mpjctl migrate JOB RANK localhost); --hosts places ranks on several hosts");
        }
        return "";
    }

    @Override
    public Beside startAgain(int worldRank, int incarnation, int life, String host) throws IOException {
        return startAt(worldRank, incarnation, life, host);
    }

    @Override
    public CompletableFuture<String> bring(EpochManifest from, int worldRank) {
        return CompletableFuture.completedFuture("");
    }

    @Override
    public CompletableFuture<String> ship(String image, String fromHost, String toHost) {
        return CompletableFuture.completedFuture("");
    }

    @Override
    public void discard(String image, String fromHost, String toHost) {
        try {
            Files.deleteIfExists(folder.resolve(image));
        } catch (IOException e) {
            // it goes with the job's folder
        }
    }

    @Override
    public void moved(int worldRank, String host) {
        // there is one host only
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
        // the ranks are the job's own to end
    }
}
