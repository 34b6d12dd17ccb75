package org.gridmpj.transport.gridtcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * A link through Netty's pipeline: the loop's thread only moves buffers to and from this object's queue. Everything but
 * {@link #write}, {@link #read} and {@link #close} belongs to the loop's thread; the queue is guarded by its own monitor.
 */
final class NettyLink extends ChannelInboundHandlerAdapter implements Link {
    /** Above so many bytes in the queue the socket is read no more, and TCP holds the peer back. */
    static final int QUEUE_HIGH_BYTES = 1 << 20;

    static final int QUEUE_LOW_BYTES = 1 << 18;
    private static final int WRITE_BYTES = 1 << 16;

    private final Channel channel;
    private final Doorbell doorbell;
    private final Queue<ByteBuf> queue = new ArrayDeque<>();
    private int queuedBytes;
    private boolean paused;
    private boolean ended;
    /** The buffer that is being read; the poller's. */
    private @Nullable ByteBuf current;

    NettyLink(Channel channel, Doorbell doorbell) {
        this.channel = channel;
        this.doorbell = doorbell;
    }

    @Override
    public boolean isSharable() {
        return false;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        synchronized (queue) {
            if (ended) {
                bytes.release();
                return;
            }
            queue.add(bytes);
            queuedBytes += bytes.readableBytes();
            if (queuedBytes > QUEUE_HIGH_BYTES && !paused) {
                paused = true;
                // within the monitor, as below: the one that comes last must be the one that holds
                channel.config().setAutoRead(false);
            }
        }
        doorbell.ring();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        doorbell.ring();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        synchronized (queue) {
            ended = true;
        }
        doorbell.ring();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }

    @Override
    public int write(WireBuffer source, int offsetBytes, int lengthBytes) {
        if (!channel.isActive()) {
            return -1;
        }
        if (!channel.isWritable()) {
            return 0;
        }
        int length = Math.min(lengthBytes, WRITE_BYTES);
        ByteBuf bytes = channel.alloc().directBuffer(length);
        bytes.writeBytes(source.view(offsetBytes, length));
        channel.writeAndFlush(bytes, channel.voidPromise());
        return length;
    }

    @Override
    public void writeHello(byte[] hello) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(hello), channel.voidPromise());
    }

    @Override
    public int read(WireBuffer target, int offsetBytes, int lengthBytes) {
        int total = 0;
        while (total < lengthBytes) {
            ByteBuf bytes = current;
            if (bytes == null) {
                synchronized (queue) {
                    bytes = queue.poll();
                    if (bytes == null) {
                        return total == 0 && ended ? -1 : total;
                    }
                }
                current = bytes;
            }
            int length = Math.min(bytes.readableBytes(), lengthBytes - total);
            bytes.readBytes(target.view(offsetBytes + total, length));
            total += length;
            if (!bytes.isReadable()) {
                bytes.release();
                current = null;
            }
            taken(length);
        }
        return total;
    }

    private void taken(int bytes) {
        synchronized (queue) {
            queuedBytes -= bytes;
            if (paused && queuedBytes < QUEUE_LOW_BYTES) {
                paused = false;
                channel.config().setAutoRead(true);
            }
        }
    }

    @Override
    public void close() {
        synchronized (queue) {
            ended = true;
            for (ByteBuf bytes : queue) {
                bytes.release();
            }
            queue.clear();
        }
        ByteBuf bytes = current;
        if (bytes != null) {
            bytes.release();
            current = null;
        }
        if (channel.isActive()) {
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        } else {
            channel.close();
        }
    }

    /** For tests and messages. */
    Channel channel() {
        return channel;
    }

    @Override
    public String toString() {
        return String.valueOf(channel.remoteAddress());
    }
}
