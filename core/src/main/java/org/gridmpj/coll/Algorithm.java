package org.gridmpj.coll;

import java.util.Locale;

/** Algorithms of collectives, by the stems of their classes' names. */
enum Algorithm {
    BINOMIAL,
    BRUCK,
    BY_REDUCE,
    DIRECT,
    DISSEMINATION,
    HIERARCHICAL,
    LINEAR,
    PAIRWISE,
    RABENSEIFNER,
    RECURSIVE_DOUBLING,
    RING,
    SCATTER_ALLGATHER,
    /** On a {@link Board}. */
    SEGMENT;

    /** As a selection table spells it: {@code scatter-allgather}. */
    String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
