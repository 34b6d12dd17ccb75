package org.gridmpj.launcher.job;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * Which rank runs on which host. A rank stays where it is as long as that host may be used; the others fill the free slots
 * of the hosts in their order; when there are none left, the host with the fewest ranks per slot takes one more.
 *
 * @param hosts name of the host of each world rank
 */
record Placement(List<String> hosts) {
    Placement {
        hosts = List.copyOf(hosts);
    }

    /** The host of a rank. */
    String host(int worldRank) {
        return hosts.get(worldRank);
    }

    /** The ranks of a host, in order. */
    List<Integer> ranksOf(String host) {
        List<Integer> ranks = new ArrayList<>();
        for (int rank = 0; rank < hosts.size(); rank++) {
            if (hosts.get(rank).equals(host)) {
                ranks.add(rank);
            }
        }
        return ranks;
    }

    /** The same with one rank at another host. */
    Placement with(int worldRank, String host) {
        List<String> next = new ArrayList<>(hosts);
        next.set(worldRank, host);
        return new Placement(next);
    }

    /** Whether some host has more ranks than slots. */
    boolean isCrowded(Map<String, Integer> slots) {
        return hosts.stream().anyMatch(host -> Collections.frequency(hosts, host) > slots.getOrDefault(host, 0));
    }

    /**
     * Places all ranks.
     *
     * @param before where they were, or null for new ones
     * @param slots of each host that may be used, in the order in which they are filled
     * @param wishes ranks that are to be at a certain one of these hosts
     * @throws IllegalArgumentException if there is no host
     */
    static Placement of(
            int size, @Nullable Placement before, SequencedMap<String, Integer> slots, Map<Integer, String> wishes) {
        if (slots.isEmpty()) {
            throw new IllegalArgumentException("there is no host to place " + size + " ranks on");
        }
        String[] hosts = new String[size];
        Map<String, Integer> used = new HashMap<>();
        for (int rank = 0; rank < size; rank++) {
            String wish = wishes.get(rank);
            String host = wish != null ? wish : before == null ? "" : before.host(rank);
            if (slots.containsKey(host)) {
                hosts[rank] = host;
                used.merge(host, 1, Integer::sum);
            }
        }
        for (int rank = 0; rank < size; rank++) {
            if (hosts[rank] == null) {
                hosts[rank] = roomiest(slots, used);
                used.merge(hosts[rank], 1, Integer::sum);
            }
        }
        return new Placement(List.of(hosts));
    }

    private static String roomiest(SequencedMap<String, Integer> slots, Map<String, Integer> used) {
        for (Map.Entry<String, Integer> host : slots.entrySet()) {
            if (used.getOrDefault(host.getKey(), 0) < host.getValue()) {
                return host.getKey();
            }
        }
        String best = slots.firstEntry().getKey();
        double least = Double.MAX_VALUE;
        for (Map.Entry<String, Integer> host : slots.entrySet()) {
            double load = (used.getOrDefault(host.getKey(), 0) + 1.0) / Math.max(1, host.getValue());
            if (load < least) {
                least = load;
                best = host.getKey();
            }
        }
        return best;
    }
}
