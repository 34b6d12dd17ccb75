package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.gridmpj.memory.AsymmetricFence;
import org.gridmpj.testkit.transport.PatternPayload;
import org.gridmpj.transport.FrameHeader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One producer, one consumer, and what they leave behind. */
@Timeout(60)
class SharedRingTest {
    private static final int RING_BYTES = 1 << 13;

    @BeforeEach
    void onlyWhereMemoryIsShared() {
        assumeThat(SharedFile.hostId())
                .as("this system has no /dev/shm and /proc/self/fd")
                .isNotZero();
    }

    private static byte at(long position) {
        return (byte) (position * 31 + (position >> 8));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldKeepTheStreamWhenBothEndsRunAtOnce(long seed) throws Exception {
        SharedSegment segment = SharedSegment.create(RING_BYTES);
        SharedSegment other = SharedSegment.attach(segment.offer(), RING_BYTES);
        SharedRing out = segment.outgoing();
        SharedRing in = other.incoming();
        long total = 20_000_000;
        CompletableFuture<Void> producer = CompletableFuture.runAsync(() -> {
            SplittableRandom random = new SplittableRandom(seed);
            WireBuffer source = new WireBuffer(4096);
            long sent = 0;
            while (sent < total) {
                int wanted = (int) Math.min(total - sent, 8L * (1 + random.nextInt(random.nextBoolean() ? 16 : 512)));
                for (int i = 0; i < wanted; i++) {
                    source.segment.set(ValueLayout.JAVA_BYTE, i, at(sent + i));
                }
                int done = 0;
                while (done < wanted) {
                    int bytes = out.put(source, done, wanted - done);
                    done += bytes;
                    if (bytes == 0 && !out.wantRoom()) {
                        Thread.onSpinWait();
                    }
                }
                sent += wanted;
            }
        });
        long received = 0;
        while (received < total) {
            int bytes = in.available();
            if (bytes < 0) {
                if (Thread.interrupted()) {
                    throw new AssertionError("seed " + seed + ": byte " + received + " has not come in time");
                }
                Thread.onSpinWait();
                continue;
            }
            int offset = in.recordOffset();
            for (int i = 0; i < bytes; i++) {
                if (in.memory().segment.get(ValueLayout.JAVA_BYTE, offset + i) != at(received + i)) {
                    throw new AssertionError("seed " + seed + ": byte " + (received + i) + " is another");
                }
            }
            received += bytes;
            in.consumed(bytes);
        }
        producer.get(10, TimeUnit.SECONDS);
        assertThat(in.isReadable()).isFalse();
    }

    /** Memory that was written before is full of what is no record: words of 9s are lengths as well as any. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldEndBehindTheLastRecordWhateverStoodThere(long seed) throws IOException {
        SharedSegment segment = SharedSegment.create(RING_BYTES);
        SharedRing out = segment.outgoing();
        SharedRing in = SharedSegment.attach(segment.offer(), RING_BYTES).incoming();
        SplittableRandom random = new SplittableRandom(seed);
        WireBuffer nines = new WireBuffer(1024);
        nines.segment.fill((byte) 9);
        int most = 1;
        int waiting = 0;
        for (int i = 0; i < 20_000; i++) {
            if (i % 100 == 0) {
                most = 1 << random.nextInt(11);
            }
            int bytes = out.put(nines, 0, 1 + random.nextInt(most));
            waiting += bytes > 0 ? 1 : 0;
            boolean all = bytes == 0 || random.nextInt(4) == 0;
            for (; all && waiting > 0; waiting--) {
                int found = in.available();
                assertThat(found).as("seed %d, put %d", seed, i).isBetween(1, 1024);
                boolean _ = in.consumed(found);
            }
            assertThat(all && in.isReadable())
                    .as("seed %d: a record behind the last one, after put %d", seed, i)
                    .isFalse();
        }
    }

    @Test
    void shouldTakeAPayloadWithItsPaddingWhenItsLengthIsOdd() throws IOException {
        SharedSegment segment = SharedSegment.create(RING_BYTES);
        SharedRing out = segment.outgoing();
        SharedRing in = SharedSegment.attach(segment.offer(), RING_BYTES).incoming();
        PatternPayload payload = new PatternPayload(5, 13);
        assertThat(out.put(payload, 8, 13)).isEqualTo(8);
        assertThat(in.available()).isEqualTo(8);
        byte[] bytes = new byte[8];
        MemorySegment.copy(in.memory().segment, ValueLayout.JAVA_BYTE, in.recordOffset(), bytes, 0, 8);
        byte[] pattern = PatternPayload.pattern(5, 13);
        assertThat(bytes)
                .containsExactly(
                        pattern[8], pattern[9], pattern[10], pattern[11], pattern[12], (byte) 0, (byte) 0, (byte) 0);
    }

    /** Keeps everything from a place on, until it lets go. */
    private static final class Keeping implements ShortFrame.Keeper {
        long from;
        int letGo;

        @Override
        public long oldestKept() {
            return from;
        }

        @Override
        public void letGo() {
            letGo++;
            from = Long.MAX_VALUE;
        }
    }

    @Test
    void shouldPutNothingOverARecordThatIsKeptUntilItsKeeperLetsGo() throws IOException {
        SharedSegment segment = SharedSegment.create(RING_BYTES);
        SharedRing out = segment.outgoing();
        SharedRing in = SharedSegment.attach(segment.offer(), RING_BYTES).incoming();
        Keeping keeping = new Keeping();
        out.keptBy(keeping);
        FrameHeader header = new FrameHeader();
        header.tag = 77;
        long kept = out.putShortFrame(header, EmptyPayload.INSTANCE, 5, 4, 1);
        assertThat(in.available()).isEqualTo(ShortFrame.HEAD_BYTES);
        in.consumed(ShortFrame.HEAD_BYTES);
        WireBuffer other = new WireBuffer(1024);
        int put = 0;
        while (keeping.letGo == 0) {
            assertThat(out.lengthOf(kept)).isEqualTo(ShortFrame.HEAD_BYTES);
            ShortFrame.read(out.memory().segment, out.offsetOf(kept), 0, header);
            assertThat(header.tag).as("after %d other records", put).isEqualTo(77);
            header.tag = 0;
            int bytes = out.put(other, 0, 1000);
            assertThat(bytes).isPositive();
            put++;
            assertThat(in.available()).isEqualTo(bytes);
            in.consumed(bytes);
        }
        assertThat(put * 1024).as("the ring was used up before").isGreaterThan(RING_BYTES * 3 / 4);
        assertThat(keeping.letGo).isEqualTo(1);
    }

    @Test
    void shouldAskForANudgeOnceWhenTheConsumerSleeps() throws IOException {
        SharedSegment segment = SharedSegment.create(RING_BYTES);
        SharedRing out = segment.outgoing();
        SharedRing in = SharedSegment.attach(segment.offer(), RING_BYTES).incoming();
        WireBuffer eight = new WireBuffer(8);
        assertThat(out.wakesConsumer()).isFalse();
        in.sleep();
        assertThat(in.isReadable()).isFalse();
        out.put(eight, 0, 8);
        assertThat(out.wakesConsumer()).isTrue();
        assertThat(out.wakesConsumer()).isFalse();
        in.sleep();
        assertThat(in.isReadable()).as("there is a record: it must not sleep").isTrue();
        in.awake();
        assertThat(out.wakesConsumer()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void shouldNeverLeaveARecordToAConsumerThatSleeps(long seed) throws Exception {
        assertThat(AsymmetricFence.prepare()).isEqualTo(AsymmetricFence.isReady());
        SharedSegment segment = SharedSegment.create(RING_BYTES);
        SharedRing out = segment.outgoing();
        SharedRing in = SharedSegment.attach(segment.offer(), RING_BYTES).incoming();
        int records = 20_000;
        Semaphore nudges = new Semaphore(0);
        CompletableFuture<Void> producer = CompletableFuture.runAsync(() -> {
            SplittableRandom random = new SplittableRandom(seed);
            WireBuffer eight = new WireBuffer(8);
            for (int sent = 0; sent < records; ) {
                for (int pause = random.nextInt(200); pause > 0; pause--) {
                    Thread.onSpinWait();
                }
                sent += out.put(eight, 0, 8) / 8;
                if (out.wakesConsumer()) {
                    nudges.release();
                }
            }
        });
        for (int received = 0; received < records; ) {
            if (in.available() >= 0) {
                in.consumed(8);
                received++;
                continue;
            }
            in.sleep();
            AsymmetricFence.heavy();
            if (!in.isReadable()) {
                assertThat(nudges.tryAcquire(20, TimeUnit.SECONDS))
                        .as("seed %d: asleep after %d records, of which %d were sent", seed, received, records)
                        .isTrue();
            }
            in.awake();
        }
        producer.get(10, TimeUnit.SECONDS);
    }

    @Test
    void shouldAskForANudgeWhenTheProducerWaitsForRoom() throws IOException {
        SharedSegment segment = SharedSegment.create(RING_BYTES);
        SharedRing out = segment.outgoing();
        SharedRing in = SharedSegment.attach(segment.offer(), RING_BYTES).incoming();
        WireBuffer many = new WireBuffer(RING_BYTES);
        while (out.put(many, 0, RING_BYTES) > 0) {
            // until it is full
        }
        assertThat(out.wantRoom()).isFalse();
        boolean nudge = false;
        while (in.available() >= 0) {
            nudge |= in.consumed(in.available());
        }
        assertThat(nudge)
                .as("it hears of room in time, though not of each record")
                .isTrue();
        assertThat(out.wantRoom()).isTrue();
    }

    @Test
    void shouldHaveNoNameWhenASegmentIsMade() throws IOException {
        SharedSegment segment = SharedSegment.create(RING_BYTES);
        Sharing offer = segment.offer();
        Path opened = Files.readSymbolicLink(Path.of("/proc/self/fd/" + offer.descriptor()));
        assertThat(opened.toString()).startsWith("/dev/shm/gridmpj-").endsWith(" (deleted)");
        segment.closeFile();
        assertThatThrownBy(() -> SharedSegment.attach(offer, RING_BYTES)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldRemoveWhatAProcessLeftThatDiedBetweenOpeningAndDeleting() throws IOException {
        Path left = Files.createFile(Path.of("/dev/shm/gridmpj-" + UUID.randomUUID()));
        SharedSegment.create(RING_BYTES).closeFile();
        assertThat(left).doesNotExist();
    }

    @Test
    void shouldRefuseASegmentWhenItIsOfAnotherHostOrLength() throws IOException {
        Sharing offer = SharedSegment.create(RING_BYTES).offer();
        Sharing elsewhere =
                new Sharing(offer.hostId() ^ 2, offer.pid(), offer.descriptor(), offer.number(), offer.segmentBytes());
        assertThatThrownBy(() -> SharedSegment.attach(elsewhere, RING_BYTES)).hasMessageContaining("another host");
        assertThatThrownBy(() -> SharedSegment.attach(offer, 2 * RING_BYTES)).hasMessageContaining("another length");
    }

    /** A dialer waits for 20 s; then it closes the file, and the next one, for another peer, has its descriptor. */
    @Test
    void shouldRefuseASegmentWhenAnotherIsOpenUnderItsDescriptor() throws IOException {
        SharedSegment first = SharedSegment.create(RING_BYTES);
        Sharing late = first.offer();
        first.closeFile();
        SharedSegment second = SharedSegment.create(RING_BYTES);
        try {
            Sharing present = second.offer();
            assertThat(present.number()).isNotZero().isNotEqualTo(late.number());
            // What the system gives, without the chance that something else opens a file in between.
            Sharing reused =
                    new Sharing(late.hostId(), late.pid(), present.descriptor(), late.number(), late.segmentBytes());
            assertThatThrownBy(() -> SharedSegment.attach(reused, RING_BYTES))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("another open in its place");
            SharedSegment.attach(present, RING_BYTES);
        } finally {
            second.closeFile();
        }
    }
}
