package org.gridmpj.transport.gridtcp;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Memory of two ranks of one host: two rings, one for each direction.
 *
 * <pre>
 *   0                       {@link #directionBytes}
 *   ┌───────────────────────┬───────────────────────┐
 *   │ from the dialer       │ from the acceptor     │
 *   └───────────────────────┴───────────────────────┘
 * </pre>
 *
 * <p>The dialer creates it for one link and one peer, as a {@link SharedFile}. In the head of the first ring, at
 * {@link SharedRing#NUMBER_OFFSET}, stands a random number that the offer names as well. A dialer that has waited for its
 * answer long enough closes the file, and the next that it opens, for any peer, has the same descriptor: an acceptor that gets
 * to the first offer only then would write into the rings of two others.
 */
final class SharedSegment {
    private final WireBuffer memory;
    private final int ringBytes;
    private final long number;
    /** The dialer's; null at the acceptor. */
    private final @Nullable SharedFile file;

    private SharedSegment(MemorySegment mapped, int ringBytes, @Nullable SharedFile file) {
        memory = new WireBuffer(mapped);
        this.ringBytes = ringBytes;
        number = mapped.get(ValueLayout.JAVA_LONG, SharedRing.NUMBER_OFFSET);
        this.file = file;
    }

    private static int directionBytes(int ringBytes) {
        return SharedRing.DATA_OFFSET + ringBytes + SharedRing.slackBytes(ringBytes);
    }

    /**
     * Creates a segment of which nobody else knows yet.
     *
     * @throws IOException if there is no room for it
     */
    static SharedSegment create(int ringBytes) throws IOException {
        SharedFile file = SharedFile.create(2L * directionBytes(ringBytes));
        // The half of it that has the variant, so that it is not 0.
        long number = UUID.randomUUID().getLeastSignificantBits();
        file.memory().set(ValueLayout.JAVA_LONG, SharedRing.NUMBER_OFFSET, number);
        return new SharedSegment(file.memory(), ringBytes, file);
    }

    /**
     * Maps a segment that a peer has offered.
     *
     * @throws IOException if it is not to be had: another user's, or gone, or another by now
     */
    static SharedSegment attach(Sharing offer, int ringBytes) throws IOException {
        int bytes = 2 * directionBytes(ringBytes);
        if (offer.hostId() != SharedFile.hostId() || offer.segmentBytes() != bytes) {
            throw new IOException("it is of another host or another length");
        }
        MemorySegment mapped = SharedFile.attach(offer.pid(), offer.descriptor(), bytes);
        SharedSegment segment = new SharedSegment(mapped, ringBytes, null);
        if (segment.number != offer.number()) {
            throw new IOException("it was offered too long ago: its file is closed, and another open in its place");
        }
        return segment;
    }

    /**
     * Creates a segment and maps it as a peer would, for practice.
     *
     * @throws IOException as the two do
     */
    static void rehearse(int ringBytes) throws IOException {
        SharedSegment segment = create(ringBytes);
        try {
            SharedSegment _ = attach(segment.offer(), ringBytes);
        } finally {
            segment.closeFile();
        }
    }

    /** What the dialer's hello says. */
    Sharing offer() {
        return file == null
                ? Sharing.NONE
                : new Sharing(
                        SharedFile.hostId(),
                        ProcessHandle.current().pid(),
                        file.descriptor(),
                        number,
                        2 * directionBytes(ringBytes));
    }

    /** The peer has mapped it, or never will: the file is needed no more. */
    void closeFile() {
        if (file != null) {
            file.close();
        }
    }

    SharedRing outgoing() {
        return new SharedRing(memory, file != null ? 0 : directionBytes(ringBytes), ringBytes);
    }

    SharedRing incoming() {
        return new SharedRing(memory, file != null ? directionBytes(ringBytes) : 0, ringBytes);
    }
}
