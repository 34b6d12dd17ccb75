package org.gridmpj.transport.gridtcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.gridmpj.job.RankTable;
import org.gridmpj.testkit.transport.ConnectionCuttingProxy;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;
import org.jspecify.annotations.Nullable;

/** GridTcp, every rank of which is reached through a proxy that cuts connections. */
final class CutTransportProvider implements TransportProvider {
    private final TransportProvider provider;
    private final AtomicInteger cutsMade = new AtomicInteger();
    private final int meanBytes;
    private final int cutsPerRank;

    CutTransportProvider(int meanBytes, int cutsPerRank) {
        this(new GridTcpTransportProvider(), meanBytes, cutsPerRank);
    }

    CutTransportProvider(TransportProvider provider, int meanBytes, int cutsPerRank) {
        this.provider = provider;
        this.meanBytes = meanBytes;
        this.cutsPerRank = cutsPerRank;
    }

    /** Cuts at all ranks whose transports are closed. */
    int cutsMade() {
        return cutsMade.get();
    }

    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public Transport open(Context context) {
        Transport transport = provider.open(context);
        return new Transport() {
            private @Nullable ConnectionCuttingProxy proxy;

            @Override
            public int bind(String host) {
                try {
                    ConnectionCuttingProxy cutter = new ConnectionCuttingProxy(
                            transport.bind(host), context.worldRank(), meanBytes, cutsPerRank);
                    proxy = cutter;
                    return cutter.port();
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }

            @Override
            public void connect(RankTable table, Duration timeout) {
                transport.connect(table, timeout);
            }

            @Override
            public void update(RankTable table) {
                transport.update(table);
            }

            @Override
            public void onKnock(int peerRank) {
                transport.onKnock(peerRank);
            }

            @Override
            public void onGoodbye(int peerRank) {
                transport.onGoodbye(peerRank);
            }

            @Override
            public Endpoint endpoint(int worldRank) {
                return transport.endpoint(worldRank);
            }

            @Override
            public boolean poll() {
                return transport.poll();
            }

            @Override
            public void await(long timeoutNanos) {
                transport.await(timeoutNanos);
            }

            @Override
            public void wakeup() {
                transport.wakeup();
            }

            @Override
            public boolean drain(Duration timeout) {
                return transport.drain(timeout);
            }

            @Override
            public boolean recovers() {
                return transport.recovers();
            }

            @Override
            public Map<String, byte[]> freeze() {
                return transport.freeze();
            }

            @Override
            public void thaw(Map<String, byte[]> sections) {
                transport.thaw(sections);
            }

            @Override
            public String toString() {
                return transport.toString();
            }

            @Override
            public void close() {
                transport.close();
                ConnectionCuttingProxy cutter = proxy;
                if (cutter != null) {
                    proxy = null;
                    // What this rank wrote last is still on its way.
                    cutter.awaitEndOfTarget();
                    cutsMade.addAndGet(cutter.cutsMade());
                    cutter.close();
                }
            }
        };
    }
}
