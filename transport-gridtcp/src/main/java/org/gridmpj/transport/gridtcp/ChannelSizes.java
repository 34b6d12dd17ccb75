package org.gridmpj.transport.gridtcp;

/**
 * Memory of one channel. What is sent at once, without asking, up to the eager limit of a connection, fits into the ring.
 *
 * @param stagingBytes ring from which frames are sent and in which they are retained
 * @param retainedFrames frames that may be unacknowledged at once; a power of two
 * @param copiedPayloadBytes payloads up to this length lie in the ring, longer ones stay in the user's array until they are
 *     acknowledged
 * @param connectionCopiedPayloadBytes the same on a connection, where a longer payload is copied once anyway, and its
 *     acknowledgement is a packet
 * @param chunkBytes longer payloads are copied to the wire in pieces of this length; a multiple of 8
 * @param arrayBytes payloads from this length on leave straight from an array, where the link takes one: a call then costs an
 *     object of 56 bytes, which shorter messages are to be spared
 * @param receiveBytes buffer in which arriving bytes are decoded
 * @param sharedRingBytes ring in shared memory, for each direction; a power of two
 */
record ChannelSizes(
        int stagingBytes,
        int retainedFrames,
        int copiedPayloadBytes,
        int connectionCopiedPayloadBytes,
        int chunkBytes,
        int arrayBytes,
        int receiveBytes,
        int sharedRingBytes) {
    private static final int ARRAY_BYTES = 1 << 18;
    /** What a frame takes beside its payload, and more. */
    private static final int HEADS_BYTES = 1 << 8;

    /** A frame is at most an eighth of the ring: a full ring always holds a frame that asks to be acknowledged. */
    ChannelSizes {
        if (Integer.bitCount(retainedFrames) != 1
                || Integer.bitCount(sharedRingBytes) != 1
                || chunkBytes % 8 != 0
                || copiedPayloadBytes > connectionCopiedPayloadBytes
                || LinkPrefix.HEAD_BYTES + connectionCopiedPayloadBytes + 8 > stagingBytes / 8
                || ShortFrame.HEAD_BYTES + Math.min(copiedPayloadBytes, ShortFrame.MOST_PAYLOAD_BYTES)
                        > SharedRing.mostBytes(sharedRingBytes)
                || receiveBytes < 2 * LinkPrefix.HEAD_BYTES) {
            throw new IllegalArgumentException("these sizes do not go together: " + stagingBytes + ", " + retainedFrames
                    + ", " + copiedPayloadBytes + ", " + connectionCopiedPayloadBytes + ", " + chunkBytes + ", "
                    + receiveBytes + ", " + sharedRingBytes);
        }
    }

    /** For jobs of a size: many ranks have many channels. */
    static ChannelSizes forJob(int ranks) {
        return ranks <= 16
                ? of(1 << 17, 4096, 1 << 15, 1 << 17, (1 << 17) + HEADS_BYTES, ranks <= 4 ? 1 << 20 : 1 << 18)
                : of(1 << 14, 1024, 1 << 13, 1 << 16, 1 << 16, 1 << 17);
    }

    /** A ring for eight frames of the longest payload that is copied on a connection. */
    private static ChannelSizes of(
            int connectionCopiedPayloadBytes,
            int retainedFrames,
            int copiedPayloadBytes,
            int chunkBytes,
            int receiveBytes,
            int sharedRingBytes) {
        return new ChannelSizes(
                8 * (connectionCopiedPayloadBytes + HEADS_BYTES),
                retainedFrames,
                copiedPayloadBytes,
                connectionCopiedPayloadBytes,
                chunkBytes,
                ARRAY_BYTES,
                receiveBytes,
                sharedRingBytes);
    }
}
