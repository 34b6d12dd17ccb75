package org.gridmpj.launcher.job;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.gridmpj.job.control.ControlMessage;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;

/**
 * Notes in the agreed state which ranks are there. That is for people only, nothing is decided by it: so the job neither ends
 * nor waits where it cannot be noted, for ZooKeeper may be away for long, and to find that out takes long too.
 *
 * <p>Called by the job's thread; what is to be noted waits for a thread of its own, in order.
 */
final class Members implements AutoCloseable {
    private final Coordination coordination;
    private final Consumer<String> say;
    private final ExecutorService notes = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("members").factory());
    /** Confined to the thread of the notes. */
    private boolean said;

    private volatile boolean closed;

    Members(Coordination coordination, Consumer<String> say) {
        this.coordination = coordination;
        this.say = say;
    }

    /** A rank listens there. */
    void joined(int worldRank, ControlMessage.Bound at) {
        note(() -> coordination.join(worldRank, at.host() + ":" + at.port()));
    }

    /** A rank has ended. */
    void left(int worldRank) {
        note(() -> coordination.leave(worldRank));
    }

    private void note(Runnable change) {
        notes.execute(() -> {
            try {
                change.run();
            } catch (CoordinationFailure e) {
                if (!said && !closed) {
                    said = true;
                    say.accept("which ranks are there cannot be noted now, the job goes on: " + e.getMessage());
                }
            }
        });
    }

    /** What is not noted by now stays so: the ranks of a launcher that is gone are gone. */
    @Override
    public void close() {
        closed = true;
        notes.shutdownNow();
    }
}
