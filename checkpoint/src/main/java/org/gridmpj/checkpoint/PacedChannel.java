package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Writes no faster than it is allowed to: a bucket fills with the rate, holds a twentieth of a second, and each write
 * waits until there is something in it. What was taken too much delays the next write. Confined to the thread that writes.
 */
final class PacedChannel implements WritableByteChannel {
    private static final double BURST_SECONDS = 0.05;
    private static final double NANOS_PER_SECOND = 1e9;

    private final WritableByteChannel channel;
    private final double bytesPerNano;
    private final double burstBytes;
    private final LongSupplier nanoClock;
    private final LongConsumer sleepNanos;
    private double bucketBytes;
    private long filledNanos;

    /** @param sleepNanos waits about that long */
    PacedChannel(WritableByteChannel channel, WriteRate rate, LongSupplier nanoClock, LongConsumer sleepNanos) {
        this.channel = channel;
        this.bytesPerNano = rate.bytesPerSecond() / NANOS_PER_SECOND;
        this.burstBytes = Math.max(1, rate.bytesPerSecond() * BURST_SECONDS);
        this.nanoClock = nanoClock;
        this.sleepNanos = sleepNanos;
        this.bucketBytes = burstBytes;
        this.filledNanos = nanoClock.getAsLong();
    }

    /** The channel itself if the rate is unlimited. */
    static WritableByteChannel of(WritableByteChannel channel, WriteRate rate) {
        return rate.isUnlimited() ? channel : new PacedChannel(channel, rate, System::nanoTime, LockSupport::parkNanos);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        int length = (int) Math.min(source.remaining(), Math.max(1, (long) burstBytes));
        fill();
        while (bucketBytes < Math.min(length, burstBytes)) {
            sleepNanos.accept((long) Math.ceil((Math.min(length, burstBytes) - bucketBytes) / bytesPerNano));
            fill();
        }
        ByteBuffer part = source.slice(source.position(), length);
        int written = channel.write(part);
        source.position(source.position() + written);
        bucketBytes -= written;
        return written;
    }

    private void fill() {
        long now = nanoClock.getAsLong();
        bucketBytes = Math.min(burstBytes, bucketBytes + (now - filledNanos) * bytesPerNano);
        filledNanos = now;
    }

    @Override
    public boolean isOpen() {
        return channel.isOpen();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
