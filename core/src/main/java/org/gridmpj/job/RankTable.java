package org.gridmpj.job;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/**
 * The IP table: world rank → address and incarnation.
 *
 * <p>A new table with a higher {@code epoch} is distributed when a rank has moved or was started anew; a transport
 * ignores a table whose epoch is not higher than that of the one it has.
 *
 * @param epoch number of this table within the job's generation, from 0
 * @param entries one per world rank, in rank order
 */
public record RankTable(int epoch, List<Entry> entries) {

    /**
     * One rank's place.
     *
     * @param worldRank rank in COMM_WORLD
     * @param host name or literal address that peers dial
     * @param port TCP port on which the rank accepts its higher-ranked peers; 0 while it goes back alone and nobody listens
     *     there as this incarnation
     * @param incarnation how often the rank has been started or moved, from 0; a peer of a lower incarnation is fenced
     * @param hostId equal for ranks of one host (boot id, network and pid namespace), for links within a host
     */
    public record Entry(int worldRank, String host, int port, int incarnation, String hostId) {
        /** Whether the rank can be dialled. */
        public boolean listens() {
            return port > 0;
        }

        /** The same rank in another process, of which no address is known yet. */
        public Entry goesBack(int newIncarnation) {
            return new Entry(worldRank, host, 0, newIncarnation, hostId);
        }
    }

    public RankTable {
        entries = List.copyOf(entries);
        for (int rank = 0; rank < entries.size(); rank++) {
            if (entries.get(rank).worldRank() != rank) {
                throw new MpiFailure(
                        ErrorClass.INTERN,
                        "the IP table has world rank " + entries.get(rank).worldRank() + " at place " + rank);
            }
        }
    }

    /** Number of ranks. */
    public int size() {
        return entries.size();
    }

    /** By world rank: the number of its host, from 0, in order of first appearance. */
    public int[] hostNumbers() {
        Map<String, Integer> numbers = new HashMap<>();
        int[] hosts = new int[entries.size()];
        for (Entry entry : entries) {
            int next = numbers.size();
            hosts[entry.worldRank()] = numbers.computeIfAbsent(entry.hostId(), _ -> next);
        }
        return hosts;
    }

    /** The place of a rank. */
    public Entry entry(int worldRank) {
        return entries.get(worldRank);
    }
}
