package org.gridmpj.coll;

import org.gridmpj.comm.Group;

/**
 * The processes that an algorithm runs among, and which of them this one is.
 *
 * @param rank the own rank in the group
 */
record Team(Group group, int rank) {
    int size() {
        return group.size();
    }

    int worldRank(int member) {
        return group.worldRank(member);
    }

    /** The member so many places further on, around the ring; steps may be negative. */
    int around(int steps) {
        return Math.floorMod(rank + steps, group.size());
    }
}
