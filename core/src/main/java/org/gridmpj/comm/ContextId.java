package org.gridmpj.comm;

/**
 * The identity of a communicator, carried by each of its messages so that those of two communicators never match
 * (MPI standard, 7.1.2).
 *
 * <p>A context id is derived from the path of creations:
 *
 * <pre>
 *   WORLD ── split, the 3rd creation in WORLD, colour 7 ── dup, the 1st creation in that
 *     id₀ ──▶ id₁ = mix(id₀, 3, SPLIT, 7)               ──▶ id₂ = mix(id₁, 1, DUP, 0)
 * </pre>
 *
 * Since creations are collective, all members compute the same number without a message, and so does a program that is
 * run again after a crash. 64 mixed bits make a collision improbable (10⁻⁷ with a million communicators); a process that
 * would hold two communicators of one id reports it ({@link LiveContexts}).
 *
 * @param value the base number; the numbers that messages carry are {@link #pointToPoint} and {@link #collective}
 */
record ContextId(long value) {
    /** Ways to create a communicator. The codes enter the ids: never reordered. */
    enum Kind {
        WORLD(1),
        SELF(2),
        DUP(3),
        CREATE(4),
        SPLIT(5),
        INTERCOMM(6),
        /** The hidden intracommunicator of an intercommunicator's local group. */
        LOCAL_GROUP(7),
        MERGE(8),
        CARTESIAN(9),
        GRAPH(10),
        CARTESIAN_SUB(11);

        private final int code;

        Kind(int code) {
            this.code = code;
        }
    }

    private static final long ROOT = 0x47524944_4D504A31L;
    private static final long POINT_TO_POINT = 0x01;
    private static final long COLLECTIVE = 0x02;
    private static final long LEADERS = 0x03;

    static ContextId world() {
        return new ContextId(ROOT).derive(0, Kind.WORLD, 0);
    }

    static ContextId self(int worldRank) {
        return new ContextId(ROOT).derive(0, Kind.SELF, worldRank);
    }

    /**
     * The id of a creation.
     *
     * @param ordinal number of the creation within this communicator, from 1
     * @param discriminator what tells apart the communicators of one creation: a split's colour
     */
    ContextId derive(long ordinal, Kind kind, long discriminator) {
        return new ContextId(mix(mix(mix(value, ordinal), kind.code), discriminator));
    }

    /** What point-to-point messages carry. */
    long pointToPoint() {
        return mix(value, POINT_TO_POINT);
    }

    /** What messages of collectives carry. */
    long collective() {
        return mix(value, COLLECTIVE);
    }

    /** What the leaders of an intercommunicator's two groups exchange over their peer communicator carries. */
    long leaders() {
        return mix(value, LEADERS);
    }

    /** SplitMix64's finaliser (Steele, Lea and Flood 2014) over both numbers: each bit of either changes half of the result. */
    static long mix(long a, long b) {
        long z = finish(a) + 0x9E3779B97F4A7C15L + b;
        return finish(z);
    }

    private static long finish(long value) {
        long z = value;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
