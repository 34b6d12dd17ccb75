package org.gridmpj.transport.gridtcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Takes a connection that has shaken hands out of Netty's loop: keeps what is still read until the loop has let go of it,
 * then takes its descriptor. Confined to the loop's thread.
 *
 * <p>Only deregistered a connection is safe from Netty: with reading switched off it still reads everything when the peer
 * closes, and closes the descriptor itself.
 */
final class Handover extends ChannelInboundHandlerAdapter {
    private final EpollDoorbell doorbell;
    private final Consumer<Channel> released;
    private final ByteArrayOutputStream early = new ByteArrayOutputStream();

    /** @param released told of a channel that is open and not Netty's any more */
    Handover(EpollDoorbell doorbell, Consumer<Channel> released) {
        this.doorbell = doorbell;
        this.released = released;
    }

    @Override
    public boolean isSharable() {
        return false;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        early.writeBytes(ByteBufUtil.getBytes(bytes));
        bytes.release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    /** Lets the loop go of the channel, in whose pipeline this is; then gives the link, or null if the connection broke. */
    void start(Channel channel, Consumer<@Nullable Link> taker) {
        channel.config().setAutoRead(false);
        channel.deregister().addListener(future -> taker.accept(take(channel)));
    }

    private @Nullable Link take(Channel channel) {
        String remote = String.valueOf(channel.remoteAddress());
        Socket descriptor = (Socket) ((UnixChannel) channel).fd();
        if (!channel.isOpen() || !doorbell.watch(descriptor)) {
            channel.close();
            return null;
        }
        released.accept(channel);
        return new FdLink(descriptor, early.toByteArray(), doorbell, remote);
    }
}
