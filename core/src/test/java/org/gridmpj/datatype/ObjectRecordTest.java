package org.gridmpj.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.StreamCorruptedException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The layout on the wire and in packed buffers. A change of it needs a new version number. */
final class ObjectRecordTest {
    private static final String PREFIX =
            "a7" + "01" + "02" + "00" + "04000000" + "4800000000000000" + "1200000000000000";
    private static final String HEADER = "02" + "07" + "01" + "03000000" + "00" + "0100000000" + "0302000000";
    private static final String PADDING = "000000000000";
    private static final String ROWS = "0000803f" + "00000040" + "00004040" + "00000000" + "00008040" + "0000a040";

    @Test
    void shouldHaveThisLayoutWhenArraysAreSent() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN);
        float[] first = {1, 2, 3};
        MessageBuffer buffer = new MessageBuffer();
        buffer.forSend(new float[][] {first, null, first, {4, 5}}, 0, 4, TypeMap.of(BaseType.OBJECT));
        byte[] bytes = new byte[(int) buffer.messageBytes()];
        buffer.read(0, MemorySegment.ofArray(bytes), 0, bytes.length);
        assertThat(HexFormat.of().formatHex(bytes)).isEqualTo(PREFIX + HEADER + PADDING + ROWS);
    }

    @Test
    void shouldBeRefusedWhenThePrefixIsNone() {
        ObjectRecord record = new ObjectRecord();
        byte[] bytes = new byte[ObjectRecord.PREFIX_BYTES];
        record.codecId = 1;
        record.elements = 1;
        record.lengthBytes = 24;
        record.write(bytes, 0);
        assertThatThrownBy(() -> record.read(bytes, 0, 23)).isInstanceOf(StreamCorruptedException.class);
        bytes[ObjectRecord.VERSION_OFFSET]++;
        assertThatThrownBy(() -> record.read(bytes, 0, 24)).isInstanceOf(StreamCorruptedException.class);
    }
}
