package org.gridmpj.datatype;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class RowsAheadTest {
    private static final TypeMap OBJECT = TypeMap.of(BaseType.OBJECT);
    private static final long MOST_BYTES = 1 << 20;

    private final RowsAhead ahead = new RowsAhead(MOST_BYTES, SoftReference::new);
    private final MessageBuffer sender = new MessageBuffer();
    private final MessageBuffer receiver = new MessageBuffer(ahead);

    private <T> T[] transfer(T[] from, T[] target) {
        sender.forSend(from, 0, from.length, OBJECT);
        byte[] bytes = new byte[(int) sender.messageBytes()];
        MemorySegment wire = MemorySegment.ofArray(bytes);
        sender.read(0, wire, 0, bytes.length);
        receiver.forReceive(target, 0, target.length, OBJECT);
        receiver.expect(bytes.length, from.length, sender.flags());
        for (int at = 0; at < bytes.length; at += 1000) {
            receiver.write(at, wire, at, Math.min(1000, bytes.length - at));
        }
        assertThat(receiver.finish()).isEqualTo(from.length);
        receiver.clear();
        sender.clear();
        return target;
    }

    private static double[][] matrix(int rows, int columns, double seed) {
        double[][] matrix = new double[rows][columns];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                matrix[i][j] = seed + i * columns + j;
            }
        }
        return matrix;
    }

    private int makeAll() {
        int steps = 0;
        while (ahead.isWanted()) {
            ahead.step();
            steps++;
        }
        return steps;
    }

    @Test
    void shouldHandOutEachRowOnceWhenMessagesAreAlike() {
        Set<Object> rows = Collections.newSetFromMap(new IdentityHashMap<>());
        List<double[][]> received = new ArrayList<>();
        for (int message = 0; message < 20; message++) {
            double[][] sent = matrix(33, 40, message);
            double[][] got = transfer(sent, new double[33][]);
            assertThat(got).isDeepEqualTo(sent);
            Collections.addAll(rows, (Object[]) got);
            received.add(got);
            assertThat(ahead.isWanted()).as("after message %d", message).isEqualTo(message > 0);
            // all, some, or none are there when the next one comes
            for (int step = 0; step < message * 2 && ahead.isWanted(); step++) {
                ahead.step();
            }
        }
        assertThat(rows).hasSize(20 * 33);
        for (int message = 0; message < 20; message++) {
            assertThat(received.get(message)).isDeepEqualTo(matrix(33, 40, message));
        }
    }

    @Test
    void shouldGiveWhatWasMadeWhenAMessageAsks() {
        Object[] target = new Object[30];
        expectRows(25, 100);
        expectRows(25, 100);
        for (int i = 0; i < 4; i++) {
            ahead.step();
        }
        ahead.begin();
        // 1 KiB a step: two rows of 400 bytes
        assertThat(ahead.take(BaseType.FLOAT, 100, 5, target, 1)).isEqualTo(5);
        assertThat(ahead.take(BaseType.INT, 100, 5, target, 6)).isZero();
        assertThat(ahead.take(BaseType.FLOAT, 101, 5, target, 6)).isZero();
        assertThat(ahead.take(BaseType.FLOAT, 100, 20, target, 6)).isEqualTo(3);
        assertThat(ahead.take(BaseType.FLOAT, 100, 1, target, 9)).isZero();
        ahead.end();
        assertThat(target[0]).isNull();
        assertThat(Arrays.copyOfRange(target, 1, 9)).hasOnlyElementsOfType(float[].class);
        assertThat(target[9]).isNull();
        assertThat(makeAll()).isEqualTo(13);
    }

    private void expectRows(int rows, int length) {
        ahead.begin();
        assertThat(ahead.take(BaseType.FLOAT, length, rows, new Object[rows], 0))
                .isZero();
        ahead.end();
    }

    @Test
    void shouldMakeNoneWhenMessagesDiffer() {
        for (int i = 0; i < 5; i++) {
            expectRows(200, 100);
            assertThat(ahead.isWanted()).isFalse();
            expectRows(200, 101);
            assertThat(ahead.isWanted()).isFalse();
        }
    }

    @Test
    void shouldMakeNoneWhenItIsNotWorthIt() {
        for (int i = 0; i < 3; i++) {
            expectRows(10, 10);
            assertThat(ahead.isWanted()).as("a short message").isFalse();
        }
        for (int i = 0; i < 3; i++) {
            expectRows(10, 100_000);
            assertThat(ahead.isWanted()).as("long rows").isFalse();
        }
        for (int i = 0; i < 3; i++) {
            ahead.begin();
            ahead.end();
            assertThat(ahead.isWanted()).as("no rows").isFalse();
        }
    }

    @Test
    void shouldMakeNoMoreThanItMayWhenAMessageIsLarge() {
        expectRows(3000, 1024);
        expectRows(3000, 1024);
        assertThat(makeAll()).isEqualTo((int) (MOST_BYTES / 4096));
    }

    @Test
    void shouldKeepSharedRowsWhenRowsAreThere() {
        double[] shared = new double[600];
        double[][][] cube = new double[3][3][600];
        cube[0][1] = shared;
        cube[2][0] = shared;
        cube[1][2] = shared;
        for (int message = 0; message < 4; message++) {
            shared[5] = message;
            double[][][] back = transfer(cube, new double[3][][]);
            assertThat(back).isDeepEqualTo(cube);
            assertThat(back[2][0]).isSameAs(back[0][1]);
            assertThat(back[1][2]).isSameAs(back[0][1]);
            assertThat(back[1][1]).isNotSameAs(back[0][1]);
            makeAll();
        }
    }

    @Test
    void shouldGoOnWhenTheCollectorTookWhatWasMade() {
        double[][] sent = matrix(50, 50, 0);
        transfer(sent, new double[50][]);
        transfer(sent, new double[50][]);
        makeAll();
        ahead.forget();
        double[][] third = transfer(sent, new double[50][]);
        assertThat(third).isDeepEqualTo(sent);
        ahead.step();
        ahead.forget();
        ahead.step();
        assertThat(ahead.isWanted()).as("before the next message").isFalse();
        assertThat(transfer(sent, new double[50][])).isDeepEqualTo(sent);
        assertThat(ahead.isWanted()).isTrue();
    }
}
