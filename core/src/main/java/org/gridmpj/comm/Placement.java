package org.gridmpj.comm;

import java.util.Arrays;

/**
 * Which ranks of a group are on one host, as it was when the job began: hosts are numbered in the order in which they appear
 * among the ranks. A rank that has moved since still counts as one of its first host. Immutable; plain data, part of an image
 * with its communicator.
 */
public final class Placement {
    private final int[] hostOfRank;
    /** By host, ascending. */
    private final int[][] ranksOfHost;

    private Placement(int[] hostOfRank, int[][] ranksOfHost) {
        this.hostOfRank = hostOfRank;
        this.ranksOfHost = ranksOfHost;
    }

    /** @param hostOfWorldRank any number for each host */
    static Placement of(Group group, int[] hostOfWorldRank) {
        int[] hostOfRank = new int[group.size()];
        int[][] ranksOfHost = new int[group.size()][];
        int[] numbers = new int[group.size()];
        int hosts = 0;
        for (int rank = 0; rank < hostOfRank.length; rank++) {
            int number = hostOfWorldRank[group.worldRank(rank)];
            int host = 0;
            while (host < hosts && numbers[host] != number) {
                host++;
            }
            if (host == hosts) {
                numbers[hosts++] = number;
                ranksOfHost[host] = new int[0];
            }
            hostOfRank[rank] = host;
            int[] before = ranksOfHost[host];
            int[] ranks = Arrays.copyOf(before, before.length + 1);
            ranks[before.length] = rank;
            ranksOfHost[host] = ranks;
        }
        return new Placement(hostOfRank, Arrays.copyOf(ranksOfHost, hosts));
    }

    /** Number of hosts. */
    public int hosts() {
        return ranksOfHost.length;
    }

    /** The host of a rank, from 0. */
    public int hostOf(int rank) {
        return hostOfRank[rank];
    }

    /** Number of ranks on a host. */
    public int ranksOn(int host) {
        return ranksOfHost[host].length;
    }

    /** A host's ranks, ascending: the place-th from 0. */
    public int rankOn(int host, int place) {
        return ranksOfHost[host][place];
    }

    /** The place of a rank among those of its host, from 0. */
    public int placeOf(int rank) {
        return Arrays.binarySearch(ranksOfHost[hostOfRank[rank]], rank);
    }

    /** All ranks, host after host. */
    public int[] ranksByHost() {
        return Arrays.stream(ranksOfHost).flatMapToInt(Arrays::stream).toArray();
    }

    /** Whether there are several hosts, and one of them has several ranks. */
    public boolean isNested() {
        return hosts() > 1 && hosts() < hostOfRank.length;
    }
}
