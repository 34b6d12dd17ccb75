package org.gridmpj.launcher.job;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * status.json: {@code {version, state, generation, committedEpoch, givenUp, checkpointRate, drill, checkpointPace, livedMillis, failures, spares, onDeath, ranks: [{rank, pid, host, state, mpiCalls, where}], outOfReach: [{rank, host, peer, peerHost, address, seconds, obstacle}]}}.
 * committedEpoch is the last one that the job would go back to, givenUp why a later one came to nothing, or takes long. checkpointRate is as the user wrote it, drill how the last one went, checkpointPace the interval and the expected waste where they
 * are chosen by cost; empty texts if there is none. livedMillis and failures are those of the job under all its launchers. spares is how many
 * prestarted JVMs wait. onDeath is
 * {@code {mode, returnedAlone, returning: [rank], withAll: [{rank, why}], determinants: [{rank, held, by: [rank]}]}}: mode none,
 * restart or local, and with local the ranks that go back and have not caught up, those that would not go back alone now, and how
 * many determinants of a rank which others hold. outOfReach are ranks that have had no link with another one for so many seconds.
 */
final class StatusDocument {
    private StatusDocument() {}

    static Map<String, @Nullable Object> of(
            String state,
            int generation,
            int committedEpoch,
            String givenUp,
            String rate,
            String drilled,
            String pace,
            FailureRecord failures,
            int spares,
            Map<String, @Nullable Object> onDeath,
            RankSlot... slots) {
        Map<String, @Nullable Object> document = new LinkedHashMap<>();
        document.put("version", JobFolder.VERSION);
        document.put("state", state);
        document.put("generation", generation);
        document.put("committedEpoch", committedEpoch);
        document.put("givenUp", givenUp);
        document.put("checkpointRate", rate);
        document.put("drill", drilled);
        document.put("checkpointPace", pace);
        failures.writeTo(document);
        document.put("spares", spares);
        document.put("onDeath", onDeath);
        List<Object> ranks = new ArrayList<>();
        for (RankSlot slot : slots) {
            Map<String, @Nullable Object> rank = new LinkedHashMap<>();
            rank.put("rank", slot.worldRank);
            rank.put("pid", slot.process.pid());
            rank.put("host", slot.host);
            rank.put("state", state(slot));
            rank.put("mpiCalls", slot.heartbeat.mpiCalls());
            rank.put("where", slot.heartbeat.where());
            ranks.add(rank);
        }
        document.put("ranks", ranks);
        document.put("outOfReach", Partitions.status(slots));
        return document;
    }

    private static String state(RankSlot slot) {
        Integer status = slot.exitStatus;
        if (status != null) {
            return "ended with code " + status;
        }
        return slot.finalized ? "finalized" : slot.heartbeat.state();
    }
}
