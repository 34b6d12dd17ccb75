package org.gridmpj.transport.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.PayloadSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessageLogTest {
    @TempDir
    Path folder;

    private final FrameHeader header = new FrameHeader();

    @Test
    void shouldGiveAgainWhatWasSentBehindTheMarkerWhenThePeerGoesBack() throws IOException {
        try (LogMemory memory = new LogMemory(1 << 20, new FileLogSpill(folder), LogPace.unlimited())) {
            MessageLog log = new MessageLog(memory);
            send(log, 1);
            marker(log, 7);
            send(log, 2);
            send(log, 3);
            assertThat(given(log)).containsExactly(1L, -7L, 2L, 3L);

            assertThat(log.rewind(7, true)).isTrue();
            send(log, 4);

            assertThat(given(log)).containsExactly(2L, 3L, 4L);
            assertThat(log.rewind(6, true)).isFalse();
        }
    }

    @Test
    void shouldNotRepeatTheMarkersOfEpochsThatWereGivenUp() throws IOException {
        try (LogMemory memory = new LogMemory(1 << 20, new FileLogSpill(folder), LogPace.unlimited())) {
            MessageLog log = new MessageLog(memory);
            marker(log, 7);
            send(log, 1);
            marker(log, 8);
            send(log, 2);
            assertThat(given(log)).hasSize(4);

            assertThat(log.rewind(7, true)).isTrue();
            marker(log, 9);

            assertThat(given(log)).containsExactly(1L, 2L, -9L);
        }
    }

    @Test
    void shouldSpillWhatMemoryHasNoRoomForAndForgetWhatIsCommitted() throws IOException {
        try (LogMemory memory =
                new LogMemory(8 << 10, 1 << 10, new FileLogSpill(folder), LogPace.unlimited(), LogRules.ALL)) {
            MessageLog log = new MessageLog(memory);
            marker(log, 1);
            for (int number = 1; number <= 200; number++) {
                send(log, number);
            }
            assertThat(given(log)).hasSize(201);
            assertThat(memory.memoryBytes()).isLessThanOrEqualTo(8 << 10);
            assertThat(memory.spilledBytes()).isPositive();

            assertThat(log.rewind(1, true)).isTrue();
            List<Long> again = given(log);
            assertThat(again).hasSize(200).startsWith(1L, 2L).endsWith(200L);

            marker(log, 2);
            assertThat(given(log)).containsExactly(-2L);
            log.committed(2);
            assertThat(memory.spilledBytes()).isZero();
            assertThat(log.rewind(1, true)).isFalse();
            assertThat(log.rewind(2, true)).isTrue();
        }
    }

    /** A transport that takes all it is offered would else have the whole log in memory. */
    @Test
    void shouldBringBackNoMoreThanThereIsRoomForWhileTheTransportReads() throws IOException {
        int budget = 8 << 10;
        try (LogMemory memory =
                new LogMemory(budget, 1 << 10, new FileLogSpill(folder), LogPace.unlimited(), LogRules.ALL)) {
            MessageLog log = new MessageLog(memory);
            marker(log, 1);
            for (int number = 1; number <= 200; number++) {
                send(log, number);
            }
            assertThat(given(log)).hasSize(201);
            assertThat(log.rewind(1, true)).isTrue();
            List<Long> again = new ArrayList<>();
            List<PayloadSource> read = new ArrayList<>();
            FrameHeader next = new FrameHeader();
            int waits = 0;
            while (!log.isAtEnd()) {
                if (log.next(next)) {
                    again.add(next.messageId);
                    read.add(log.payload(next));
                    log.given(next);
                } else {
                    waits++;
                    read.forEach(PayloadSource::released);
                    read.clear();
                }
                assertThat(memory.memoryBytes()).isLessThanOrEqualTo(budget);
            }
            assertThat(waits).isPositive();
            assertThat(again).hasSize(200).startsWith(1L, 2L).endsWith(200L);

            // the peer's life ends, and with it a transport that had not released what it was given
            assertThat(log.rewind(1, true)).isTrue();
            while (log.next(next)) {
                assertThat(log.payload(next)).isNotNull();
                log.given(next);
            }
            assertThat(log.rewind(1, true)).isTrue();
            assertThat(given(log)).hasSize(200);
        }
    }

    @Test
    void shouldReadInTheBufferUntilThereIsACopyAndThenInTheCopy() throws IOException {
        try (LogMemory memory = new LogMemory(1 << 20, new FileLogSpill(folder), LogPace.unlimited())) {
            MessageLog log = new MessageLog(memory);
            marker(log, 1);
            assertThat(given(log)).containsExactly(-1L);
            byte[] buffer = new byte[200];
            Arrays.fill(buffer, (byte) 5);
            BufferPayload source = new BufferPayload(buffer);
            LoggedPayload ahead = new LoggedPayload(source);
            byte[] sent = new byte[200];
            ahead.read(0, MemorySegment.ofArray(sent), 0, 96);

            header.clear();
            header.messageId = 1;
            header.payloadBytes = buffer.length;
            log.append(header, source);
            log.givenAhead(header, ahead);
            Arrays.fill(buffer, (byte) 6);
            ahead.read(96, MemorySegment.ofArray(sent), 96, 104);
            ahead.released();

            assertThat(sent).containsOnly(5);
            assertThat(source.releases).as("is whose log it is to say").isZero();
            assertThat(given(log)).isEmpty();
            assertThat(log.rewind(1, true)).isTrue();
            FrameHeader again = new FrameHeader();
            assertThat(log.next(again)).isTrue();
            byte[] read = new byte[200];
            log.payload(again).read(0, MemorySegment.ofArray(read), 0, 200);
            assertThat(read).containsOnly(5);
        }
    }

    @Test
    void shouldReleaseTheBufferOnceWhenThereWillBeNoCopy() {
        BufferPayload early = new BufferPayload(new byte[8]);
        LoggedPayload before = new LoggedPayload(early);
        before.released();
        assertThat(early.releases).isZero();
        before.isNowhereElse();
        assertThat(early.releases).isOne();

        BufferPayload late = new BufferPayload(new byte[8]);
        LoggedPayload after = new LoggedPayload(late);
        after.isNowhereElse();
        after.read(0, MemorySegment.ofArray(new byte[8]), 0, 8);
        assertThat(late.releases).isZero();
        after.released();
        assertThat(late.releases).isOne();
    }

    private static final class BufferPayload implements PayloadSource {
        private final byte[] buffer;
        private int releases;

        BufferPayload(byte[] buffer) {
            this.buffer = buffer;
        }

        @Override
        public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
            MemorySegment.copy(MemorySegment.ofArray(buffer), positionBytes, target, targetOffset, lengthBytes);
        }

        @Override
        public void released() {
            releases++;
        }
    }

    private void marker(MessageLog log, int epoch) throws IOException {
        header.clear();
        header.kind = FrameKind.MARKER;
        header.messageId = epoch;
        log.append(header, payload(0));
        log.barrier(epoch);
    }

    private void send(MessageLog log, long number) throws IOException {
        header.clear();
        header.messageId = number;
        header.payloadBytes = 100;
        log.append(header, payload(number));
    }

    private static PayloadSource payload(long number) {
        return new PayloadSource() {
            @Override
            public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
                target.asSlice(targetOffset, lengthBytes).fill((byte) number);
            }

            @Override
            public void released() {
                // nobody waits
            }
        };
    }

    /** Numbers of the frames that are due, markers negative; checks the payloads. */
    private static List<Long> given(MessageLog log) throws IOException {
        List<Long> numbers = new ArrayList<>();
        FrameHeader next = new FrameHeader();
        while (log.next(next)) {
            if (next.kind == FrameKind.MARKER) {
                numbers.add(-next.messageId);
            } else {
                byte[] bytes = new byte[(int) next.payloadBytes];
                PayloadSource payload = log.payload(next);
                payload.read(0, MemorySegment.ofArray(bytes), 0, bytes.length);
                payload.released();
                assertThat(bytes).containsOnly((byte) next.messageId);
                numbers.add(next.messageId);
            }
            log.given(next);
        }
        return numbers;
    }
}
