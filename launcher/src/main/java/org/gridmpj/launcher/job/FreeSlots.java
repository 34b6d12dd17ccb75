package org.gridmpj.launcher.job;

import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Where ranks that move may go: the hosts that may be used, in the order in which they are filled.
 *
 * @param hosts by name
 */
record FreeSlots(SequencedMap<String, Slots> hosts) {
    /**
     * The slots of one host.
     *
     * @param wished those that --hosts leaves free to this job; negative if it has more than that there
     * @param offered all that there are
     * @param used by the ranks of all jobs
     */
    record Slots(int wished, int offered, int used) {
        int free() {
            return Math.max(0, offered - used);
        }

        @Override
        public String toString() {
            return used + " of " + offered + " slots used";
        }
    }

    FreeSlots {
        hosts = new LinkedHashMap<>(hosts);
    }

    /** How many ranks the hosts other than this one have room for. */
    int beside(String host) {
        return hosts.entrySet().stream()
                .filter(each -> !each.getKey().equals(host))
                .mapToInt(each -> each.getValue().free())
                .sum();
    }

    /** Whether there is a host of this name. */
    boolean has(String host) {
        return hosts.containsKey(host);
    }

    /**
     * The host, other than the one that is left, with the most free slots; those that --hosts leaves free count first.
     *
     * @throws IOException if there is none, saying why
     */
    String roomiest(String left) throws IOException {
        SequencedMap<String, Slots> others = new LinkedHashMap<>(hosts);
        others.remove(left);
        return others.entrySet().stream()
                .filter(each -> each.getValue().free() > 0)
                // of equals the first in their order
                .min(Comparator.<Map.Entry<String, Slots>>comparingInt(
                                each -> -each.getValue().wished())
                        .thenComparingInt(each -> -each.getValue().free()))
                .map(Map.Entry::getKey)
                .orElseThrow(() -> new IOException("no other host has a free slot" + words(others)));
    }

    private static String words(Map<String, Slots> others) {
        return others.isEmpty()
                ? ""
                : " ("
                        + String.join(
                                ", ",
                                others.entrySet().stream()
                                        .map(each -> each.getKey() + ": " + each.getValue())
                                        .toList())
                        + ")";
    }

    /** Refuses a host that is full. */
    void require(String host) throws IOException {
        Slots slots = hosts.get(host);
        if (slots == null || slots.free() == 0) {
            throw new IOException("host " + host + " has no free slot (" + (slots == null ? "none at all" : slots)
                    + "): mpjctl hosts shows who has");
        }
    }
}
