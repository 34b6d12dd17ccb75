package org.gridmpj.checkpoint;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The images that a rank has written in this process: which one the next can be an increment to. Only a committed one can
 * be, since others are removed. Guarded by its own monitor: the writer's thread and the one that hears of commits meet here.
 */
final class ImageHistory {
    private static final int FAILURES_THAT_MAKE_IT_FULL = 2;

    private final TreeMap<Integer, ImageLineage> written = new TreeMap<>();
    private @Nullable ImageLineage base;
    private int failures;

    /** What the next image is an increment to; null if it is to be a full one. */
    synchronized @Nullable ImageLineage base() {
        return base == null || base.isExhausted() ? null : base;
    }

    /** An image is on disk. */
    synchronized void written(int epoch, ImageLineage lineage) {
        written.put(epoch, lineage);
    }

    /** The epoch is real; older ones under way never will be. */
    synchronized void committed(int epoch) {
        ImageLineage lineage = written.get(epoch);
        written.headMap(epoch, true).clear();
        if (lineage != null) {
            base = lineage;
            failures = 0;
        }
    }

    /** An epoch whose image was written here is given up. Again and again: the trouble may be what it refers to. */
    synchronized void abandoned(int epoch) {
        if (written.remove(epoch) != null && ++failures >= FAILURES_THAT_MAKE_IT_FULL) {
            forget();
        }
    }

    /** Trusts no image any more: the next one is a full one. */
    synchronized void forget() {
        base = null;
        written.clear();
    }
}
