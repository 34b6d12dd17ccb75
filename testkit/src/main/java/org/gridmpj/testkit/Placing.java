package org.gridmpj.testkit;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/** Ways to put ranks on invented hosts. */
public enum Placing {
    /** Three consecutive ranks on each host. */
    BLOCKED(rank -> rank / 3),
    /** Rank after rank on the next of three hosts. */
    CYCLIC(rank -> rank % 3),
    /** Each rank on a host of its own. */
    EACH_ALONE(rank -> rank),
    /** Hosts of one, two, … ranks. */
    UNEVEN(rank -> (int) ((Math.sqrt(8.0 * rank + 1) - 1) / 2)),
    /** Without any order, and the hosts' numbers neither from 0 nor ascending. */
    MIXED(rank -> new int[] {7, 2, 7, 5, 2, 7, 2, 9, 5}[rank % 9]);

    private final IntUnaryOperator hostOfRank;

    Placing(IntUnaryOperator hostOfRank) {
        this.hostOfRank = hostOfRank;
    }

    /** By rank: a number of its host. */
    public int[] hosts(int ranks) {
        int[] hosts = new int[ranks];
        Arrays.setAll(hosts, hostOfRank);
        return hosts;
    }
}
