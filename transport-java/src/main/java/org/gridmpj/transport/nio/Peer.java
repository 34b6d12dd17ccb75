package org.gridmpj.transport.nio;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one peer. Confined to the holder of the progress lock.
 *
 * <p>The orderly end is a farewell and its confirmation ({@link StagedOutput#stageFarewell}), which comes after all that
 * the other one had sent: TCP alone does not tell a sender what has arrived. Both may say it at once; then both confirm. An
 * end of the stream without either is a lost peer, reported once, from {@link #poll}.
 */
final class Peer implements Endpoint {
    private final int worldRank;
    private final int ownRank;
    private final String place;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final StagedOutput output;
    private final StagedInput input;
    private final FrameSink frames;

    private boolean open = true;
    private boolean writeAwaited;
    private boolean saidFarewell;
    private boolean farewellConfirmed;
    private boolean peerSaidFarewell;
    private boolean confirmationDue;
    /** Why nothing more can be written; what has arrived is still read. */
    private @Nullable IOException writeFailure;

    /**
     * @param place host and port, for messages
     * @param waiting the selector of {@link JavaTransport#await}
     */
    Peer(
            int ownRank,
            int worldRank,
            String place,
            SocketChannel channel,
            Selector waiting,
            FrameSink frames,
            int stagingBytes)
            throws IOException {
        this.ownRank = ownRank;
        this.worldRank = worldRank;
        this.place = place;
        this.channel = channel;
        this.frames = frames;
        this.key = channel.register(waiting, SelectionKey.OP_READ);
        this.output = new StagedOutput(stagingBytes);
        this.input = new StagedInput(worldRank, frames, this::onFarewell, stagingBytes);
    }

    SocketChannel channel() {
        return channel;
    }

    @Override
    public Offer offer(FrameHeader header, PayloadSource payload) {
        if (!open || peerSaidFarewell || saidFarewell || writeFailure != null) {
            return Offer.CLOSED;
        }
        boolean written = output.isEmpty();
        if (!output.stage(header, payload)) {
            return Offer.BACK_PRESSURED;
        }
        // With bytes already waiting the socket is full: the next poll gathers them all in one write.
        if (written) {
            flush();
        }
        return Offer.ACCEPTED;
    }

    @Override
    public int copiedPayloadLimitBytes() {
        return output.copiedPayloadLimitBytes();
    }

    /** Reads and writes what is possible; whether anything was. */
    boolean poll() {
        if (!open) {
            return false;
        }
        boolean moved = !output.isEmpty() && flush();
        try {
            switch (input.read(channel)) {
                case NOTHING -> {}
                case PROGRESS -> moved = true;
                case END_OF_STREAM -> {
                    end(null);
                    return true;
                }
            }
        } catch (IOException e) {
            end(e);
            return true;
        } catch (IllegalArgumentException e) {
            end(new IOException("the stream of bytes is corrupt: " + e.getMessage(), e));
            return true;
        }
        if (confirmationDue) {
            sayFarewell(true);
        }
        return moved;
    }

    /** Whether a poll has something to do though nothing has arrived. */
    boolean hasWork() {
        return open && (confirmationDue || !output.isEmpty());
    }

    /**
     * Goes on with the orderly end: says farewell when there is room, unless the peer was first.
     *
     * @return whether all frames of both sides have arrived, as far as the other one wants them
     */
    boolean farewell() {
        if (!open || writeFailure != null) {
            return peerSaidFarewell || farewellConfirmed;
        }
        if (!saidFarewell && !peerSaidFarewell) {
            saidFarewell = sayFarewell(false);
        }
        // Whoever was said goodbye to is done with its confirmation: it follows all that was ever sent to that peer.
        boolean settled = saidFarewell ? farewellConfirmed : peerSaidFarewell;
        return settled && !confirmationDue && output.isEmpty();
    }

    /** Whether nothing more can come of this connection. */
    boolean closed() {
        return !open;
    }

    /** Closes the socket; says nothing to anybody. */
    void close() {
        open = false;
        output.discard();
        try {
            channel.close();
        } catch (IOException e) {
            JavaTransport.LOG.debug("closing the connection to rank {}: {}", worldRank, e.toString());
        }
    }

    private void onFarewell(boolean confirmation) {
        if (confirmation) {
            farewellConfirmed = true;
        } else {
            peerSaidFarewell = true;
            confirmationDue = true;
        }
    }

    private boolean sayFarewell(boolean confirmation) {
        if (writeFailure != null || !output.stageFarewell(confirmation)) {
            return false;
        }
        if (confirmation) {
            confirmationDue = false;
        }
        flush();
        return true;
    }

    private boolean flush() {
        boolean moved = false;
        if (writeFailure == null) {
            try {
                moved = output.flush(channel);
            } catch (IOException e) {
                // What the peer sent before it went is still in the socket: only reading decides that it is lost.
                writeFailure = e;
                output.discard();
            }
        }
        boolean waiting = !output.isEmpty();
        if (waiting != writeAwaited && key.isValid()) {
            writeAwaited = waiting;
            key.interestOps(waiting ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
            if (waiting) {
                // A thread that stands in await since before would not notice.
                key.selector().wakeup();
            }
        }
        return moved;
    }

    private void end(@Nullable IOException cause) {
        boolean midFrame = input.midFrame();
        boolean orderly = (peerSaidFarewell || farewellConfirmed) && !midFrame;
        close();
        if (orderly) {
            return;
        }
        IOException reason = cause != null ? cause : writeFailure;
        frames.onPeerLost(
                worldRank,
                new MpiFailure(
                        ErrorClass.PROC_FAILED,
                        "rank " + ownRank + " has lost the connection to rank " + worldRank + " at " + place
                                + (midFrame ? " in mid-message" : "") + ": "
                                + (reason == null ? "it was closed without a goodbye" : reason.getMessage())
                                + ". Transport \"java\" does not reconnect: rank " + worldRank
                                + " has probably died (see its output); --transport gridtcp survives a cut"
                                + " connection, --checkpoint the death of a rank",
                        reason));
    }
}
