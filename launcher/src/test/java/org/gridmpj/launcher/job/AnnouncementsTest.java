package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.gridmpj.launcher.coordination.Coordination;
import org.gridmpj.launcher.coordination.CoordinationFailure;
import org.junit.jupiter.api.Test;

class AnnouncementsTest {
    private final List<String> said = new ArrayList<>();
    private final List<Object> noted = new ArrayList<>();
    /** What waits for the thread of the notes. */
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    private boolean away;

    private final Coordination coordination = (Coordination) Proxy.newProxyInstance(
            Coordination.class.getClassLoader(), new Class<?>[] {Coordination.class}, (proxy, method, arguments) -> {
                if (away) {
                    throw new CoordinationFailure("ZooKeeper is away (" + method.getName() + ")", null);
                }
                return noted.add(arguments[0]);
            });
    private final Announcements announcements = new Announcements(coordination, tasks::add, said::add);

    private void commit(int epoch) {
        announcements.committed(new Coordination.Committed(0, epoch));
    }

    private void runNotes() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    @Test
    void shouldNoteTheLastOfThoseThatWait() {
        commit(1);
        commit(2);
        commit(3);
        assertThat(noted).isEmpty();
        assertThat(tasks).hasSize(1);
        runNotes();
        commit(4);
        runNotes();
        assertThat(noted).containsExactly(new Coordination.Committed(0, 3), new Coordination.Committed(0, 4));
        assertThat(said).isEmpty();
    }

    @Test
    void shouldSayOnceThatNothingCanBeNotedAndOnceThatItCanAgain() {
        away = true;
        commit(1);
        runNotes();
        commit(2);
        runNotes();
        assertThat(said)
                .containsExactly("snapshot 1 is on disk but could not be announced, the job goes on: ZooKeeper is away"
                        + " (commit)");
        away = false;
        said.clear();
        commit(3);
        runNotes();
        commit(4);
        runNotes();
        assertThat(said).containsExactly("snapshot 3 is announced, as later ones will be");
        assertThat(noted).containsExactly(new Coordination.Committed(0, 3), new Coordination.Committed(0, 4));
    }
}
