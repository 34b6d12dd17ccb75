package org.gridmpj.transport.gridtcp;

import java.util.HashMap;
import java.util.Map;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;

/** GridTcp with settings, for suites that give none. */
record OptionedTransportProvider(Map<String, String> options) implements TransportProvider {
    private static final GridTcpTransportProvider PROVIDER = new GridTcpTransportProvider();

    /** All bytes through Netty's pipeline. */
    static final OptionedTransportProvider PIPELINE = new OptionedTransportProvider(Map.of("data", "pipeline"));

    /** The same on java.nio's channels, as on a system without epoll. */
    static final OptionedTransportProvider NIO = new OptionedTransportProvider(Map.of("data", "nio"));

    /** Shared memory whose connections are java.nio's. */
    static final OptionedTransportProvider NIO_SHARED_MEMORY =
            new OptionedTransportProvider(Map.of("data", "nio", "link", "shm"));

    /** Ranks of one host by shared memory. */
    static final OptionedTransportProvider SHARED_MEMORY = new OptionedTransportProvider(Map.of("link", "shm"));

    /** Every pair is connected when one has something for the other. */
    static final OptionedTransportProvider ON_USE = new OptionedTransportProvider(Map.of("connect", "1"));

    /** The same by shared memory. */
    static final OptionedTransportProvider ON_USE_SHARED_MEMORY =
            new OptionedTransportProvider(Map.of("connect", "1", "link", "shm"));

    @Override
    public String name() {
        return PROVIDER.name();
    }

    @Override
    public Transport open(Context context) {
        Map<String, String> all = new HashMap<>(context.options());
        all.putAll(options);
        return PROVIDER.open(new Context(
                context.job(),
                context.worldRank(),
                context.incarnation(),
                context.secret(),
                context.sink(),
                all,
                context.knocker()));
    }
}
