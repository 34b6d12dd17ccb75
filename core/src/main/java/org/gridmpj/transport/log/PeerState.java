package org.gridmpj.transport.log;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * What one end of a channel that begins anew tells the other: what it has of that rank's earlier life.
 *
 * <pre>
 *   version (int) · latest epoch (int) · goes back (int, 1 or 0) · n (int) · n × (context, highest number) · m (int) · m × (context, number)
 *   · {@link DeterminantRun}
 * </pre>
 *
 * In the byte order of the machines, which is one in a job.
 *
 * @param latestEpoch the highest that this end has heard of
 * @param goesBack this end has gone back alone, too, and not caught up when it said so
 * @param highest by context, the last message that was announced here
 * @param data rendezvous messages since the epoch whose data is here
 * @param determinants of that rank that this end holds
 */
record PeerState(
        int latestEpoch,
        boolean goesBack,
        List<Highest> highest,
        List<MessageHistory.Data> data,
        DeterminantRun determinants) {
    static final int VERSION = 3;

    /** The last message of a context. */
    record Highest(long contextId, long messageId) {}

    static PeerState of(
            int latestEpoch, boolean goesBack, int sinceEpoch, MessageHistory history, HeldDeterminants held) {
        List<Highest> highest = new ArrayList<>();
        history.forEach((contextId, messageId) -> highest.add(new Highest(contextId, messageId)));
        return new PeerState(latestEpoch, goesBack, highest, history.dataSince(sinceEpoch), held.all());
    }

    byte[] encode() {
        byte[] run = determinants.encode();
        ByteBuffer bytes = ByteBuffer.allocate(
                        5 * Integer.BYTES + 2 * Long.BYTES * (highest.size() + data.size()) + run.length)
                .order(ByteOrder.nativeOrder());
        bytes.putInt(VERSION).putInt(latestEpoch).putInt(goesBack ? 1 : 0).putInt(highest.size());
        highest.forEach(each -> bytes.putLong(each.contextId).putLong(each.messageId));
        bytes.putInt(data.size());
        data.forEach(each -> bytes.putLong(each.contextId()).putLong(each.messageId()));
        bytes.put(run);
        return bytes.array();
    }

    /** @throws IllegalArgumentException if it is none */
    static PeerState decode(byte[] encoded) {
        ByteBuffer bytes = ByteBuffer.wrap(encoded).order(ByteOrder.nativeOrder());
        if (bytes.getInt() != VERSION) {
            throw new IllegalArgumentException("the state of a peer has another version");
        }
        int latestEpoch = bytes.getInt();
        boolean goesBack = bytes.getInt() != 0;
        List<Highest> highest = new ArrayList<>();
        for (int left = bytes.getInt(); left > 0; left--) {
            highest.add(new Highest(bytes.getLong(), bytes.getLong()));
        }
        List<MessageHistory.Data> data = new ArrayList<>();
        for (int left = bytes.getInt(); left > 0; left--) {
            data.add(new MessageHistory.Data(bytes.getLong(), bytes.getLong()));
        }
        return new PeerState(latestEpoch, goesBack, highest, data, DeterminantRun.decode(bytes));
    }
}
