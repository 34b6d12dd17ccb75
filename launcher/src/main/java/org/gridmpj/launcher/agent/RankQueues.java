package org.gridmpj.launcher.agent;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * What the launcher wants of each rank, done in its order by a thread of that rank's: a process that does not end, or does not read,
 * holds up no other rank, and not the one who reads the launcher's connection.
 */
final class RankQueues implements AutoCloseable {
    private final Map<Integer, ExecutorService> queues = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** Once closed, nothing is done any more. */
    void execute(int worldRank, Runnable work) {
        ExecutorService queue = queues.computeIfAbsent(
                worldRank, rank -> Executors.newSingleThreadExecutor(task -> AgentJob.thread("rank-" + rank, task)));
        if (closed) {
            queue.shutdown();
        }
        try {
            queue.execute(work);
        } catch (RejectedExecutionException e) {
            // closed meanwhile
        }
    }

    /** What has begun is interrupted, and not awaited. */
    @Override
    public void close() {
        closed = true;
        queues.values().forEach(ExecutorService::shutdownNow);
    }
}
