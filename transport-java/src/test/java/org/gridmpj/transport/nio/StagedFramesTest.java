package org.gridmpj.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.PayloadSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** StagedOutput to StagedInput through a channel that takes and gives random amounts. */
@Timeout(60)
class StagedFramesTest {
    private static final int PEER = 5;
    private static final int STAGING_BYTES = 4096;

    /** A socket's buffer of limited size that moves a random part of what it could. */
    private static final class Trickle implements ByteChannel {
        private final Random random;
        private final Deque<Byte> bytes = new ArrayDeque<>();

        Trickle(Random random) {
            this.random = random;
        }

        @Override
        public int read(ByteBuffer target) {
            int count = random.nextInt(Math.min(target.remaining(), bytes.size()) + 1);
            for (int i = 0; i < count; i++) {
                target.put(bytes.remove());
            }
            return count;
        }

        @Override
        public int write(ByteBuffer source) {
            int count = random.nextInt(Math.min(source.remaining(), 3000 - bytes.size()) + 1);
            for (int i = 0; i < count; i++) {
                bytes.add(source.get());
            }
            return count;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }

    private static final class Source implements PayloadSource {
        private final byte[] bytes;
        private int releases;

        Source(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
            assertThat(releases).isZero();
            assertThat(positionBytes % 8).isZero();
            assertThat(targetOffset % 8).isZero();
            assertThat(lengthBytes % 8 == 0 || positionBytes + lengthBytes == bytes.length)
                    .isTrue();
            MemorySegment.copy(bytes, (int) positionBytes, target, ValueLayout.JAVA_BYTE, targetOffset, lengthBytes);
        }

        @Override
        public void released() {
            releases++;
        }
    }

    private static final class Received implements FrameSink {
        private final List<Long> ids = new ArrayList<>();
        private final List<byte[]> payloads = new ArrayList<>();
        private int begun;

        @Override
        public PayloadSink onFrame(int peerRank, FrameHeader header) {
            assertThat(peerRank).isEqualTo(PEER);
            assertThat(begun).isEqualTo(ids.size());
            begun++;
            byte[] payload = new byte[(int) header.payloadBytes];
            payloads.add(payload);
            return (positionBytes, source, sourceOffset, lengthBytes) -> {
                assertThat(positionBytes % 8).isZero();
                assertThat(sourceOffset % 8).isZero();
                MemorySegment.copy(
                        source, ValueLayout.JAVA_BYTE, sourceOffset, payload, (int) positionBytes, lengthBytes);
            };
        }

        @Override
        public void onFrameComplete(int peerRank, FrameHeader header, PayloadSink sink) {
            ids.add(header.messageId);
        }

        @Override
        public void onPeerLost(int peerRank, MpiFailure cause) {
            throw cause;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldArriveWholeAndInOrderWhenTheChannelMovesRandomAmounts(long seed) throws IOException {
        Random random = new Random(seed);
        Trickle channel = new Trickle(random);
        Received received = new Received();
        StagedOutput output = new StagedOutput(STAGING_BYTES);
        StagedInput input = new StagedInput(PEER, received, confirmation -> {}, STAGING_BYTES);
        List<Source> sources = new ArrayList<>();
        int frames = 400;
        FrameHeader header = new FrameHeader();
        while (received.ids.size() < frames) {
            if (sources.size() < frames && random.nextInt(3) > 0) {
                int limitBytes = random.nextInt(10) == 0 ? 20_000 : 700;
                byte[] payload = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(limitBytes)];
                random.nextBytes(payload);
                header.clear();
                header.kind = FrameKind.EAGER;
                header.sourceRank = PEER;
                header.messageId = sources.size();
                header.payloadBytes = payload.length;
                Source source = new Source(payload);
                if (output.stage(header, source)) {
                    sources.add(source);
                    if (payload.length <= output.copiedPayloadLimitBytes()) {
                        assertThat(source.releases).as("seed %d", seed).isOne();
                    }
                }
            }
            output.flush(channel);
            input.read(channel);
        }
        assertThat(output.isEmpty()).as("seed %d", seed).isTrue();
        assertThat(input.midFrame()).as("seed %d", seed).isFalse();
        for (int i = 0; i < frames; i++) {
            assertThat(received.ids.get(i)).as("seed %d", seed).isEqualTo(i);
            assertThat(received.payloads.get(i))
                    .as("seed %d, frame %d", seed, i)
                    .isEqualTo(sources.get(i).bytes);
            assertThat(sources.get(i).releases).as("seed %d, frame %d", seed, i).isOne();
        }
    }
}
