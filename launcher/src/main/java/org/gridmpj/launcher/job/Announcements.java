package org.gridmpj.launcher.job;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.jspecify.annotations.Nullable;

/**
 * Notes in the agreed state which epoch was committed last. That is for people only: what can be gone back to are the manifests on
 * the launcher's disk, and who may go back is agreed by the generation. So the job neither ends nor waits where it cannot be noted,
 * for ZooKeeper may be away for long, and to find that out takes half a minute each time. Of several epochs that wait the last one
 * is noted.
 *
 * <p>Called by the job's thread; the notes are made by another one, in order.
 */
final class Announcements {
    private final Coordination coordination;
    private final Executor notes;
    private final Consumer<String> say;
    private final AtomicReference<Coordination.@Nullable Committed> next = new AtomicReference<>();
    /** Whether the last note failed. Confined to the thread of the notes. */
    private boolean away;

    /**
     * Nothing is noted yet.
     *
     * @param notes runs one task at a time, in order
     */
    Announcements(Coordination coordination, Executor notes, Consumer<String> say) {
        this.coordination = coordination;
        this.notes = notes;
        this.say = say;
    }

    /** This epoch can be gone back to. */
    void committed(Coordination.Committed epoch) {
        if (next.getAndSet(epoch) == null) {
            notes.execute(this::note);
        }
    }

    private void note() {
        Coordination.Committed epoch = next.getAndSet(null);
        if (epoch == null) {
            return;
        }
        try {
            boolean _ = coordination.commit(epoch);
            if (away) {
                away = false;
                say.accept("snapshot " + epoch.epoch() + " is announced, as later ones will be");
            }
        } catch (CoordinationFailure e) {
            if (!away) {
                away = true;
                say.accept("snapshot " + epoch.epoch() + " is on disk but could not be announced, the job goes on: "
                        + e.getMessage());
            }
        }
    }
}
