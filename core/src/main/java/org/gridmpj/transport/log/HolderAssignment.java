package org.gridmpj.transport.log;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which ranks hold the determinants of which: a function of where all were put when they were last started together
 * ({@link org.gridmpj.job.JobSpec#hosts}), so that the launcher and every process, whenever it is started, know the same.
 *
 * <pre>
 *   host      a         b         c
 *   ranks     0  1  2   3  4  5   6  7  8
 *   held by   3  4  5   0  1  2   0  1  2       at another host
 *             6  7  8   6  7  8   3  4  5       at yet another one, where there are three
 * </pre>
 *
 * So any one host may be lost, whatever number of ranks it has. With two hosts both holders are at the other one; where that has
 * one rank only, and where all are on one host, the next ranks of the own host take the missing places.
 *
 * <p>Of the hosts in question each rank takes those whose ranks have the least to hold so far, of equal ones the next behind its
 * own. Where all hosts have as many ranks, each rank holds for {@link #MOST} others; where no host has more than a third of
 * them, for one more at the most; a rank that is alone at its host may be the only one elsewhere, and then holds for all.
 */
public final class HolderAssignment {
    /** As many ranks may die together as this, whoever they are, and each goes back alone. */
    public static final int MOST = 2;

    private final List<List<Integer>> holders = new ArrayList<>();

    /** The ranks of one host, which hold for others in turn. */
    private static final class Host {
        final List<Integer> ranks = new ArrayList<>();
        int given;

        int load() {
            return given / ranks.size();
        }

        int next() {
            return ranks.get(given++ % ranks.size());
        }
    }

    /**
     * The assignment of a job.
     *
     * @param hosts by world rank: where it was put, in words that are equal for ranks of one host
     */
    public HolderAssignment(List<String> hosts) {
        this(hosts, LogRules.ALL);
    }

    /** For the test that leaves out a rule of the logs. */
    public HolderAssignment(List<String> hosts, LogRules rules) {
        Map<String, Host> byName = new LinkedHashMap<>();
        List<Host> byRank = new ArrayList<>();
        for (String name : hosts) {
            String where = rules.hold(LogRule.HOLDERS_AT_OTHER_HOSTS) ? name : "";
            Host host = byName.computeIfAbsent(where, _ -> new Host());
            host.ranks.add(byRank.size());
            byRank.add(host);
        }
        List<Host> inOrder = List.copyOf(byName.values());
        int count = Math.min(MOST, hosts.size() - 1);
        for (int rank = 0; rank < hosts.size(); rank++) {
            Host own = byRank.get(rank);
            List<Integer> chosen = new ArrayList<>();
            List<Host> used = new ArrayList<>();
            while (chosen.size() < count) {
                Host host = leastLoaded(inOrder, own, used);
                if (host == null) {
                    chosen.add(nextAtOwn(own, rank, chosen));
                } else {
                    used.add(host);
                    chosen.add(host.next());
                }
            }
            holders.add(List.copyOf(chosen));
        }
    }

    /** Of the other hosts that are not used yet, or else of those that have another rank; null if there is none. */
    private static @Nullable Host leastLoaded(List<Host> hosts, Host own, List<Host> used) {
        boolean anyUnused = hosts.size() - 1 > used.size();
        Host least = null;
        int behindOwn = hosts.indexOf(own) + 1;
        for (int i = 0; i < hosts.size() - 1; i++) {
            Host host = hosts.get((behindOwn + i) % hosts.size());
            boolean possible = anyUnused ? !used.contains(host) : host.ranks.size() > 1;
            if (possible && (least == null || host.load() < least.load())) {
                least = host;
            }
        }
        return least;
    }

    private static int nextAtOwn(Host own, int rank, List<Integer> chosen) {
        int at = own.ranks.indexOf(rank);
        int next;
        do {
            at = (at + 1) % own.ranks.size();
            next = own.ranks.get(at);
        } while (chosen.contains(next));
        return next;
    }

    /** Number of ranks. */
    public int size() {
        return holders.size();
    }

    /** The holders of a rank, no two of them the same: {@link #MOST}, or all others where they are fewer. */
    public List<Integer> of(int worldRank) {
        return holders.get(worldRank);
    }

    /**
     * Whether what a rank that has died is to do again is still known.
     *
     * @param isGoingBack whether a rank has died, too, and has not caught up since
     */
    public boolean surviveOf(int worldRank, IntPredicate isGoingBack) {
        return of(worldRank).stream().anyMatch(holder -> !isGoingBack.test(holder));
    }
}
