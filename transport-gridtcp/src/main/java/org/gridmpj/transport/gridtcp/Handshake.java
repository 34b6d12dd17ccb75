package org.gridmpj.transport.gridtcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.gridmpj.job.JobSecret;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The mutual proof of the job's secret, then the exchange of hellos. Until the proof is right a connection gets nothing but
 * a nonce, costs a bounded time and a few hundred bytes, and when it fails only this connection is closed.
 *
 * <pre>
 *   dialer   ──  preamble (16), nonce (32)                 ──▶  acceptor
 *   dialer   ◀── preamble (16), nonce (32), proof (32)     ──   acceptor
 *   dialer   ──  proof (32), hello (96)                    ──▶  acceptor: its poller decides
 *   dialer   ◀── hello (96)                                ──   acceptor
 *
 *   preamble:  0 "GridTcp1"   8 byte-order mark 0x01020304   12 version
 * </pre>
 *
 * Confined to the loop's thread.
 */
abstract sealed class Handshake extends ByteToMessageDecoder {
    static final int PREAMBLE_BYTES = 16;
    private static final byte[] NAME = "GridTcp1".getBytes(StandardCharsets.US_ASCII);
    private static final int BYTE_ORDER_MARK = 0x01020304;
    /** How long a stranger may keep a connection. */
    static final long PROOF_SECONDS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(Handshake.class);

    final JobSecret secret;
    final byte[] ownNonce = JobSecret.nonce();
    private final boolean tls;
    private boolean proven;
    private boolean done;

    private Handshake(JobSecret secret, boolean tls) {
        this.secret = secret;
        this.tls = tls;
    }

    static byte[] preamble() {
        return ByteBuffer.allocate(PREAMBLE_BYTES)
                .order(ByteOrder.nativeOrder())
                .put(NAME)
                .putInt(BYTE_ORDER_MARK)
                .putInt(Hello.VERSION)
                .array();
    }

    /** What is wrong with a peer's preamble, or null. */
    static @Nullable String objection(byte[] preamble) {
        ByteBuffer buffer = ByteBuffer.wrap(preamble).order(ByteOrder.nativeOrder());
        byte[] name = new byte[NAME.length];
        buffer.get(name);
        if (!Arrays.equals(name, NAME)) {
            return "it does not speak GridTcp";
        }
        int mark = buffer.getInt();
        if (mark == Integer.reverseBytes(BYTE_ORDER_MARK)) {
            return "its byte order is the other one, and GridTcp joins hosts of one byte order only";
        }
        int version = buffer.getInt();
        return mark == BYTE_ORDER_MARK && version == Hello.VERSION
                ? null
                : "it speaks version " + version + " of GridTcp, this rank version " + Hello.VERSION;
    }

    /** A connection has been made and, with TLS, is encrypted. */
    abstract void begin(ChannelHandlerContext context);

    /** More bytes are here; returns false if they are not enough for a step. */
    abstract boolean step(ChannelHandlerContext context, ByteBuf in);

    abstract void failed(String reason);

    /** Said here, or Netty looks for an annotation. */
    @Override
    public final boolean isSharable() {
        return false;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        context.executor()
                .schedule(
                        () -> {
                            if (!proven && !done) {
                                refuse(context, "it did not prove in " + PROOF_SECONDS + " s that it knows the secret");
                            }
                        },
                        PROOF_SECONDS,
                        TimeUnit.SECONDS);
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        if (!tls) {
            begin(context);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent completion) {
            if (completion.isSuccess()) {
                begin(context);
            } else {
                refuse(context, "TLS: " + completion.cause());
            }
        }
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        while (!done && step(context, in)) {
            if (!context.channel().isActive()) {
                return;
            }
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (!done) {
            done = true;
            failed("the connection was closed before the handshake was over");
        }
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        refuse(context, String.valueOf(cause.getMessage()));
    }

    final void proven() {
        proven = true;
    }

    final void refuse(ChannelHandlerContext context, String reason) {
        if (!done) {
            done = true;
            LOG.info("closed the connection with {}: {}", context.channel().remoteAddress(), reason);
            failed(reason);
        }
        context.close();
    }

    /** The handshake is over: the rest of the bytes, and all later ones, are the link's. */
    final void finish(ChannelHandlerContext context, Connections connections, Function<Link, ConnectionEvent> event) {
        done = true;
        connections.linkOf(context, this, link -> {
            if (link == null) {
                failed("the connection was closed when the handshake was just over");
            } else {
                connections.post(event.apply(link));
            }
        });
    }

    static byte[] take(ByteBuf in, int bytes) {
        byte[] taken = new byte[bytes];
        in.readBytes(taken);
        return taken;
    }

    /** The end that dials. */
    static final class Dialer extends Handshake {
        private final int peerRank;
        private final int attempt;
        private final byte[] hello;
        private final Connections connections;
        private boolean proofSent;

        Dialer(Connections connections, int peerRank, int attempt, byte[] hello, JobSecret secret, boolean tls) {
            super(secret, tls);
            this.connections = connections;
            this.peerRank = peerRank;
            this.attempt = attempt;
            this.hello = hello;
        }

        @Override
        void begin(ChannelHandlerContext context) {
            context.writeAndFlush(Unpooled.wrappedBuffer(preamble(), ownNonce), context.voidPromise());
        }

        @Override
        boolean step(ChannelHandlerContext context, ByteBuf in) {
            if (!proofSent) {
                if (in.readableBytes() < PREAMBLE_BYTES + JobSecret.NONCE_BYTES + JobSecret.PROOF_BYTES) {
                    return false;
                }
                String objection = objection(take(in, PREAMBLE_BYTES));
                byte[] nonce = take(in, JobSecret.NONCE_BYTES);
                byte[] proof = take(in, JobSecret.PROOF_BYTES);
                if (objection != null) {
                    refuse(context, objection);
                } else if (!secret.verify(JobSecret.Role.ACCEPTOR, ownNonce, nonce, proof)) {
                    refuse(context, "it does not know this job's secret");
                } else {
                    proven();
                    proofSent = true;
                    context.writeAndFlush(
                            Unpooled.wrappedBuffer(secret.proof(JobSecret.Role.DIALER, ownNonce, nonce), hello),
                            context.voidPromise());
                }
                return proofSent;
            }
            if (in.readableBytes() < Hello.BYTES) {
                return false;
            }
            try {
                Hello answer = Hello.decode(take(in, Hello.BYTES));
                finish(context, connections, link -> new ConnectionEvent.Dialed(peerRank, attempt, link, answer));
            } catch (IllegalArgumentException e) {
                refuse(context, String.valueOf(e.getMessage()));
            }
            return false;
        }

        @Override
        void failed(String reason) {
            connections.post(new ConnectionEvent.NotDialed(peerRank, attempt, reason));
        }
    }

    /** The end that accepts. */
    static final class Acceptor extends Handshake {
        private final Connections connections;
        private byte @Nullable [] dialerNonce;

        Acceptor(Connections connections, JobSecret secret, boolean tls) {
            super(secret, tls);
            this.connections = connections;
        }

        @Override
        void begin(ChannelHandlerContext context) {
            // The dialer speaks first.
        }

        @Override
        boolean step(ChannelHandlerContext context, ByteBuf in) {
            byte[] nonce = dialerNonce;
            if (nonce == null) {
                if (in.readableBytes() < PREAMBLE_BYTES) {
                    return false;
                }
                String objection = objection(take(in.slice(in.readerIndex(), PREAMBLE_BYTES), PREAMBLE_BYTES));
                if (objection != null) {
                    refuse(context, objection);
                    return false;
                }
                if (in.readableBytes() < PREAMBLE_BYTES + JobSecret.NONCE_BYTES) {
                    return false;
                }
                in.skipBytes(PREAMBLE_BYTES);
                nonce = take(in, JobSecret.NONCE_BYTES);
                dialerNonce = nonce;
                context.writeAndFlush(
                        Unpooled.wrappedBuffer(
                                preamble(), ownNonce, secret.proof(JobSecret.Role.ACCEPTOR, nonce, ownNonce)),
                        context.voidPromise());
                return true;
            }
            if (in.readableBytes() < JobSecret.PROOF_BYTES + Hello.BYTES) {
                return false;
            }
            if (!secret.verify(JobSecret.Role.DIALER, nonce, ownNonce, take(in, JobSecret.PROOF_BYTES))) {
                refuse(context, "it does not know this job's secret");
                return false;
            }
            proven();
            connections.forgetUnproven(context.channel());
            try {
                Hello hello = Hello.decode(take(in, Hello.BYTES));
                finish(context, connections, link -> new ConnectionEvent.Accepted(link, hello));
            } catch (IllegalArgumentException e) {
                refuse(context, String.valueOf(e.getMessage()));
            }
            return false;
        }

        @Override
        void failed(String reason) {
            // The dialer sees its connection closed.
        }
    }
}
