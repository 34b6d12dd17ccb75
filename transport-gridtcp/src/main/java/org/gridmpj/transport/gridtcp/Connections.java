package org.gridmpj.transport.gridtcp;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.JobSecret;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Netty's side of the transport: listens, dials, encrypts, has the secret proved. Its one thread hands finished connections
 * to the poller as {@link ConnectionEvent}s and touches no state of the channels.
 */
final class Connections implements AutoCloseable {
    /** Connections of strangers that may be open at once; the oldest makes room. */
    private static final int UNPROVEN_LIMIT = 64;

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private static final int BACKLOG = 1024;
    private static final int CONNECT_MILLIS = 5_000;
    private static final int CLOSE_MILLIS = 500;
    private static final int READ_BYTES = 1 << 16;

    /** The algorithm that each Linux has and that each user may choose. */
    static final String UNPACED = "reno";
    /** {@code TCP_CONGESTION} of Linux. */
    static final RawUnixChannelOption CONGESTION_CONTROL =
            new RawUnixChannelOption("TCP_CONGESTION", 6, 13, UNPACED.length());

    private final JobSecret secret;
    private final @Nullable JobTls tls;
    private final Doorbell doorbell;
    private final Queue<ConnectionEvent> events = new ConcurrentLinkedQueue<>();
    private final EventLoop loop;
    private final boolean epoll;
    /** Confined to the loop's thread. */
    private final Set<Channel> unproven = new LinkedHashSet<>();

    private final ChannelGroup open;
    private @Nullable Channel server;

    /**
     * Starts the loop's thread.
     *
     * @param epoll by epoll, which this system has; else by java.nio
     * @param doorbell rung for every event; its kind says whether connections leave Netty after the handshake
     */
    Connections(int worldRank, JobSecret secret, @Nullable JobTls tls, boolean epoll, Doorbell doorbell) {
        this.secret = secret;
        this.tls = tls;
        this.doorbell = doorbell;
        this.epoll = epoll;
        IoHandlerFactory factory = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        // A loop without a group: ending a group wakes Netty's GlobalEventExecutor, whose thread is no daemon and stays
        // a
        // second, and the JVM with it.
        loop = new SingleThreadIoEventLoop(null, new DefaultThreadFactory("gridtcp-" + worldRank, true), factory);
        open = new DefaultChannelGroup(loop);
    }

    /**
     * Starts to listen on a free port. Channels are registered by hand: Netty's bootstraps look for annotations of their
     * handlers, which takes a rank 30 ms of its start.
     */
    int bind(String host) {
        ServerChannel listening = epoll ? new EpollServerSocketChannel() : new NioServerSocketChannel();
        listening.config().setOption(ChannelOption.SO_BACKLOG, BACKLOG);
        listening.pipeline().addLast(new Listener());
        ChannelFuture bound = loop.register(listening).awaitUninterruptibly();
        if (bound.isSuccess()) {
            bound = listening.bind(new InetSocketAddress(host, 0)).awaitUninterruptibly();
        }
        if (!bound.isSuccess()) {
            listening.close();
            throw new MpiFailure(
                    ErrorClass.OTHER,
                    "GridTcp cannot listen on " + host + ": " + bound.cause().getMessage()
                            + ". Peers dial this address, so it must be one of this host",
                    bound.cause());
        }
        server = listening;
        return ((InetSocketAddress) listening.localAddress()).getPort();
    }

    /** Takes the connections that others dial. */
    private final class Listener extends ChannelInboundHandlerAdapter {
        @Override
        public boolean isSharable() {
            return false;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object accepted) {
            Channel channel = (Channel) accepted;
            rememberUnproven(channel);
            begin(channel, new Handshake.Acceptor(Connections.this, secret, tls != null), true);
        }

        /** Most likely the process has no descriptors left: without a pause the thread would do nothing but fail. */
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.warn("a connection could not be accepted; GridTcp goes on in a second: {}", cause.toString());
            Channel listening = context.channel();
            listening.config().setAutoRead(false);
            loop.schedule(() -> listening.config().setAutoRead(true), 1, TimeUnit.SECONDS);
        }
    }

    /** Dials a peer; the result is an event. */
    void dial(int peerRank, int attempt, String host, int port, byte[] hello) {
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (address.isUnresolved()) {
            post(new ConnectionEvent.NotDialed(peerRank, attempt, "unknown host " + host));
            return;
        }
        Channel channel = epoll ? new EpollSocketChannel() : new NioSocketChannel();
        channel.config().setConnectTimeoutMillis(CONNECT_MILLIS);
        begin(channel, new Handshake.Dialer(this, peerRank, attempt, hello, secret, tls != null), false)
                .addListener(registered -> {
                    if (registered.isSuccess()) {
                        channel.connect(address).addListener(connected -> {
                            if (!connected.isSuccess()) {
                                channel.close();
                                notDialed(peerRank, attempt, connected.cause());
                            }
                        });
                    } else {
                        notDialed(peerRank, attempt, registered.cause());
                    }
                });
    }

    private void notDialed(int peerRank, int attempt, Throwable cause) {
        post(new ConnectionEvent.NotDialed(peerRank, attempt, String.valueOf(cause.getMessage())));
    }

    /** Gives a new channel its options and handlers, and to the loop. */
    private ChannelFuture begin(Channel channel, Handshake handshake, boolean accepted) {
        ChannelConfig config = channel.config();
        config.setOption(ChannelOption.TCP_NODELAY, true);
        config.setAllocator(PooledByteBufAllocator.DEFAULT);
        config.setRecvByteBufAllocator(new FixedRecvByteBufAllocator(READ_BYTES));
        config.setWriteBufferWaterMark(new WriteBufferWaterMark(1 << 17, 1 << 18));
        open.add(channel);
        if (tls != null) {
            channel.pipeline().addLast(tls.handler(channel.alloc(), !accepted));
        }
        channel.pipeline().addLast(handshake);
        return loop.register(channel).addListener(registered -> {
            if (!registered.isSuccess()) {
                channel.unsafe().closeForcibly();
            }
        });
    }

    private void rememberUnproven(Channel channel) {
        if (unproven.size() >= UNPROVEN_LIMIT) {
            Iterator<Channel> oldest = unproven.iterator();
            Channel stranger = oldest.next();
            oldest.remove();
            stranger.close();
        }
        unproven.add(channel);
        channel.closeFuture().addListener(future -> unproven.remove(channel));
    }

    void forgetUnproven(Channel channel) {
        unproven.remove(channel);
    }

    /**
     * Makes a link of a connection that has shaken hands; null if it broke in the meantime.
     *
     * @param handshake the handler that gives way; the bytes that it has not taken are the link's first
     */
    void linkOf(ChannelHandlerContext context, ChannelHandler handshake, Consumer<@Nullable Link> taker) {
        Channel channel = context.channel();
        if (epoll && isWithinHost(channel)) {
            unpace(channel);
        }
        if (doorbell instanceof EpollDoorbell kernel) {
            Handover handover = new Handover(kernel, open::remove);
            channel.pipeline().addLast(handover).remove(handshake);
            handover.start(channel, taker);
        } else {
            NettyLink link = new NettyLink(channel, doorbell);
            channel.pipeline().addLast(link).remove(handshake);
            taker.accept(link);
        }
    }

    private static boolean isWithinHost(Channel channel) {
        return channel.remoteAddress() instanceof InetSocketAddress remote
                && channel.localAddress() instanceof InetSocketAddress local
                && remote.getAddress().equals(local.getAddress());
    }

    /**
     * Within a host there is no network to be kept from congestion, and an algorithm that paces (BBR is the default of many
     * systems) halves the bandwidth of two ranks.
     */
    private static void unpace(Channel channel) {
        ByteBuffer name = ByteBuffer.wrap(UNPACED.getBytes(StandardCharsets.US_ASCII));
        try {
            channel.config().setOption(CONGESTION_CONTROL, name);
        } catch (ChannelException e) {
            LOG.debug("{} keeps its congestion control: {}", channel, e.toString());
        }
    }

    /** To the poller, from the loop's thread or from any other. */
    void post(ConnectionEvent event) {
        events.add(event);
        doorbell.ring();
    }

    /** The next event for the poller, or null. */
    @Nullable
    ConnectionEvent next() {
        return events.poll();
    }

    @Override
    public void close() {
        Channel listening = server;
        if (listening != null) {
            listening.close().awaitUninterruptibly();
        }
        closeUnclaimed();
        // What the links still had to write has a moment to leave; a peer that reads no more does not hold this rank
        // up.
        loop.submit(() -> open.stream()
                        .filter(channel -> channel.pipeline().get(Handshake.class) != null)
                        .forEach(Channel::close))
                .awaitUninterruptibly(CLOSE_MILLIS);
        open.newCloseFuture().awaitUninterruptibly(CLOSE_MILLIS);
        loop.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
        closeUnclaimed();
    }

    private void closeUnclaimed() {
        ConnectionEvent event;
        while ((event = events.poll()) != null) {
            switch (event) {
                case ConnectionEvent.Accepted accepted -> accepted.link().close();
                case ConnectionEvent.Dialed dialed -> dialed.link().close();
                case ConnectionEvent.NotDialed _, ConnectionEvent.Knocked _, ConnectionEvent.SaidGoodbye _ -> {}
            }
        }
    }
}
