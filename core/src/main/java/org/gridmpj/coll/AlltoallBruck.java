package org.gridmpj.coll;

/**
 * Total exchange by Bruck's algorithm (Bruck et al. 1997): a block that has d places to go travels by the binary digits
 * of d, together with all others that have that digit.
 *
 * <p>When: short blocks and many processes. Cost: ⌈lg p⌉·α + ⌈lg p⌉·(p/2)·n·β, and copies.
 */
final class AlltoallBruck {
    private AlltoallBruck() {}

    /** send and receive are the first blocks. */
    static void append(ScheduleBuilder schedule, Team team, Region send, Region receive) {
        int size = team.size();
        int block = send.elements();
        // travelling[d] is the block that has d places to go, later the one that came d places.
        Region[] travelling =
                Region.blocks(send.packed(Math.multiplyExact(block, size)).slice(0, block), size);
        for (int distance = 0; distance < size; distance++) {
            schedule.move(send.slice(team.around(distance) * send.count(), send.count()), travelling[distance]);
        }
        Region out = send.packed(block * ((size + 1) / 2));
        Region in = send.packed(block * ((size + 1) / 2));
        for (int digit = 1; digit < size; digit *= 2) {
            int blocks = 0;
            for (int distance = digit; distance < size; distance++) {
                if ((distance & digit) != 0) {
                    schedule.move(travelling[distance], out.slice(block * blocks++, block));
                }
            }
            schedule.nextRound();
            schedule.receive(in.slice(0, block * blocks), team.worldRank(team.around(-digit)));
            schedule.send(out.slice(0, block * blocks), team.worldRank(team.around(digit)));
            blocks = 0;
            for (int distance = digit; distance < size; distance++) {
                if ((distance & digit) != 0) {
                    schedule.move(in.slice(block * blocks++, block), travelling[distance]);
                }
            }
        }
        for (int distance = 0; distance < size; distance++) {
            schedule.move(
                    travelling[distance], receive.slice(team.around(-distance) * receive.count(), receive.count()));
        }
        schedule.nextRound();
    }
}
