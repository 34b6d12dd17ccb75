package org.gridmpj.testkit;

import java.util.Arrays;

/** Ways to put ranks on invented hosts. */
public enum Placing {
    /** All on one host. */
    TOGETHER,
    /** Three consecutive ranks on each host. */
    BLOCKED,
    /** Rank after rank on the next of three hosts. */
    CYCLIC,
    /** Each rank on a host of its own. */
    EACH_ALONE,
    /** Hosts of one, two, … ranks. */
    UNEVEN,
    /** Without any order, and the hosts' numbers neither from 0 nor ascending. */
    MIXED;

    private static final int[] MIXTURE = {7, 2, 7, 5, 2, 7, 2, 9, 5};

    /** By rank: a number of its host. */
    public int[] hosts(int ranks) {
        int[] hosts = new int[ranks];
        Arrays.setAll(hosts, this::host);
        return hosts;
    }

    private int host(int rank) {
        return switch (this) {
            case TOGETHER -> 0;
            case BLOCKED -> rank / 3;
            case CYCLIC -> rank % 3;
            case EACH_ALONE -> rank;
            case UNEVEN -> (int) ((Math.sqrt(8.0 * rank + 1) - 1) / 2);
            case MIXED -> MIXTURE[rank % MIXTURE.length];
        };
    }
}
