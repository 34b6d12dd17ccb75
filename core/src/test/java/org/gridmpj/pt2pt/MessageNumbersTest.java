package org.gridmpj.pt2pt;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.job.RankTable;
import org.gridmpj.transport.Endpoint;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSource;
import org.gridmpj.transport.Transport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The numbers of messages follow from the program alone, so that a rank that does the same again gives its messages the same
 * ones: what is answered when something happens to come has none of its own.
 */
@Timeout(60)
class MessageNumbersTest {
    private static final TypeMap LONG = TypeMap.of(BaseType.LONG);
    private static final long CONTEXT = 4;

    private final ScriptedTransport wire = new ScriptedTransport();
    private PointToPoint engine;

    @BeforeEach
    void connect() {
        engine = new PointToPoint(0, 2, PointToPointConfig.forSharedCores());
        wire.sink = engine.frameSink();
        RankTable table = new RankTable(
                0, List.of(new RankTable.Entry(0, "here", 1, 0, "h"), new RankTable.Entry(1, "there", 2, 0, "h")));
        engine.connect(wire, table, Duration.ofSeconds(1));
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void shouldNumberMessagesInTheOrderOfTheProgramWhateverIsAnsweredBetweenThem() {
        send();
        comes(FrameKind.RTS, 1);
        Request first = engine.ireceive(new long[1], 0, 1, LONG, 1, CONTEXT, 1, false);
        send();
        Request second = engine.ireceive(new long[1], 0, 1, LONG, 1, CONTEXT, 2, false);
        comes(FrameKind.EAGER_SYNC, 2);
        send();
        comes(FrameKind.RTS, 3);
        Request third = engine.ireceive(new long[1], 0, 1, LONG, 1, CONTEXT, 3, false);
        send();

        assertThat(List.of(first, second, third)).doesNotContainNull();
        assertThat(wire.sent)
                .containsExactly("EAGER 1", "CTS 1", "EAGER 2", "SYNC_ACK 2", "EAGER 3", "CTS 3", "EAGER 4");
    }

    private void send() {
        engine.send(SendMode.STANDARD, new long[] {42}, 0, 1, LONG, 1, CONTEXT, 0);
    }

    /** A message of rank 1; its tag is its number. */
    private void comes(FrameKind kind, int number) {
        FrameHeader header = new FrameHeader();
        header.kind = kind;
        header.sourceRank = 1;
        header.contextId = CONTEXT;
        header.tag = number;
        header.typeCode = LONG.base().code();
        header.count = 1;
        header.messageBytes = Long.BYTES;
        header.messageId = number;
        header.senderToken = number;
        wire.coming.add(header);
        engine.poll();
        assertThat(wire.coming).isEmpty();
    }

    /** Takes all it is offered, and delivers what the test has put into it, without the bytes. */
    private static final class ScriptedTransport implements Transport {
        private final List<String> sent = new ArrayList<>();
        private final ArrayDeque<FrameHeader> coming = new ArrayDeque<>();
        private @Nullable FrameSink sink;

        @Override
        public int bind(String host) {
            return 1;
        }

        @Override
        public void connect(RankTable table, Duration timeout) {
            // nobody is there
        }

        @Override
        public void update(RankTable table) {
            // nobody is there
        }

        @Override
        public Endpoint endpoint(int worldRank) {
            return new Endpoint() {
                @Override
                public Offer offer(FrameHeader header, PayloadSource payload) {
                    sent.add(header.kind + " " + header.messageId);
                    if (header.payloadBytes > 0) {
                        payload.released();
                    }
                    return Offer.ACCEPTED;
                }

                @Override
                public int copiedPayloadLimitBytes() {
                    return 0;
                }
            };
        }

        @Override
        public boolean poll() {
            FrameHeader header = coming.poll();
            if (header == null) {
                return false;
            }
            FrameSink engine = Objects.requireNonNull(sink);
            engine.onFrameComplete(1, header, engine.onFrame(1, header));
            return true;
        }

        @Override
        public void await(long timeoutNanos) {
            // the helper thread looks again
        }

        @Override
        public void wakeup() {
            // nobody waits
        }

        @Override
        public boolean drain(Duration timeout) {
            return true;
        }

        @Override
        public boolean recovers() {
            return false;
        }

        @Override
        public void close() {
            // nothing is open
        }
    }
}
