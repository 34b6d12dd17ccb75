package org.gridmpj.launcher.job;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Standard input of a job with checkpoints: goes to rank 0, and is kept from the position of the older one of the two epochs on
 * that are kept, to be fed again after a rollback. (Without checkpoints rank 0 inherits the launcher's own.)
 *
 * <p>Guarded by its monitor; one thread reads, one per life of rank 0 feeds.
 */
final class StdinFeed {
    private static final int CHUNK_BYTES = 16 << 10;

    /** Input kept beyond this waits in the pipe until the next committed epoch lets go of some. */
    private static final long MAX_KEPT_BYTES = 256L << 20;

    private final InputStream in;
    private final boolean keeps;
    private final Machine machine;
    private final ArrayDeque<byte[]> kept = new ArrayDeque<>();
    private long firstKept;
    private long end;
    private boolean ended;
    private int life;

    /** @param keeps whether it may have to be fed again */
    StdinFeed(InputStream in, boolean keeps, Machine machine) {
        this.in = in;
        this.keeps = keeps;
        this.machine = machine;
        Thread _ = machine.daemon("stdin", this::read);
    }

    private void read() {
        byte[] buffer = new byte[CHUNK_BYTES];
        try {
            int length;
            while ((length = in.read(buffer)) >= 0) {
                byte[] chunk = Arrays.copyOf(buffer, length);
                synchronized (this) {
                    while (end - firstKept > MAX_KEPT_BYTES) {
                        wait();
                    }
                    kept.add(chunk);
                    end += length;
                    notifyAll();
                }
            }
        } catch (IOException | InterruptedException e) {
            // as an end of file
        }
        synchronized (this) {
            ended = true;
            notifyAll();
        }
    }

    /** Whether the input from this offset on is there, as far as it has come. */
    synchronized boolean has(long offset) {
        return offset >= firstKept;
    }

    /** Feeds a new life of rank 0 from this offset on; the one before gets nothing more. */
    synchronized void feed(OutputStream process, long fromOffset) {
        life++;
        int thisLife = life;
        Thread _ = machine.daemon("stdin-feed", () -> run(process, fromOffset, thisLife));
    }

    private void run(OutputStream process, long fromOffset, int thisLife) {
        long offset = fromOffset;
        try (process) {
            byte[] next;
            while ((next = after(offset, thisLife)) != null) {
                process.write(next);
                process.flush();
                offset += next.length;
                if (!keeps) {
                    committed(offset);
                }
            }
        } catch (IOException e) {
            // the process has closed its input or is gone
        }
    }

    private synchronized byte @Nullable [] after(long offset, int thisLife) {
        while (life == thisLife && offset >= end && !ended) {
            try {
                wait();
            } catch (InterruptedException e) {
                return null;
            }
        }
        if (life != thisLife || offset >= end) {
            return null;
        }
        long at = firstKept;
        for (byte[] chunk : kept) {
            if (offset < at + chunk.length) {
                return Arrays.copyOfRange(chunk, (int) Math.max(0, offset - at), chunk.length);
            }
            at += chunk.length;
        }
        return null;
    }

    /** Nobody goes back behind a cut at this offset: nothing before it is needed again. */
    synchronized void committed(long cutOffset) {
        while (!kept.isEmpty() && firstKept + kept.getFirst().length <= cutOffset) {
            firstKept += kept.removeFirst().length;
        }
        notifyAll();
    }
}
