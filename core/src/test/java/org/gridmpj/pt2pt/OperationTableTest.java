package org.gridmpj.pt2pt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OperationTableTest {
    @Test
    void shouldFindEachOperationByItsTokenUntilItIsReleased() {
        long seed = 42;
        Random random = new Random(seed);
        OperationTable table = new OperationTable();
        List<OperationRecord> live = new ArrayList<>();
        Set<Long> everUsed = new HashSet<>();
        List<Long> dead = new ArrayList<>();
        for (int step = 0; step < 5000; step++) {
            if (live.isEmpty() || random.nextInt(5) < 3) {
                OperationRecord operation = new OperationRecord(op -> {});
                long token = table.register(operation);
                assertThat(token).isNotZero();
                assertThat(everUsed.add(token))
                        .as("seed %d: a token is used once", seed)
                        .isTrue();
                live.add(operation);
            } else {
                OperationRecord operation = live.remove(random.nextInt(live.size()));
                dead.add(operation.token);
                table.release(operation);
                assertThat(operation.token).isZero();
            }
        }
        for (OperationRecord operation : live) {
            assertThat(table.find(operation.token)).isSameAs(operation);
        }
        for (long token : dead) {
            assertThat(table.find(token)).isNull();
        }
        assertThat(table.find(0)).isNull();
    }
}
