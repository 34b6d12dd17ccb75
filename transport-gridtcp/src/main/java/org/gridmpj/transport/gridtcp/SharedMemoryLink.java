package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import org.gridmpj.memory.Bytes;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/**
 * A link between two ranks of one host: the bytes go through a {@link SharedSegment}; the connection over which the ranks
 * have shaken hands stays, to nudge a peer that is blocked, and to tell that it is gone.
 *
 * <pre>
 *   writer: record, light fence, is the peer asleep? ── a byte ──▶ connection ──▶ the peer's doorbell
 *   reader: asleep, heavy fence, is there a record? ── blocks on the connection
 * </pre>
 */
final class SharedMemoryLink implements Link, ShortFrame.Taker {
    /** Empty looks at the ring between two looks at the connection, by which a peer's end is noticed while this one spins. */
    private static final int LOOKS = 1 << 12;

    private final Link connection;
    private final SharedRing out;
    private final SharedRing in;
    private final WireBuffer nudges = new WireBuffer(64);

    private int looks;
    /** Set by the thread that has been blocked: the connection may have nudges, which would wake it again. */
    private volatile boolean wasAsleep;

    private int recordOffset;
    private int recordLeft;
    private int recordBytes;
    private boolean broken;

    SharedMemoryLink(Link connection, SharedSegment segment) {
        this.connection = connection;
        out = segment.outgoing();
        in = segment.incoming();
    }

    @Override
    public void writeHello(byte[] hello) {
        connection.writeHello(hello);
    }

    @Override
    public int write(WireBuffer source, int offsetBytes, int lengthBytes) {
        int bytes = out.put(source, offsetBytes, lengthBytes);
        if (bytes == 0 && out.wantRoom()) {
            bytes = out.put(source, offsetBytes, lengthBytes);
        }
        return wrote(bytes);
    }

    @Override
    public boolean takesPayload() {
        return true;
    }

    @Override
    public int writePayload(PayloadSource payload, long positionBytes, long payloadBytes) {
        int bytes = out.put(payload, positionBytes, payloadBytes);
        if (bytes == 0 && out.wantRoom()) {
            bytes = out.put(payload, positionBytes, payloadBytes);
        }
        return wrote(bytes);
    }

    @Override
    public ShortFrame.@Nullable Taker takesShortFrames() {
        return broken ? null : this;
    }

    @Override
    public long putShortFrame(FrameHeader header, PayloadSource payload, long number, long acknowledged, int flags) {
        long place = out.putShortFrame(header, payload, number, acknowledged, flags);
        return place >= 0 && wrote(ShortFrame.HEAD_BYTES) > 0 ? place : -1;
    }

    @Override
    public void keptBy(ShortFrame.Keeper keeper) {
        out.keptBy(keeper);
    }

    @Override
    public MemorySegment keptIn(long place) {
        return out.memory().segment;
    }

    @Override
    public long keptAt(long place) {
        return out.offsetOf(place);
    }

    @Override
    public int keptBytes(long place) {
        return out.lengthOf(place);
    }

    @Override
    public int writeShortFrame(WireBuffer image, int offsetBytes, int lengthBytes) {
        int payloadBytes =
                (int) LinkPrefix.getLong(image.segment, offsetBytes + LinkPrefix.BYTES + FrameHeader.PAYLOAD_OFFSET);
        boolean put = out.putShortFrame(image, offsetBytes, payloadBytes)
                || (out.wantRoom() && out.putShortFrame(image, offsetBytes, payloadBytes));
        return wrote(put ? lengthBytes : 0);
    }

    private int wrote(int bytes) {
        if (broken) {
            return -1;
        }
        if (bytes > 0 && out.wakesConsumer()) {
            nudge();
        }
        return bytes;
    }

    /** Wakes the peer, which is blocked or about to be. */
    void nudge() {
        if (connection.write(nudges, 0, 1) < 0) {
            broken = true;
        }
    }

    @Override
    public int read(WireBuffer target, int offsetBytes, int lengthBytes) {
        int window = readable();
        if (window <= 0) {
            return window;
        }
        int bytes = Math.min(window, lengthBytes);
        Bytes.copy(memory().segment, recordOffset, target.segment, offsetBytes, bytes);
        decoded(bytes);
        return bytes;
    }

    @Override
    public int readable() {
        if (recordLeft > 0) {
            return recordLeft;
        }
        int bytes = in.available();
        if (bytes < 0) {
            if (!connectionIsDue()) {
                return 0;
            }
            lookAtConnection();
            bytes = in.available();
            if (bytes < 0) {
                return broken ? -1 : 0;
            }
        }
        looks = 0;
        recordOffset = in.recordOffset();
        recordBytes = bytes;
        recordLeft = bytes;
        return bytes;
    }

    @Override
    public boolean isShortFrame() {
        return in.isShortFrame();
    }

    private boolean connectionIsDue() {
        if (wasAsleep) {
            wasAsleep = false;
            return true;
        }
        if (++looks == LOOKS) {
            looks = 0;
            return true;
        }
        return false;
    }

    /** Takes nudges, or learns that the peer is gone. */
    private void lookAtConnection() {
        int bytes;
        do {
            bytes = connection.read(nudges, 0, nudges.capacityBytes);
        } while (bytes > 0);
        broken |= bytes < 0;
    }

    @Override
    public WireBuffer memory() {
        return in.memory();
    }

    @Override
    public int readableOffset() {
        return recordOffset;
    }

    @Override
    public void decoded(int bytes) {
        recordOffset += bytes;
        recordLeft -= bytes;
        if (recordLeft == 0 && in.consumed(recordBytes)) {
            nudge();
        }
    }

    /** The reader is about to block. By the one thread that awaits, without the progress lock. */
    void sleep() {
        in.sleep();
    }

    /** Whether there is something to read after all. By the one thread that awaits, without the progress lock. */
    boolean isReadable() {
        return in.isReadable();
    }

    /** The reader looks again. */
    void awake() {
        in.awake();
        wasAsleep = true;
    }

    @Override
    public void close() {
        broken = true;
        connection.close();
    }

    @Override
    public String toString() {
        return connection + " by shared memory";
    }
}
