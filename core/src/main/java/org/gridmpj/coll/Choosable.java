package org.gridmpj.coll;

import java.util.List;
import java.util.Locale;

/** The operations that have more than one algorithm. */
enum Choosable {
    BARRIER(1),
    BCAST(2),
    GATHER(3),
    SCATTER(4),
    ALLGATHER(5),
    ALLTOALL(6),
    REDUCE(7),
    ALLREDUCE(8),
    REDUCE_SCATTER(9),
    /** Also exclusive. */
    SCAN(10),
    ALLGATHERV(11),
    /** Its bytes are 0: no rank knows the lengths of all. */
    ALLTOALLV(12);

    private final int code;

    Choosable(int code) {
        this.code = code;
    }

    /** What it is called on a {@link Board}; from 1. */
    int code() {
        return code;
    }

    /** All that it can be done by, the general one first. */
    List<Algorithm> algorithms() {
        return switch (this) {
            case BARRIER ->
                List.of(
                        Algorithm.DISSEMINATION,
                        Algorithm.LINEAR,
                        Algorithm.DIRECT,
                        Algorithm.HIERARCHICAL,
                        Algorithm.SEGMENT);
            case BCAST ->
                List.of(Algorithm.BINOMIAL, Algorithm.SCATTER_ALLGATHER, Algorithm.HIERARCHICAL, Algorithm.SEGMENT);
            case GATHER -> List.of(Algorithm.LINEAR, Algorithm.BINOMIAL, Algorithm.SEGMENT);
            case SCATTER -> List.of(Algorithm.LINEAR, Algorithm.BINOMIAL);
            case ALLGATHER ->
                List.of(Algorithm.RING, Algorithm.BRUCK, Algorithm.LINEAR, Algorithm.HIERARCHICAL, Algorithm.SEGMENT);
            case ALLTOALL -> List.of(Algorithm.LINEAR, Algorithm.BRUCK, Algorithm.PAIRWISE, Algorithm.SEGMENT);
            case REDUCE -> List.of(Algorithm.BINOMIAL, Algorithm.HIERARCHICAL, Algorithm.SEGMENT);
            case ALLREDUCE ->
                List.of(
                        Algorithm.RECURSIVE_DOUBLING,
                        Algorithm.RABENSEIFNER,
                        Algorithm.RING,
                        Algorithm.DIRECT,
                        Algorithm.HIERARCHICAL,
                        Algorithm.SEGMENT);
            case REDUCE_SCATTER -> List.of(Algorithm.BY_REDUCE, Algorithm.PAIRWISE, Algorithm.SEGMENT);
            case ALLGATHERV -> List.of(Algorithm.RING, Algorithm.SEGMENT);
            case ALLTOALLV -> List.of(Algorithm.LINEAR, Algorithm.SEGMENT);
            case SCAN -> List.of(Algorithm.RECURSIVE_DOUBLING, Algorithm.LINEAR);
        };
    }

    /** The one that can do each call: objects, operations that are not commutative, any count. */
    Algorithm general() {
        return algorithms().getFirst();
    }

    /** As a selection table spells it: {@code reduce-scatter}. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
