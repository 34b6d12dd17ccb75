package org.gridmpj.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import org.gridmpj.error.MpiFailure;
import org.junit.jupiter.api.Test;

/** Matrices as MPI.OBJECT: rows in runs, allocated when their data arrive. */
final class MatrixMessageTest {
    private static final TypeMap OBJECT = TypeMap.of(BaseType.OBJECT);

    private final MessageBuffer sender = new MessageBuffer();
    private final MessageBuffer receiver = new MessageBuffer();

    private byte[] bytesOf(Object[] elements) {
        sender.forSend(elements, 0, elements.length, OBJECT);
        byte[] bytes = new byte[(int) sender.messageBytes()];
        sender.read(0, MemorySegment.ofArray(bytes), 0, bytes.length);
        return bytes;
    }

    private <T> T[] receive(byte[] bytes, T[] target, int pieceBytes) {
        receiver.forReceive(target, 0, target.length, OBJECT);
        receiver.expect(bytes.length, target.length, sender.flags());
        MemorySegment wire = MemorySegment.ofArray(bytes);
        for (int at = 0; at < bytes.length; at += pieceBytes) {
            receiver.write(at, wire, at, Math.min(pieceBytes, bytes.length - at));
        }
        assertThat(receiver.finish()).isEqualTo(target.length);
        receiver.clear();
        return target;
    }

    private static short[][] matrix(int rows, int columns) {
        short[][] matrix = new short[rows][columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                matrix[i][j] = (short) (i * columns + j);
            }
        }
        return matrix;
    }

    @Test
    void shouldHaveThisLayoutWhenRowsAreAlike() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN);
        byte[] bytes = bytesOf(new short[][] {{1, 2}, {3, 4}, {5, 6}, {}, {}, {}});
        assertThat(HexFormat.of().formatHex(bytes, ObjectRecord.PREFIX_BYTES, bytes.length))
                .isEqualTo("02" + "03" + "01" + "02000000" + "05" + "02000000" + "03" + "00000000" + "04" + "04"
                        + "0000000000" + "0100020000000000" + "0300040000000000" + "0500060000000000");
    }

    @Test
    void shouldArriveWhateverThePiecesAreWhenRowsAreAlike() {
        for (int columns : new int[] {1, 3, 4, 5, 64, 1001}) {
            short[][] matrix = matrix(37, columns);
            byte[] bytes = bytesOf(matrix);
            for (int piece : new int[] {8, 16, 40, 4096, 1 << 20}) {
                assertThat(receive(bytes, new short[37][], piece))
                        .as("%d columns in pieces of %d", columns, piece)
                        .isDeepEqualTo(matrix);
            }
        }
    }

    @Test
    void shouldFindASharedRowWhenTheOthersWereJustReceived() {
        short[][] first = receive(bytesOf(matrix(50, 9)), new short[50][], 64);
        // as it was received: nothing is looked up
        short[][] second = receive(bytesOf(first), new short[50][], 64);
        assertThat(second).isDeepEqualTo(matrix(50, 9));
        assertThat(second[7]).isNotSameAs(first[7]);
        for (int at : new int[] {1, 20, 49}) {
            short[][] changed = receive(bytesOf(first), new short[50][], 1 << 20);
            changed[at] = changed[at - 1];
            short[][] back = receive(bytesOf(changed), new short[50][], 72);
            assertThat(back).isDeepEqualTo(changed);
            assertThat(back[at]).isSameAs(back[at - 1]);
            assertThat(Arrays.stream(back)
                            .map(System::identityHashCode)
                            .distinct()
                            .count())
                    .isGreaterThanOrEqualTo(40);
        }
    }

    @Test
    void shouldAllocateARowEarlyWhenAnotherPlaceRefersToIt() {
        double[] shared = {1, 2, 3};
        double[][][] cube = {{{4}, shared, {5, 6, 7}}, {shared, null, shared}, {{8, 9, 10}, {11, 12, 13}, shared}};
        double[][][] back = receive(bytesOf(cube), new double[3][][], 8);
        assertThat(back).isEqualTo(cube);
        assertThat(back[1][0]).isSameAs(back[0][1]);
        assertThat(back[2][2]).isSameAs(back[0][1]);
    }

    @Test
    void shouldFailWithoutMemoryWhenARunIsTooLong() {
        byte[] bytes = bytesOf(matrix(20, 4));
        int run = ObjectRecord.PREFIX_BYTES + 7;
        assertThat(bytes[run]).isEqualTo((byte) PrimitiveArrayCodec.RUN);
        for (int count : new int[] {0, -1, 20, Integer.MAX_VALUE}) {
            for (int i = 0; i < 4; i++) {
                bytes[run + 1 + i] = (byte) (count >>> (8 * i));
            }
            assertThatThrownBy(() -> receive(bytes, new short[20][], 64))
                    .as("run of %d", count)
                    .isInstanceOf(MpiFailure.class)
                    .hasMessageContaining("corrupt");
        }
    }
}
