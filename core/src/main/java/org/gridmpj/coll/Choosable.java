package org.gridmpj.coll;

import java.util.List;
import java.util.Locale;

/** The operations that have more than one algorithm. */
enum Choosable {
    BARRIER(Algorithm.DISSEMINATION, Algorithm.LINEAR),
    BCAST(Algorithm.BINOMIAL, Algorithm.SCATTER_ALLGATHER),
    GATHER(Algorithm.LINEAR, Algorithm.BINOMIAL),
    SCATTER(Algorithm.LINEAR, Algorithm.BINOMIAL),
    ALLGATHER(Algorithm.RING, Algorithm.BRUCK, Algorithm.LINEAR),
    ALLTOALL(Algorithm.LINEAR, Algorithm.BRUCK, Algorithm.PAIRWISE),
    ALLREDUCE(Algorithm.RECURSIVE_DOUBLING, Algorithm.RABENSEIFNER, Algorithm.RING),
    REDUCE_SCATTER(Algorithm.BY_REDUCE, Algorithm.PAIRWISE);

    private final List<Algorithm> algorithms;

    Choosable(Algorithm... algorithms) {
        this.algorithms = List.of(algorithms);
    }

    /** All that it can be done by. */
    List<Algorithm> algorithms() {
        return algorithms;
    }

    /** The one that can do each call: objects, operations that are not commutative, any count. */
    Algorithm general() {
        return algorithms.getFirst();
    }

    /** As a selection table spells it: {@code reduce-scatter}. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
