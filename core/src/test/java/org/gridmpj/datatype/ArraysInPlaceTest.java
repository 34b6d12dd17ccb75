package org.gridmpj.datatype;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Receives of objects that fill the arrays of primitives in their buffers. */
final class ArraysInPlaceTest {
    private static final TypeMap OBJECT = TypeMap.of(BaseType.OBJECT);

    private final MessageBuffer sender = new MessageBuffer();
    private final MessageBuffer receiver = new MessageBuffer(new RowsAhead());

    private void transfer(Object[] elements, Object[] target, int offset, int pieceBytes, boolean inPlace) {
        sender.forSend(elements, 0, elements.length, OBJECT);
        receiver.forReceive(target, offset, elements.length, OBJECT, inPlace);
        long length = sender.messageBytes();
        assertThat(receiver.expect(length, elements.length, sender.flags())).isNull();
        MemorySegment wire = MemorySegment.ofArray(new byte[pieceBytes]);
        for (long at = 0; at < length; at += pieceBytes) {
            int piece = (int) Math.min(pieceBytes, length - at);
            sender.read(at, wire, 0, piece);
            receiver.write(at, wire, 0, piece);
        }
        assertThat(receiver.finish()).isEqualTo(elements.length);
        sender.clear();
        receiver.clear();
    }

    private static float[][] matrix(int rows, int columns, Random random) {
        float[][] matrix = new float[rows][columns];
        for (float[] row : matrix) {
            for (int j = 0; j < columns; j++) {
                row[j] = random.nextFloat();
            }
        }
        return matrix;
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 64, 1 << 16})
    void shouldFillTheRowsThatFit(int pieceBytes) {
        Random random = new Random(1);
        float[][] target = matrix(40, 11, random);
        float[][] before = target.clone();
        for (int round = 0; round < 4; round++) {
            float[][] matrix = matrix(30, 11, random);
            transfer(matrix, target, 5, pieceBytes, true);
            for (int i = 0; i < 40; i++) {
                assertThat(target[i]).isSameAs(before[i]);
            }
            for (int i = 0; i < 30; i++) {
                assertThat(target[5 + i]).containsExactly(matrix[i]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 1 << 16})
    void shouldReplaceWhatDoesNotFit(int pieceBytes) {
        Random random = new Random(2);
        float[][] matrix = matrix(20, 7, random);
        Object[] target = new Object[20];
        for (int i = 0; i < target.length; i++) {
            target[i] = new float[7];
        }
        target[2] = null;
        target[3] = new float[8];
        target[4] = new int[7];
        target[5] = "text";
        target[9] = target[8];
        target[19] = target[1];
        Object[] before = target.clone();
        transfer(matrix, target, 0, pieceBytes, true);
        for (int i = 0; i < 20; i++) {
            assertThat((float[]) target[i]).as("row %d", i).containsExactly(matrix[i]);
            boolean fits = i != 2 && i != 3 && i != 4 && i != 5 && i != 9 && i != 19;
            if (fits) {
                assertThat(target[i]).as("row %d", i).isSameAs(before[i]);
            } else {
                assertThat(target[i]).as("row %d", i).isNotSameAs(before[i]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 1 << 16})
    void shouldKeepWhatIsSharedInTheMessage(int pieceBytes) {
        double[] shared = {1, 2, 3};
        double[][] matrix = {shared, {4, 5, 6}, shared, {7, 8, 9}};
        double[][] target = {new double[3], new double[3], new double[3], new double[3]};
        double[][] before = target.clone();
        transfer(matrix, target, 0, pieceBytes, true);
        assertThat(target).isDeepEqualTo(matrix);
        assertThat(target[0]).isSameAs(before[0]);
        assertThat(target[2]).isSameAs(target[0]);
        assertThat(before[2]).containsExactly(0, 0, 0);
        assertThat(target[3]).isSameAs(before[3]);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 1 << 16})
    void shouldFillTheRowsOfArraysOfArrays(int pieceBytes) {
        double[][][] cube = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}, {9, 10}}, {{11, 12}}};
        double[][] same = {new double[2], new double[2]};
        double[][][] target = {same, same, {new double[2], new double[2]}};
        double[] first = same[0];
        double[] third = target[2][0];
        transfer(cube, target, 0, pieceBytes, true);
        assertThat(target).isDeepEqualTo(cube);
        assertThat(target[0][0]).isSameAs(first);
        assertThat(target[1][0]).as("the row has been filled already").isNotSameAs(first);
        assertThat(target[2][0]).isSameAs(third);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 1 << 16})
    void shouldReplaceAllWhereNothingElseIsWanted(int pieceBytes) {
        Random random = new Random(3);
        float[][] target = matrix(12, 5, random);
        float[][] before = target.clone();
        float[][] matrix = matrix(12, 5, random);
        transfer(matrix, target, 0, pieceBytes, true);
        transfer(matrix, target, 0, pieceBytes, false);
        for (int i = 0; i < 12; i++) {
            assertThat(target[i]).isNotSameAs(before[i]).containsExactly(matrix[i]);
        }
    }
}
