package org.gridmpj.coll;

/**
 * Broadcast of long messages: the root scatters p chunks down a binomial tree, then all gather them around a ring (van de
 * Geijn 1994). A buffer with gaps is packed into a temporary one.
 *
 * <p>When: long messages of a known size, enough processes. Cost: (⌈lg p⌉ + p − 1)·α + 2·(p − 1)/p·n·β.
 */
final class BcastScatterAllgather {
    private BcastScatterAllgather() {}

    static void append(ScheduleBuilder schedule, Team team, Region buffer, int root) {
        Region data = buffer.isContiguous() ? buffer.asElements() : buffer.packed(buffer.elements());
        if (team.rank() == root) {
            schedule.copy(buffer, data);
        }
        int size = team.size();
        int relative = Math.floorMod(team.rank() - root, size);
        scatter(schedule, team, data, root, relative);
        Region[] chunks = new Region[size];
        for (int chunk = 0; chunk < size; chunk++) {
            chunks[(chunk + root) % size] = chunks(data, chunk, chunk + 1, size);
        }
        AllgatherRing.circulate(schedule, team, chunks);
        if (team.rank() != root) {
            schedule.move(data, buffer);
        }
        schedule.nextRound();
    }

    /** Relative rank r ends up with chunk r; a process of the tree first gets the chunks of all below it. */
    private static void scatter(ScheduleBuilder schedule, Team team, Region data, int root, int relative) {
        int size = team.size();
        int mask = 1;
        while (mask < size && (relative & mask) == 0) {
            mask *= 2;
        }
        if (relative != 0) {
            schedule.nextRound();
            schedule.receive(
                    chunks(data, relative, Math.min(relative + mask, size), size),
                    team.worldRank((relative - mask + root) % size));
        }
        schedule.nextRound();
        for (mask /= 2; mask > 0; mask /= 2) {
            int child = relative + mask;
            if (child < size) {
                schedule.send(
                        chunks(data, child, Math.min(child + mask, size), size), team.worldRank((child + root) % size));
            }
        }
        schedule.nextRound();
    }

    private static Region chunks(Region data, int from, int to, int chunks) {
        int first = (int) ((long) data.count() * from / chunks);
        return data.slice(first, (int) ((long) data.count() * to / chunks) - first);
    }
}
