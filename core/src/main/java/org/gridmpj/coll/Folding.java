package org.gridmpj.coll;

import org.gridmpj.datatype.Reducer;

/**
 * Makes p a power of two for algorithms that need it: of the first 2·(p − 2ᵏ) processes each even one hands its data to
 * its odd neighbour and waits for the result.
 *
 * <pre>
 *   p = 6, 2ᵏ = 4     0 ─▶ 1   2 ─▶ 3   4   5
 *   folded rank            0        1   2   3      the order of the ranks stays
 * </pre>
 *
 * @param rank the folded rank, −1 for a process that only waits
 */
record Folding(Team team, int power, int rank) {
    static Folding of(Team team) {
        int power = Integer.highestOneBit(team.size());
        int extra = team.size() - power;
        int rank = team.rank();
        if (rank >= 2 * extra) {
            return new Folding(team, power, rank - extra);
        }
        return new Folding(team, power, rank % 2 == 0 ? -1 : rank / 2);
    }

    private int extra() {
        return team.size() - power;
    }

    private boolean hasNeighbour() {
        return team.rank() < 2 * extra();
    }

    boolean isIdle() {
        return rank < 0;
    }

    /** World rank of a folded rank. */
    int worldRank(int folded) {
        return team.worldRank(folded < extra() ? 2 * folded + 1 : folded + extra());
    }

    /** The first step: work is what the process has, spare room for what comes. */
    void fold(ScheduleBuilder schedule, Region work, Region spare, Reducer op) {
        if (!hasNeighbour()) {
            return;
        }
        schedule.nextRound();
        if (isIdle()) {
            schedule.send(work, team.worldRank(team.rank() + 1));
        } else {
            schedule.receive(spare, team.worldRank(team.rank() - 1));
            schedule.combine(spare, work, op);
        }
        schedule.nextRound();
    }

    /** The last step: those that waited get the result. */
    void unfold(ScheduleBuilder schedule, Region result) {
        schedule.nextRound();
        if (hasNeighbour()) {
            if (isIdle()) {
                schedule.receive(result, team.worldRank(team.rank() + 1));
            } else {
                schedule.send(result, team.worldRank(team.rank() - 1));
            }
        }
        schedule.nextRound();
    }
}
