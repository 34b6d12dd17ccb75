package org.gridmpj.runtime;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.job.RankTable;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.Transport;
import org.gridmpj.transport.TransportProvider;

/** The transport of a job of one rank, which has no peers: for programs that are started without a launcher. */
final class SoloTransport implements Transport {
    private final Semaphore wakeups = new Semaphore(0);

    /** Opens it; the fallback where no transport is on the class path. */
    static final class Provider implements TransportProvider {
        @Override
        public String name() {
            return "solo";
        }

        @Override
        public Transport open(Context context) {
            if (context.job().size() != 1) {
                throw new MpiFailure(
                        ErrorClass.ARG,
                        "no transport is on the class path, so a job of "
                                + context.job().size() + " ranks cannot be connected: put gridmpj.jar on it");
            }
            return new SoloTransport();
        }
    }

    @Override
    public int bind(String host) {
        return 0;
    }

    @Override
    public void connect(RankTable table, Duration timeout) {}

    @Override
    public void update(RankTable table) {}

    @Override
    public Endpoint endpoint(int worldRank) {
        throw new MpiFailure(ErrorClass.INTERN, "a job of one rank has no peer " + worldRank);
    }

    @Override
    public boolean poll() {
        return false;
    }

    @Override
    public void await(long timeoutNanos) {
        try {
            if (wakeups.tryAcquire(timeoutNanos, TimeUnit.NANOSECONDS)) {
                wakeups.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void wakeup() {
        wakeups.release();
    }

    @Override
    public boolean drain(Duration timeout) {
        return true;
    }

    @Override
    public boolean recovers() {
        return true;
    }

    @Override
    public void close() {}
}
