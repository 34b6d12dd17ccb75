package org.gridmpj.transport.log;

import java.util.ArrayList;
import java.util.List;

/**
 * What a holder has of another rank's determinants: those since that rank's last committed cut. Guarded by the progress
 * lock.
 */
final class HeldDeterminants {
    private final List<Determinant> held = new ArrayList<>();
    private long first;

    /** Takes some more; what is there from their first number on is replaced. */
    void take(DeterminantRun run) {
        if (held.isEmpty() || run.first() > end() || run.first() < first) {
            // a gap is never filled silently: who reads this back sees where it begins
            held.clear();
            first = run.first();
        }
        held.subList((int) (run.first() - first), held.size()).clear();
        held.addAll(run.determinants());
        int useless = Math.clamp(run.keepFrom() - first, 0, held.size());
        held.subList(0, useless).clear();
        first += useless;
    }

    /** The number that the next one will have. */
    long end() {
        return first + held.size();
    }

    /** All of them. */
    DeterminantRun all() {
        return new DeterminantRun(first, first, List.copyOf(held));
    }
}
