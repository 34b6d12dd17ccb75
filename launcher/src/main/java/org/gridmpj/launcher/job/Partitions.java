package org.gridmpj.launcher.job;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.gridmpj.job.OutOfReach;
import org.jspecify.annotations.Nullable;

/**
 * Ranks that run and cannot reach each other, while the launcher hears both: the network is parted. It is for who owns the network
 * to mend it; he is told when it begins, once for two hosts however many ranks are there, and when it is over. Nothing is done
 * about it: neither of the two is dead. Confined to the job's thread.
 */
final class Partitions {
    private static final long LOOK_NANOS = 500_000_000L;

    private final Consumer<String> say;
    private final Runnable changed;
    private final Map<List<Object>, Told> told = new LinkedHashMap<>();
    private long lookedNanos;

    /** One of the pairs of ranks between two hosts, which stands for all. */
    private record Told(Pair pair, long atNanos) {}

    private record Pair(RankSlot from, RankSlot to, OutOfReach why) {
        /** Two hosts; on one host, two ranks. */
        List<Object> between() {
            if (from.host.equals(to.host)) {
                return List.of(Math.min(from.worldRank, to.worldRank), Math.max(from.worldRank, to.worldRank));
            }
            return from.host.compareTo(to.host) < 0 ? List.of(from.host, to.host) : List.of(to.host, from.host);
        }

        /** "rank 2 at host h1 cannot reach rank 5 at host h3 (10.77.0.13:4711) for 30 s: connection timed out". */
        String words() {
            return from.name() + " cannot reach " + to.name() + " (" + why.at() + ") for " + why.seconds() + " s: "
                    + why.obstacle();
        }

        boolean isOf(RankSlot[] ranks) {
            return ranks[from.worldRank] == from && ranks[to.worldRank] == to && from.running() && to.running();
        }
    }

    /** @param changed is called before something is said, so that who reads it finds it in the job's status */
    Partitions(Consumer<String> say, Runnable changed) {
        this.say = say;
        this.changed = changed;
    }

    /** What ranks have said since the last look. */
    void tick(long nowNanos, RankSlot... ranks) {
        if (nowNanos - lookedNanos < LOOK_NANOS) {
            return;
        }
        lookedNanos = nowNanos;
        Map<List<Object>, Pair> present = new HashMap<>();
        for (Pair pair : pairs(ranks)) {
            Pair _ = present.putIfAbsent(pair.between(), pair);
        }
        List<String> news = new ArrayList<>();
        for (Iterator<Map.Entry<List<Object>, Told>> all = told.entrySet().iterator(); all.hasNext(); ) {
            Map.Entry<List<Object>, Told> each = all.next();
            if (!present.containsKey(each.getKey())) {
                all.remove();
                over(each.getValue(), nowNanos, news, ranks);
            }
        }
        present.forEach((between, pair) -> {
            if (told.putIfAbsent(between, new Told(pair, nowNanos)) == null) {
                news.add(pair.words() + "; the job waits until it can");
            }
        });
        if (!news.isEmpty()) {
            changed.run();
            news.forEach(say);
        }
    }

    /** A rank that has been given another process meanwhile has another story, which has been told. */
    private static void over(Told parted, long nowNanos, List<String> news, RankSlot... ranks) {
        Pair pair = parted.pair();
        if (pair.isOf(ranks)) {
            long seconds = pair.why().seconds() + (nowNanos - parted.atNanos()) / 1_000_000_000L;
            news.add(pair.from().name() + " reaches " + pair.to().name() + " again, after " + seconds + " s");
        }
    }

    /** As the ranks' last heartbeats say; a rank that has ended, or is in no table yet, is nobody's to reach. */
    private static List<Pair> pairs(RankSlot... ranks) {
        List<Pair> pairs = new ArrayList<>();
        for (RankSlot from : ranks) {
            for (OutOfReach why : from.heartbeat.outOfReach()) {
                boolean exists = why.worldRank() >= 0 && why.worldRank() < ranks.length;
                if (exists && from.running() && ranks[why.worldRank()].running()) {
                    pairs.add(new Pair(from, ranks[why.worldRank()], why));
                }
            }
        }
        return pairs;
    }

    /** As status.json has it. */
    static List<Object> status(RankSlot... ranks) {
        List<Object> rows = new ArrayList<>();
        for (Pair pair : pairs(ranks)) {
            Map<String, @Nullable Object> row = new LinkedHashMap<>();
            row.put("rank", pair.from().worldRank);
            row.put("host", pair.from().host);
            row.put("peer", pair.to().worldRank);
            row.put("peerHost", pair.to().host);
            row.put("address", pair.why().at());
            row.put("seconds", pair.why().seconds());
            row.put("obstacle", pair.why().obstacle());
            rows.add(row);
        }
        return rows;
    }
}
