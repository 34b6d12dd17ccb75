package org.gridmpj.coll;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import org.gridmpj.comm.Group;
import org.gridmpj.comm.Placement;

/** The teams that a placement makes of a team: the ranks of each host, the hosts' leaders, and all in the order of hosts. */
record Levels(Team team, Placement placement) {
    private int ownHost() {
        return placement.hostOf(team.rank());
    }

    private Team of(int size, IntUnaryOperator rankOfMember, int ownMember) {
        int[] worldRanks = new int[size];
        Arrays.setAll(worldRanks, member -> team.worldRank(rankOfMember.applyAsInt(member)));
        return new Team(Group.of(worldRanks), ownMember);
    }

    /** The ranks of this one's host, ascending. */
    Team onHost() {
        int host = ownHost();
        return of(placement.ranksOn(host), place -> placement.rankOn(host, place), placement.placeOf(team.rank()));
    }

    /** The lowest rank of each host, by host; for a leader to ask. */
    Team leaders() {
        return leaders(placement.rankOn(0, 0));
    }

    /** As {@link #leaders()}, but the root leads its host. */
    Team leaders(int root) {
        int rootHost = placement.hostOf(root);
        return of(placement.hosts(), host -> host == rootHost ? root : placement.rankOn(host, 0), ownHost());
    }

    /** All ranks, host after host: a rank's neighbours are on its host as far as may be. */
    Team inOrderOfHosts() {
        int[] order = placement.ranksByHost();
        int own = 0;
        while (order[own] != team.rank()) {
            own++;
        }
        return of(order.length, member -> order[member], own);
    }
}
