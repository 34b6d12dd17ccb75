package org.gridmpj.checkpoint;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * A file that goes to the disk while it is being written. Left to itself the system keeps in memory what is not forced
 * yet: the disk would wait while blocks are hashed and compressed, and the processor while they are forced. A file shorter
 * than a step is forced at its end only.
 *
 * <p>Confined to the thread that writes; another one forces.
 */
public final class ForcedAlong implements WritableByteChannel {
    /** Long enough for the disk to work at its full speed, short enough for little to be left at the end. */
    static final long STEP_BYTES = 8L << 20;

    private final WritableByteChannel file;
    private final Force force;
    private final Background background;
    private Future<Void> forced = CompletableFuture.completedFuture(null);
    private long unforcedBytes;

    /** A file whose bytes a thread of its own forces; closing this closes it. */
    public ForcedAlong(FileChannel file) {
        this(file, Background.THREADS);
    }

    ForcedAlong(FileChannel file, Background background) {
        this(file, file::force, background);
    }

    ForcedAlong(WritableByteChannel file, Force force, Background background) {
        this.file = file;
        this.force = force;
        this.background = background;
    }

    /** Who forces while the writer goes on. */
    @FunctionalInterface
    interface Background {
        /** A daemon thread for each task. */
        Background THREADS = (name, task) -> {
            FutureTask<Void> future = new FutureTask<>(task);
            Thread.ofPlatform().daemon().name(name).start(future);
            return future;
        };

        /** Begins a task. */
        Future<Void> begin(String name, Callable<Void> task);
    }

    /** As {@link FileChannel#force}. */
    @FunctionalInterface
    interface Force {
        void force(boolean metadata) throws IOException;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int written = file.write(source);
        unforcedBytes += written;
        if (unforcedBytes >= STEP_BYTES && forced.isDone()) {
            awaitForced();
            begin(false);
        }
        return written;
    }

    /** Begins to force all that is left, and what the file system notes of the file. */
    public void forceRest() {
        begin(true);
    }

    /**
     * Waits until all of it is on the disk that was to be forced.
     *
     * @throws IOException also if it was an earlier part that could not be written: the system says so only once
     */
    public void awaitForced() throws IOException {
        await(forced);
    }

    private static void await(Future<Void> task) throws IOException {
        try {
            task.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("while a file was forced to disk");
        }
    }

    private void begin(boolean metadata) {
        unforcedBytes = 0;
        Future<Void> before = forced;
        forced = background.begin(Thread.currentThread().getName() + "-force", () -> {
            await(before);
            force.force(metadata);
            return null;
        });
    }

    @Override
    public boolean isOpen() {
        return file.isOpen();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
