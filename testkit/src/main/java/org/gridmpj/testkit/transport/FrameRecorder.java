package org.gridmpj.testkit.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;
import org.jspecify.annotations.Nullable;

/**
 * An engine that only writes down what arrives, and fails at the first upcall that breaks the rules of {@link FrameSink} and
 * {@link PayloadSink}. Confined to the thread that polls.
 */
public final class FrameRecorder implements FrameSink {
    /** One complete frame. */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
    public record Arrival(int peerRank, FrameHeader header, byte[] payload) {}

    /** One loss of a peer. */
    public record Loss(int peerRank, MpiFailure cause) {}

    private static final class Pouring implements PayloadSink {
        final FrameHeader header = new FrameHeader();
        final byte[] bytes;
        int filledBytes;

        Pouring(FrameHeader header) {
            this.header.set(header);
            bytes = new byte[Math.toIntExact(header.payloadBytes)];
        }

        @Override
        public void write(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
            int end = Math.toIntExact(positionBytes + lengthBytes);
            if (positionBytes % Long.BYTES != 0) {
                throw new AssertionError("payload written at position " + positionBytes + ", no multiple of 8");
            }
            if (lengthBytes % Long.BYTES != 0 && end != bytes.length) {
                throw new AssertionError(lengthBytes + " bytes written in the middle of a payload, no multiple of 8");
            }
            if (positionBytes != filledBytes && positionBytes != 0) {
                throw new AssertionError("payload written at " + positionBytes + " after " + filledBytes);
            }
            MemorySegment.copy(source, ValueLayout.JAVA_BYTE, sourceOffset, bytes, (int) positionBytes, lengthBytes);
            filledBytes = end;
        }
    }

    private final List<Arrival> arrivals = new ArrayList<>();
    private final List<Loss> losses = new ArrayList<>();
    private final Map<Integer, Pouring> open = new HashMap<>();

    @Override
    public PayloadSink onFrame(int peerRank, FrameHeader header) {
        Pouring pouring = new Pouring(header);
        if (open.put(peerRank, pouring) != null) {
            throw new AssertionError("a second frame of rank " + peerRank + " before the first was complete");
        }
        return pouring;
    }

    @Override
    public void onFrameComplete(int peerRank, FrameHeader header, PayloadSink sink) {
        @Nullable Pouring pouring = open.remove(peerRank);
        if (pouring == null || (pouring != sink && header.payloadBytes > 0)) {
            throw new AssertionError("a frame of rank " + peerRank + " is complete that was not announced: " + header);
        }
        if (!pouring.header.toString().equals(header.toString())) {
            throw new AssertionError("announced " + pouring.header + ", completed " + header);
        }
        if (pouring.filledBytes != pouring.bytes.length) {
            throw new AssertionError(
                    "complete after " + pouring.filledBytes + " of " + pouring.bytes.length + " bytes: " + header);
        }
        arrivals.add(new Arrival(peerRank, pouring.header, pouring.bytes));
    }

    @Override
    public void onPeerLost(int peerRank, MpiFailure cause) {
        losses.add(new Loss(peerRank, cause));
    }

    /** All complete frames, in the order of their completion. */
    public List<Arrival> arrivals() {
        return arrivals;
    }

    /** The complete frames of one peer, in the order of their completion. */
    public List<Arrival> arrivalsFrom(int peerRank) {
        return arrivals.stream()
                .filter(arrival -> arrival.peerRank() == peerRank)
                .toList();
    }

    /** The peers that were reported as lost. */
    public List<Loss> losses() {
        return losses;
    }
}
