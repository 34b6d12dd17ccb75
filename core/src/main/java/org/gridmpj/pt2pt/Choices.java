package org.gridmpj.pt2pt;

import java.util.Arrays;
import java.util.List;
import org.gridmpj.transport.log.Outcomes;
import org.jspecify.annotations.Nullable;

/**
 * Which of several requests Waitany and Waitsome complete (docs/design/0018): recorded where one rank alone may go back, and
 * followed by one that has. Absent otherwise. Takes the progress lock itself.
 */
final class Choices {
    private final Outcomes outcomes;
    private final ProgressEngine progress;

    Choices(Outcomes outcomes, ProgressEngine progress) {
        this.outcomes = outcomes;
        this.progress = progress;
    }

    /**
     * What the wait at hand completed before this rank went back; null if it is free. Blocks until that is known, and then
     * until those requests are complete.
     */
    @Nullable
    List<Integer> awaitAsBefore(@Nullable Request[] requests) {
        List<Integer> before = ofNext();
        if (before == null) {
            return null;
        }
        for (int index : before) {
            Request request = index < requests.length ? requests[index] : null;
            if (request == null || !request.isActive()) {
                progress.lock.lock();
                try {
                    outcomes.choiceDiverged(Arrays.toString(requests));
                } finally {
                    progress.lock.unlock();
                }
                return null;
            }
            if (!request.isComplete()) {
                progress.await(request, false);
            }
        }
        return before;
    }

    private @Nullable List<Integer> ofNext() {
        progress.lock.lock();
        try {
            if (!outcomes.areAwaited()) {
                return outcomes.ofNextChoice();
            }
        } finally {
            progress.lock.unlock();
        }
        progress.await(new Condition("what it got before it went back", () -> !outcomes.areAwaited()), true);
        progress.lock.lock();
        try {
            return outcomes.ofNextChoice();
        } finally {
            progress.lock.unlock();
        }
    }

    void chosen(int[] indices, int count) {
        progress.lock.lock();
        try {
            outcomes.chosen(indices, count);
        } finally {
            progress.lock.unlock();
        }
    }
}
