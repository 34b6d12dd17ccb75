package org.gridmpj.transport.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.PayloadSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was spilled comes back as it was, or not at all. */
class DamagedLogTest {
    private static final int CHUNK_BYTES = 1 << 10;
    private static final int PAYLOAD_BYTES = 100;
    /** A header and a payload, padded. */
    private static final int RECORD_BYTES = FrameHeader.BYTES + 104;

    /** Of the first chunk, which begins with a marker. */
    private static final int USED_BYTES =
            FrameHeader.BYTES + (CHUNK_BYTES - FrameHeader.BYTES) / RECORD_BYTES * RECORD_BYTES;

    @TempDir
    Path folder;

    private FileLogSpill spill;
    private LogMemory memory;
    private MessageLog log;

    @BeforeEach
    void spillSome() throws IOException {
        spill = new FileLogSpill(folder);
        memory = new LogMemory(4 * CHUNK_BYTES, CHUNK_BYTES, spill, LogPace.unlimited(), LogRules.ALL);
        log = new MessageLog(memory);
        append(FrameKind.MARKER, 1, 0);
        log.barrier(1);
        for (int number = 1; number <= 100; number++) {
            append(FrameKind.EAGER, number, PAYLOAD_BYTES);
        }
        readAll();
        assertThat(memory.spilledBytes()).isPositive();
    }

    @AfterEach
    void close() {
        memory.close();
    }

    @Test
    void shouldNoticeEachFlippedBit() throws IOException {
        FileChannel file = spill.file();
        for (int bit = 0; bit < 8 * USED_BYTES; bit++) {
            flip(file, bit);
            assertThat(log.rewind(1, true)).isTrue();
            assertThatThrownBy(this::readAll)
                    .as("bit %d", bit)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("is damaged")
                    .hasMessageContaining(folder.toString());
            flip(file, bit);
        }

        assertThat(log.rewind(1, true)).isTrue();
        assertThat(readAll()).as("frames that come again of the file as it was").isEqualTo(100);
    }

    @Test
    void shouldNoticeThatTheFileIsTorn() throws IOException {
        spill.file().truncate(CHUNK_BYTES + CHUNK_BYTES / 2);

        assertThat(log.rewind(1, true)).isTrue();
        assertThatThrownBy(this::readAll)
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ends at byte " + (CHUNK_BYTES + CHUNK_BYTES / 2));
    }

    /** As a power cut may leave it, or a file system that is repaired. */
    @Test
    void shouldNoticeThatAPartIsZeros() throws IOException {
        spill.file().write(ByteBuffer.allocate(CHUNK_BYTES), CHUNK_BYTES);

        assertThat(log.rewind(1, true)).isTrue();
        assertThatThrownBy(this::readAll).isInstanceOf(IOException.class).hasMessageContaining("is damaged");
    }

    /** A place in the file that is used a second time has another checksum then. */
    @Test
    void shouldReadWhatIsWrittenOverWhatWasCommitted() throws IOException {
        append(FrameKind.MARKER, 2, 0);
        log.barrier(2);
        for (int number = 1; number <= 100; number++) {
            append(FrameKind.EAGER, number, PAYLOAD_BYTES);
        }
        readAll();
        log.committed(2);
        append(FrameKind.MARKER, 3, 0);
        log.barrier(3);
        for (int number = 1; number <= 100; number++) {
            append(FrameKind.EAGER, -number, PAYLOAD_BYTES);
        }
        readAll();

        assertThat(log.rewind(2, true)).isTrue();
        assertThat(readAll()).isEqualTo(200);
    }

    private static void flip(FileChannel file, int bit) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        assertThat(file.read(one, bit / 8)).isOne();
        one.put(0, (byte) (one.get(0) ^ (1 << (bit % 8)))).flip();
        assertThat(file.write(one, bit / 8)).isOne();
    }

    private void append(FrameKind kind, long number, int payloadBytes) throws IOException {
        FrameHeader header = new FrameHeader();
        header.kind = kind;
        header.messageId = number;
        header.payloadBytes = payloadBytes;
        log.append(header, new PayloadSource() {
            @Override
            public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
                target.asSlice(targetOffset, lengthBytes).fill((byte) number);
            }

            @Override
            public void released() {
                // nobody waits
            }
        });
    }

    /** How many frames are due. */
    private int readAll() throws IOException {
        int count = 0;
        FrameHeader next = new FrameHeader();
        while (log.next(next)) {
            log.given(next);
            count++;
        }
        return count;
    }
}
