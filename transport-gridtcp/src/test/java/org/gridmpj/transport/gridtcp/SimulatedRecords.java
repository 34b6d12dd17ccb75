package org.gridmpj.transport.gridtcp;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/** One direction of a simulated {@link SharedMemoryLink}: records in order, of which a cut loses the last ones. */
final class SimulatedRecords implements ShortFrame.Taker {
    private static final int RING_BYTES = 1 << 12;

    /** A record; its place is where it begins in all that was ever put. */
    @SuppressWarnings("ArrayRecordComponent") // never compared as a whole
    private record Item(long place, byte[] bytes, boolean shortFrame) {}

    private final WireBuffer memory = new WireBuffer(RING_BYTES);
    private final ArrayDeque<Item> items = new ArrayDeque<>();
    /** Read already, and nothing was put over them yet. */
    private final ArrayDeque<Item> read = new ArrayDeque<>();

    private ShortFrame.@Nullable Keeper keeper;
    private long position;
    private int inRing;

    /** Who retains what it puts. */
    SimulatedRecords keptBy(ShortFrame.Keeper newKeeper) {
        keeper = newKeeper;
        return this;
    }

    /** As much as there is beside what is not read, or is kept: where it is not enough for all that may be put, the keeper lets go. */
    private int room() {
        ShortFrame.Keeper keeping = keeper;
        long kept = keeping == null ? Long.MAX_VALUE : keeping.oldestKept();
        int bytesKept = 0;
        for (Item item : read) {
            bytesKept += item.place >= kept ? item.bytes.length : 0;
        }
        if (bytesKept > 0 && keeping != null && bytesKept + inRing > RING_BYTES / 2) {
            keeping.letGo();
            kept = Long.MAX_VALUE;
            bytesKept = 0;
        }
        long oldest = kept;
        read.removeIf(item -> item.place < oldest);
        return RING_BYTES - inRing - bytesKept;
    }

    /** Writes what the link would take of a run; how many bytes of the channel's that is. */
    int write(ByteRun run, SplittableRandom random) {
        PayloadSource payload = run.payload;
        int room = room();
        if (run.isShortFrame) {
            int payloadBytes = (int) LinkPrefix.getLong(
                    run.memory().segment, run.offsetBytes + LinkPrefix.BYTES + FrameHeader.PAYLOAD_OFFSET);
            int bytes = ShortFrame.HEAD_BYTES + payloadBytes;
            if (bytes > room) {
                return 0;
            }
            byte[] record = recordOf(bytes);
            ShortFrame.write(run.memory().segment, run.offsetBytes, MemorySegment.ofArray(record), 0, payloadBytes);
            add(record, bytes, true);
            return run.lengthBytes;
        }
        long wanted =
                payload == null ? run.lengthBytes : LinkPrefix.padded(run.payloadBytes) - run.payloadPositionBytes;
        int bytes = (int) Math.min(room & -8, wanted);
        if (bytes >= 16 && random.nextBoolean()) {
            bytes = 8 * (1 + random.nextInt(bytes / 8 - 1));
        }
        if (bytes <= 0) {
            return 0;
        }
        byte[] record = new byte[bytes];
        if (payload == null) {
            MemorySegment.copy(run.memory().segment, ValueLayout.JAVA_BYTE, run.offsetBytes, record, 0, bytes);
        } else {
            int real = (int) Math.min(bytes, run.payloadBytes - run.payloadPositionBytes);
            payload.read(run.payloadPositionBytes, MemorySegment.ofArray(record), 0, real);
        }
        add(record, bytes, false);
        return bytes;
    }

    @Override
    public long putShortFrame(FrameHeader header, PayloadSource payload, long number, long acknowledged, int flags) {
        int bytes = ShortFrame.HEAD_BYTES + (int) header.payloadBytes;
        if (bytes > room()) {
            return -1;
        }
        long place = position;
        byte[] record = recordOf(bytes);
        ShortFrame.write(header, payload, number, acknowledged, flags, MemorySegment.ofArray(record), 0);
        add(record, bytes, true);
        return place;
    }

    @Override
    public MemorySegment keptIn(long place) {
        return MemorySegment.ofArray(kept(place));
    }

    @Override
    public long keptAt(long place) {
        return 0;
    }

    @Override
    public int keptBytes(long place) {
        return kept(place).length;
    }

    private byte[] kept(long place) {
        for (Item item : read) {
            if (item.place == place) {
                return item.bytes;
            }
        }
        for (Item item : items) {
            if (item.place == place) {
                return item.bytes;
            }
        }
        throw new AssertionError("something was put over a frame that is kept");
    }

    /** As in a ring, the line behind the payload is the record's too. */
    private static byte[] recordOf(int bytes) {
        return new byte[bytes + 16];
    }

    private void add(byte[] record, int bytes, boolean shortFrame) {
        items.addLast(new Item(position, Arrays.copyOf(record, bytes), shortFrame));
        inRing += bytes;
        position += bytes;
    }

    boolean isEmpty() {
        return items.isEmpty();
    }

    /** Hands the next record to the channel, where it lies. */
    Reception deliver(Channel channel) {
        Item item = items.removeFirst();
        int length = item.bytes.length;
        inRing -= length;
        read.addLast(item);
        MemorySegment.copy(item.bytes, 0, memory.segment, ValueLayout.JAVA_BYTE, 0, length);
        return item.shortFrame ? channel.receivedShortFrame(memory, 0, length) : channel.received(memory, 0, length);
    }

    /** The connection breaks. What is in memory may still be read, or not. */
    void cut(SplittableRandom random) {
        for (int lost = random.nextInt(items.size() + 1); lost > 0; lost--) {
            Item last = items.removeLast();
            inRing -= last.bytes.length;
            // its own end still has it, though the peer will not read it
            read.addLast(last);
        }
    }
}
