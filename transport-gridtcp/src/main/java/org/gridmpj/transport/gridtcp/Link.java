package org.gridmpj.transport.gridtcp;

import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/**
 * A connection that has shaken hands, as a pipe of bytes that never blocks. Confined to the holder of the progress lock; the
 * connection behind it may have threads of its own.
 */
interface Link {
    /**
     * No call moves more: it would keep the lock for long where the peer is as fast as this rank. With a quarter of it a message
     * of 1 MiB takes 8 % longer within a host, with four times as much one of 4 MiB no less.
     */
    int LONGEST_CALL_BYTES = 1 << 20;

    /** Sends the answer to the peer's hello, before anything else. */
    void writeHello(byte[] hello);

    /** Takes bytes to be sent: how many it took, 0 if it is full, −1 if it is broken. */
    int write(WireBuffer source, int offsetBytes, int lengthBytes);

    /** Puts received bytes: how many, fewer only if there are no more now, −1 if there will never be any. */
    int read(WireBuffer target, int offsetBytes, int lengthBytes);

    /** Whether what comes stays with the system until it is read; else a thread of the connection's own has taken it. */
    default boolean asksTheSystem() {
        return false;
    }

    /** Fills room of the channel's, in the form that it has; as {@link #read(WireBuffer, int, int)}. */
    default int read(ByteRun room) {
        Object array = room.array;
        return array == null
                ? read(room.memory(), room.offsetBytes, room.lengthBytes)
                : readArray(array, room.arrayOffsetBytes, room.payloadBytes);
    }

    /** Takes a run of the channel's that is not empty, in the form that it has; as {@link #write(WireBuffer, int, int)}. */
    default int write(ByteRun run) {
        PayloadSource payload = run.payload;
        Object array = run.array;
        if (array != null) {
            return writeArray(array, run.arrayOffsetBytes, run.payloadBytes);
        }
        if (run.isShortFrame) {
            return writeShortFrame(run.memory(), run.offsetBytes, run.lengthBytes);
        }
        return payload == null
                ? write(run.memory(), run.offsetBytes, run.lengthBytes)
                : writePayload(payload, run.payloadPositionBytes, run.payloadBytes);
    }

    /**
     * Whether payloads go into the link's own memory, without a copy in between: {@link #writePayload}; and short messages
     * in a form of their own: {@link #writeShortFrame}, {@link #takesShortFrames}.
     */
    default boolean takesPayload() {
        return false;
    }

    /**
     * Takes a part of a payload straight from where it lies.
     *
     * @param positionBytes where the part begins; a multiple of 8
     * @param payloadBytes length of the whole payload; the wire has it padded to a multiple of 8
     * @return as {@link #write}
     */
    default int writePayload(PayloadSource payload, long positionBytes, long payloadBytes) {
        throw new UnsupportedOperationException(this + " takes bytes only");
    }

    /** Whether a payload that is one run of an array may leave from it and arrive in it: {@link #writeArray}, {@link #readArray}. */
    default boolean takesArrays() {
        return false;
    }

    /**
     * Takes a part of an array of any primitive type but boolean.
     *
     * @return as {@link #write}
     */
    default int writeArray(Object array, long offsetBytes, long lengthBytes) {
        throw new UnsupportedOperationException(this + " takes bytes only");
    }

    /**
     * Puts received bytes into an array of any primitive type but boolean.
     *
     * @return as {@link #read(WireBuffer, int, int)}
     */
    default int readArray(Object array, long offsetBytes, long lengthBytes) {
        throw new UnsupportedOperationException(this + " gives bytes only");
    }

    /** The link as what takes short frames before they are staged; null if it does not, or is broken. */
    default ShortFrame.@Nullable Taker takesShortFrames() {
        return null;
    }

    /** Who retains what {@link #takesShortFrames} has taken; told before anything is. */
    default void keptBy(ShortFrame.Keeper keeper) {}

    /**
     * Takes a staged frame as a {@link ShortFrame}, all or nothing.
     *
     * @param lengthBytes length of the wire image
     * @return the length of the wire image, 0 if there is no room now, −1 if the link is broken
     */
    default int writeShortFrame(WireBuffer image, int offsetBytes, int lengthBytes) {
        throw new UnsupportedOperationException(this + " takes bytes only");
    }

    /** Whether the readable bytes are a {@link ShortFrame}. */
    default boolean isShortFrame() {
        return false;
    }

    /** Memory in which received bytes can be decoded where they lie: {@link #readable}. Null if there is none. */
    default @Nullable WireBuffer memory() {
        return null;
    }

    /** How many bytes lie at {@link #readableOffset} of the memory; 0 if there are none now, −1 if there will never be any. */
    default int readable() {
        return 0;
    }

    /** Where the readable bytes begin. */
    default int readableOffset() {
        return 0;
    }

    /** So many of the readable bytes are decoded. */
    default void decoded(int bytes) {}

    /** Closes the connection, after what was written has left if the peer still takes it. */
    void close();
}
