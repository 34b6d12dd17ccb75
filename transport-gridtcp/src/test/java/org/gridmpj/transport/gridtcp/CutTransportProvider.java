package org.gridmpj.transport.gridtcp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.SplittableRandom;
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
    /** Cuts beside a link by shared memory. */
    private final AtomicInteger cutsBesideMemory = new AtomicInteger();

    private final int meanBytes;
    private final int cutsPerRank;
    /** Polls that bring something between two cuts, in the mean; 0: it is the bytes on the connection that count. */
    private final int meanPolls;

    CutTransportProvider(int meanBytes, int cutsPerRank) {
        this(new GridTcpTransportProvider(), meanBytes, cutsPerRank);
    }

    CutTransportProvider(TransportProvider provider, int meanBytes, int cutsPerRank) {
        this(provider, meanBytes, cutsPerRank, 0);
    }

    private CutTransportProvider(TransportProvider provider, int meanBytes, int cutsPerRank, int meanPolls) {
        this.provider = provider;
        this.meanBytes = meanBytes;
        this.cutsPerRank = cutsPerRank;
        this.meanPolls = meanPolls;
    }

    /** Few bytes of a link by shared memory are on its connection: that is cut when the memory has brought something. */
    static CutTransportProvider besideMemory(TransportProvider provider, int meanPolls, int cutsPerRank) {
        return new CutTransportProvider(provider, Integer.MAX_VALUE / 2, cutsPerRank, meanPolls);
    }

    /** Cuts at all ranks whose transports are closed. */
    int cutsMade() {
        return cutsMade.get();
    }

    /** Cuts of connections whose bytes went by shared memory, so far. */
    int cutsBesideMemory() {
        return cutsBesideMemory.get();
    }

    @Override
    public String name() {
        return provider.name();
    }

    @Override
    public Transport open(Context context) {
        Transport transport = provider.open(context);
        return new Transport() {
            private final SplittableRandom random = new SplittableRandom(context.worldRank());
            private @Nullable ConnectionCuttingProxy proxy;
            private int pollsToCut = meanPolls;
            private int cutsLeft = cutsPerRank;

            @Override
            public int bind(String host) {
                try {
                    ConnectionCuttingProxy cutter = new ConnectionCuttingProxy(
                            transport.bind(host), context.worldRank(), meanBytes, meanPolls > 0 ? 0 : cutsPerRank);
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
                boolean moved = transport.poll();
                ConnectionCuttingProxy cutter = proxy;
                if (moved && meanPolls > 0 && cutsLeft > 0 && cutter != null && --pollsToCut <= 0) {
                    pollsToCut = 1 + random.nextInt(2 * meanPolls);
                    int before = cutter.cutsMade();
                    boolean byMemory = transport.toString().contains("by shared memory");
                    cutter.cut();
                    if (cutter.cutsMade() > before) {
                        cutsLeft--;
                        cutsBesideMemory.addAndGet(byMemory ? 1 : 0);
                    }
                }
                return moved;
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
