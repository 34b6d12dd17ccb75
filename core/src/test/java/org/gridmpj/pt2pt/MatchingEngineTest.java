package org.gridmpj.pt2pt;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.transport.FrameHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The matching engine against lists that are searched from the front. */
class MatchingEngineTest {
    private static final int STEPS = 3000;
    private static final BaseType[] TYPES = {BaseType.INT, BaseType.DOUBLE, BaseType.PACKED};

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 60);
    }

    /** The rules of MPI 3.5, written as naively as possible. */
    private static final class Oracle {
        record Posted(int id, int source, long context, int tag, boolean matchType, int type) {
            boolean accepts(Arrived m) {
                boolean typeFits = !matchType
                        || type == m.type
                        || type == BaseType.PACKED.code()
                        || m.type == BaseType.PACKED.code();
                return (source == PointToPoint.ANY_SOURCE || source == m.source)
                        && context == m.context
                        && (tag == PointToPoint.ANY_TAG || tag == m.tag)
                        && typeFits;
            }
        }

        record Arrived(int id, int source, long context, int tag, int type) {}

        final List<Posted> posted = new ArrayList<>();
        final List<Arrived> arrived = new ArrayList<>();

        @Nullable
        Posted arrive(Arrived message) {
            for (Posted receive : posted) {
                if (receive.accepts(message)) {
                    posted.remove(receive);
                    return receive;
                }
            }
            arrived.add(message);
            return null;
        }

        @Nullable
        Arrived post(Posted receive) {
            for (Arrived message : arrived) {
                if (receive.accepts(message)) {
                    arrived.remove(message);
                    return message;
                }
            }
            posted.add(receive);
            return null;
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void shouldMatchAsTheOracleDoes(long seed) {
        Random random = new Random(seed);
        int sources = 1 + random.nextInt(12);
        int tags = 1 + random.nextInt(3);
        MatchingEngine engine = new MatchingEngine();
        Oracle oracle = new Oracle();
        Map<Integer, OperationRecord> records = new HashMap<>();
        for (int step = 0; step < STEPS; step++) {
            int source = random.nextInt(sources);
            long context = random.nextInt(2);
            int tag = random.nextInt(tags);
            BaseType type = TYPES[random.nextInt(TYPES.length)];
            switch (random.nextInt(9)) {
                case 0, 1, 2, 3 -> {
                    FrameHeader header = header(step, source, context, tag, type);
                    OperationRecord got = engine.arrive(source, header);
                    Oracle.Posted expected = oracle.arrive(new Oracle.Arrived(step, source, context, tag, type.code()));
                    assertThat(got)
                            .as("seed %d, step %d: the receive that takes the message", seed, step)
                            .isSameAs(expected == null ? null : records.get(expected.id));
                    if (got == null) {
                        engine.keep(kept(header, source));
                    }
                }
                case 4, 5, 6, 7 -> {
                    int wantedSource = random.nextInt(3) == 0 ? PointToPoint.ANY_SOURCE : source;
                    int wantedTag = random.nextInt(3) == 0 ? PointToPoint.ANY_TAG : tag;
                    boolean matchType = random.nextInt(3) == 0;
                    OperationRecord receive = receive(wantedSource, context, wantedTag, matchType, type);
                    records.put(step, receive);
                    UnexpectedMessage got = engine.post(receive);
                    Oracle.Arrived expected = oracle.post(
                            new Oracle.Posted(step, wantedSource, context, wantedTag, matchType, type.code()));
                    assertThat(got == null ? -1 : got.header.messageId)
                            .as("seed %d, step %d: the message that is taken", seed, step)
                            .isEqualTo(expected == null ? -1 : expected.id);
                }
                default -> withdrawOne(random, engine, oracle, records);
            }
            assertThat(engine.unexpectedCount()).isEqualTo(oracle.arrived.size());
        }
    }

    private static void withdrawOne(
            Random random, MatchingEngine engine, Oracle oracle, Map<Integer, OperationRecord> records) {
        if (oracle.posted.isEmpty()) {
            return;
        }
        Oracle.Posted receive = oracle.posted.remove(random.nextInt(oracle.posted.size()));
        OperationRecord operation = records.get(receive.id);
        assertThat(operation).isNotNull();
        if (operation != null) {
            assertThat(engine.withdraw(operation)).isTrue();
            assertThat(engine.withdraw(operation)).as("a second time").isFalse();
        }
    }

    @Test
    void shouldPutMessagesOfASnapshotBeforeTheOthers() {
        MatchingEngine engine = new MatchingEngine();
        engine.keep(kept(header(1, 3, 0, 0, BaseType.INT), 3));
        engine.keepInFront(kept(header(2, 3, 0, 0, BaseType.INT), 3));
        engine.keepInFront(kept(header(3, 1, 0, 0, BaseType.INT), 1));
        List<Long> order = new ArrayList<>();
        engine.forEachUnexpected(message -> order.add(message.header.messageId));
        assertThat(order).containsExactly(3L, 2L, 1L);
        UnexpectedMessage first = engine.post(receive(3, 0, PointToPoint.ANY_TAG, false, BaseType.INT));
        assertThat(first).isNotNull().extracting(m -> m.header.messageId).isEqualTo(2L);
    }

    @Test
    void shouldWithdrawTheMessageOfACancelledSendOnce() {
        MatchingEngine engine = new MatchingEngine();
        FrameHeader header = header(1, 2, 0, 0, BaseType.INT);
        header.senderToken = 77;
        engine.keep(kept(header, 2));
        assertThat(engine.withdraw(1, 77)).isNull();
        assertThat(engine.withdraw(2, 77)).isNotNull();
        assertThat(engine.withdraw(2, 77)).isNull();
        assertThat(engine.unexpectedCount()).isZero();
    }

    private static FrameHeader header(int id, int source, long context, int tag, BaseType type) {
        FrameHeader header = new FrameHeader();
        header.messageId = id;
        header.sourceRank = source;
        header.contextId = context;
        header.tag = tag;
        header.typeCode = type.code();
        return header;
    }

    private static UnexpectedMessage kept(FrameHeader header, int source) {
        UnexpectedMessage message = new UnexpectedMessage();
        message.prepare(header, source, 0);
        return message;
    }

    private static OperationRecord receive(int source, long context, int tag, boolean matchType, BaseType type) {
        OperationRecord record = new OperationRecord(operation -> {});
        record.describe(
                OperationRecord.Kind.RECEIVE,
                SendMode.STANDARD,
                null,
                0,
                0,
                TypeMap.of(type),
                source,
                context,
                tag,
                matchType);
        return record;
    }
}
