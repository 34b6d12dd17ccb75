package org.gridmpj.coll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import org.gridmpj.coll.SelectionTable.Order;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.Reducer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.MpiFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectionTableTest {
    private static SelectionTable.Call call(int ranks, long bytes) {
        return new SelectionTable.Call(ranks, false, bytes, false, Order.ANY, true);
    }

    private static Algorithm choice(String text, Choosable operation, SelectionTable.Call call) {
        return SelectionTable.of(text, "my.table").choose(operation, call);
    }

    @Test
    void shouldTakeTheFirstLineThatFitsWhenSeveralDo() {
        String text = "allreduce ring ranks 3-4 bytes 1K-64k # short\nallreduce recursive-doubling bytes -1M";

        assertThat(choice(text, Choosable.ALLREDUCE, call(4, 1024))).isEqualTo(Algorithm.RING);
        assertThat(choice(text, Choosable.ALLREDUCE, call(4, 65536))).isEqualTo(Algorithm.RING);
        assertThat(choice(text, Choosable.ALLREDUCE, call(5, 65536))).isEqualTo(Algorithm.RECURSIVE_DOUBLING);
        assertThat(choice(text, Choosable.ALLREDUCE, call(4, 65537))).isEqualTo(Algorithm.RECURSIVE_DOUBLING);
        assertThat(choice(text, Choosable.ALLREDUCE, call(4, (1 << 20) + 1)))
                .as("the default table's")
                .isEqualTo(Algorithm.RABENSEIFNER);
    }

    @Test
    void shouldPassOverALineWhenItsAlgorithmCannotDoTheCall() {
        String text = "allreduce ring\nreduce-scatter pairwise\nbcast scatter-allgather";

        assertThat(choice(
                        text,
                        Choosable.ALLREDUCE,
                        new SelectionTable.Call(4, false, 1 << 20, false, Order.OF_RANKS, true)))
                .isEqualTo(Algorithm.RABENSEIFNER);
        assertThat(choice(
                        text,
                        Choosable.ALLREDUCE,
                        new SelectionTable.Call(4, false, 1 << 20, false, Order.COMMUTATIVE, false)))
                .isEqualTo(Algorithm.RECURSIVE_DOUBLING);
        assertThat(choice(
                        text,
                        Choosable.REDUCE_SCATTER,
                        new SelectionTable.Call(4, false, 1 << 20, false, Order.OF_RANKS, true)))
                .isEqualTo(Algorithm.BY_REDUCE);
        assertThat(choice(text, Choosable.BCAST, new SelectionTable.Call(4, false, 0, true, Order.ANY, true)))
                .isEqualTo(Algorithm.BINOMIAL);
    }

    @Test
    void shouldTakeASegmentByRanksBytesAndSnapshots() {
        SelectionTable table = SelectionTable.of("", "my.table");

        assertThat(table.takesSegment(Choosable.BARRIER, 4, 0, true)).isTrue();
        assertThat(table.takesSegment(Choosable.ALLREDUCE, 4, 8, true)).isTrue();
        assertThat(table.takesSegment(Choosable.ALLREDUCE, 2, 8 << 10, true)).isTrue();
        assertThat(table.takesSegment(Choosable.ALLREDUCE, 2, (8 << 10) + 1, false))
                .isFalse();
        assertThat(table.takesSegment(Choosable.BCAST, 4, 8, false)).isTrue();
        assertThat(table.takesSegment(Choosable.BCAST, 4, 8, true))
                .as("the root need not wait")
                .isFalse();
        assertThat(table.takesSegment(Choosable.BCAST, 4, 32 << 10, true)).isTrue();
        assertThat(table.takesSegment(Choosable.SCATTER, 4, 8, false)).isFalse();

        SelectionTable own = SelectionTable.of("bcast binomial bytes -16; bcast segment snapshots yes", "my.table");
        assertThat(own.takesSegment(Choosable.BCAST, 4, 16, true)).isFalse();
        assertThat(own.takesSegment(Choosable.BCAST, 4, 17, true)).isTrue();
        assertThat(own.takesSegment(Choosable.BCAST, 2, 1 << 20, false)).isFalse();
    }

    @Test
    void shouldGoInTwoLevelsOnlyWhenHostsHaveSeveralRanks() {
        SelectionTable.Call apart = new SelectionTable.Call(4, false, 64, false, Order.ANY, true);
        SelectionTable.Call nested = new SelectionTable.Call(4, true, 64, false, Order.ANY, true);
        SelectionTable.Call objects = new SelectionTable.Call(4, true, 0, true, Order.ANY, true);

        assertThat(choice("", Choosable.BCAST, nested)).isEqualTo(Algorithm.HIERARCHICAL);
        assertThat(choice("", Choosable.BCAST, objects)).isEqualTo(Algorithm.HIERARCHICAL);
        assertThat(choice("", Choosable.BARRIER, nested)).isEqualTo(Algorithm.HIERARCHICAL);
        assertThat(choice("", Choosable.BCAST, apart)).isEqualTo(Algorithm.BINOMIAL);
        assertThat(choice("", Choosable.BARRIER, apart)).isEqualTo(Algorithm.DISSEMINATION);
        assertThat(choice("bcast hierarchical", Choosable.BCAST, apart)).isEqualTo(Algorithm.BINOMIAL);
        assertThat(choice("bcast binomial", Choosable.BCAST, nested)).isEqualTo(Algorithm.BINOMIAL);
        assertThat(choice("bcast binomial", Choosable.BCAST, objects)).isEqualTo(Algorithm.BINOMIAL);
    }

    @Test
    void shouldReduceInTwoLevelsOnlyWhenTheOrderCannotShow() {
        String text = "allreduce hierarchical\nreduce hierarchical";
        for (Choosable reduction : List.of(Choosable.ALLREDUCE, Choosable.REDUCE)) {
            for (Order order : Order.values()) {
                SelectionTable.Call nested = new SelectionTable.Call(4, true, 64, false, order, true);
                SelectionTable.Call apart = new SelectionTable.Call(4, false, 64, false, order, true);

                for (String table : List.of("", text)) {
                    assertThat(choice(table, reduction, nested) == Algorithm.HIERARCHICAL)
                            .as("%s of any order: %s, table '%s'", reduction, order, table)
                            .isEqualTo(order == Order.ANY);
                    assertThat(choice(table, reduction, apart)).isNotEqualTo(Algorithm.HIERARCHICAL);
                }
            }
        }
    }

    @Test
    void shouldGoInOneLevelWhenDataAreLong() {
        SelectionTable.Call vector = new SelectionTable.Call(4, true, 1 << 20, false, Order.ANY, true);

        assertThat(choice("", Choosable.ALLREDUCE, vector)).isEqualTo(Algorithm.RABENSEIFNER);
        assertThat(choice("", Choosable.ALLGATHER, vector)).isEqualTo(Algorithm.RING);
        assertThat(choice("", Choosable.REDUCE, vector)).isEqualTo(Algorithm.HIERARCHICAL);
        assertThat(choice("allreduce hierarchical", Choosable.ALLREDUCE, vector))
                .isEqualTo(Algorithm.HIERARCHICAL);
        assertThat(choice("allgather hierarchical", Choosable.ALLGATHER, vector))
                .isEqualTo(Algorithm.HIERARCHICAL);
    }

    @Test
    void shouldTellTheOrderByOperationAndType() {
        Region longs = new Region(new long[4], 0, 4, TypeMap.of(BaseType.LONG));
        Region doubles = new Region(new double[4], 0, 4, TypeMap.of(BaseType.DOUBLE));
        Region none = new Region(new long[0], 0, 0, TypeMap.of(BaseType.LONG));
        Reducer inOrder = new Reducer() {
            @Override
            public void reduce(Object in, int inOffset, Object inout, int inoutOffset, int count, TypeMap type) {
                throw new UnsupportedOperationException();
            }

            @Override
            public boolean commutative() {
                return false;
            }
        };

        assertThat(Order.of(PredefinedOp.SUM, longs)).isEqualTo(Order.ANY);
        assertThat(Order.of(PredefinedOp.SUM, doubles)).isEqualTo(Order.COMMUTATIVE);
        assertThat(Order.of(PredefinedOp.SUM, none))
                .as("some ranks may have no array")
                .isEqualTo(Order.COMMUTATIVE);
        assertThat(Order.of(inOrder, longs)).isEqualTo(Order.OF_RANKS);
    }

    @Test
    void shouldMeanTheSameWhenCompact() {
        String text = "# all; of them\n\n  bcast   binomial  ranks 2-3\nbarrier linear # few; slow\n";

        String compact = SelectionTable.compact(text, "my.table");

        assertThat(compact).isEqualTo("bcast binomial ranks 2-3;barrier linear");
        assertThat(choice(compact, Choosable.BARRIER, call(9, 0))).isEqualTo(Algorithm.LINEAR);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dance binomial | there is no choice for \"dance\"; there is for barrier, bcast, gather",
                "bcast | which algorithm? bcast has binomial, scatter-allgather, hierarchical",
                "bcast ring | bcast has no \"ring\"; it has binomial, scatter-allgather, hierarchical",
                "bcast binomial 4- | something is missing after \"4-\"",
                "bcast segment snapshots | something is missing after \"snapshots\"",
                "bcast segment snapshots maybe | snapshots are yes or no, not \"maybe\"",
                "bcast binomial snapshots no | snapshots make a difference to segment only",
                "bcast binomial size 4- | \"size\" is neither ranks nor bytes",
                "bcast binomial bytes 4G- | \"4G-\" is no range",
                "bcast binomial bytes - | \"-\" is no range",
                "bcast binomial ranks 9-3 | \"9-3\" is an empty range"
            })
    void shouldNameTheLineAndWhatIsAllowedWhenTheTextIsWrong(String line, String message) {
        assertThatExceptionOfType(MpiFailure.class)
                .isThrownBy(() -> SelectionTable.of("# mine\nbarrier linear\n" + line, "my.table"))
                .withMessageContaining("my.table, line 3: " + message)
                .withMessageContaining("(the line is \"" + line + "\")");
    }
}
