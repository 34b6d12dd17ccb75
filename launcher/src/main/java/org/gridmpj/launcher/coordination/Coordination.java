package org.gridmpj.launcher.coordination;

import java.util.SortedMap;

/**
 * What the parts of one job agree on. Two implementations, one contract (CoordinationContract in the tests): held by the
 * launcher in the job folder, and ZooKeeper.
 *
 * <pre>
 *   generation    0 → 1 → 2 …        compare-and-set: whoever loses has been replaced and stops
 *   incarnation   per rank, 0 → 1 …  compare-and-set: the fence between a rank and its successor
 *   committed     (generation, epoch), only ever later
 *   state         starting → running → ended(code)
 *   members       world rank → a word for people; gone when the launcher is
 * </pre>
 *
 * Everything but the members is durable when the call returns. Any thread may call.
 */
public interface Coordination extends AutoCloseable {
    /** A committed epoch; generation −1 and epoch −1 before the first. */
    record Committed(int generation, int epoch) {
        /** Nothing is committed yet. */
        public static final Committed NONE = new Committed(-1, -1);

        boolean isLaterThan(Committed other) {
            return generation > other.generation || (generation == other.generation && epoch > other.epoch);
        }
    }

    /** How often the job was rolled back or resumed. */
    int generation();

    /** Raises the generation by one if it is still the expected one. */
    boolean raiseGeneration(int expected);

    /** How often a rank was started again. */
    int incarnation(int worldRank);

    /** Raises a rank's incarnation by one if it is still the expected one. */
    boolean raiseIncarnation(int worldRank, int expected);

    /** The last committed epoch. */
    Committed committed();

    /**
     * Notes a committed epoch.
     *
     * @return whether it was later than the one noted before; else nothing has changed
     */
    boolean commit(Committed epoch);

    /** The job's state, a short text. */
    String state();

    /** Sets the job's state. */
    void state(String state);

    /** A rank is there. */
    void join(int worldRank, String member);

    /** A rank is gone. */
    void leave(int worldRank);

    /** The ranks that are there. */
    SortedMap<Integer, String> members();

    /** Lets go; members of this launcher are gone. */
    @Override
    void close();
}
