package org.gridmpj.testkit.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntUnaryOperator;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.MessageBuffer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What a message of OBJECT must do, whichever codecs are on the class path: the result is java.io's. Subclassed where a
 * codec is.
 */
public abstract class ObjectCodecContract {
    private static final TypeMap OBJECT = TypeMap.of(BaseType.OBJECT);

    private final MessageBuffer sender = new MessageBuffer();
    private final MessageBuffer receiver = new MessageBuffer();

    private Object[] send(Object[] elements, Object[] target, Random random) {
        sender.forSend(elements, 0, elements.length, OBJECT);
        receiver.forReceive(target, 0, elements.length, OBJECT);
        assertThat(receiver.expect(sender.messageBytes(), sender.elementCount(), sender.flags()))
                .isNull();
        transfer(random, sender, receiver);
        assertThat(receiver.finish()).isEqualTo(elements.length);
        sender.clear();
        receiver.clear();
        return target;
    }

    /** Pieces that begin at multiples of 8, sometimes again from the start as after a reconnect. */
    private static void transfer(Random random, MessageBuffer from, MessageBuffer to) {
        long length = from.messageBytes();
        int shift = random.nextInt(9);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wire = random.nextBoolean()
                    ? arena.allocate(length + 64)
                    : MemorySegment.ofArray(new byte[(int) length + 64]);
            long position = 0;
            int restarts = random.nextInt(3);
            while (position < length) {
                int piece =
                        (int) Math.min(length - position, 8L * (1 + random.nextInt(random.nextBoolean() ? 3 : 4000)));
                from.read(position, wire, shift, piece);
                to.write(position, wire, shift, piece);
                wire.fill((byte) 0x55);
                position += piece;
                if (restarts > 0 && random.nextInt(10) == 0) {
                    restarts--;
                    position = 0;
                }
            }
        }
    }

    private static Object[] javaRoundTrip(Object[] elements) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            for (Object element : elements) {
                out.writeObject(element);
            }
        }
        Object[] back = new Object[elements.length];
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            for (int i = 0; i < back.length; i++) {
                back[i] = in.readObject();
            }
        }
        return back;
    }

    @Test
    void shouldEqualJavaIoWhenGraphsAreRandom() throws IOException, ClassNotFoundException {
        for (int seed = 0; seed < 1500; seed++) {
            Random random = new Random(seed);
            Object[] elements = RandomGraphs.elements(random, 1 + random.nextInt(4), seed % 3 != 0);
            List<String> expected = GraphShape.of(javaRoundTrip(elements));
            List<String> sent = GraphShape.of(send(elements, new Object[elements.length], random));
            assertThat(sent).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void shouldEqualJavaIoWhenGraphsAreOfTheLibrary() throws IOException, ClassNotFoundException {
        for (int seed = 0; seed < 3000; seed++) {
            Random random = new Random(seed);
            Object[] elements = RandomGraphs.libraryElements(random, 1 + random.nextInt(4));
            List<String> expected = GraphShape.of(javaRoundTrip(elements));
            List<String> sent = GraphShape.of(send(elements, new Object[elements.length], random));
            assertThat(sent).as("seed %d", seed).isEqualTo(expected);
        }
    }

    /** With java.io, what refers to a list of List.of from within has what was written in its place. */
    @Test
    void shouldEqualJavaIoWhenWhatIsReplacedIsInACycle() throws IOException, ClassNotFoundException {
        Object[] array = new Object[2];
        List<Object> open = new ArrayList<>();
        Map<String, Object> map = new TreeMap<>();
        for (Object fixed : List.of(
                List.of(array, 1),
                Map.of("self", array),
                Collections.unmodifiableList(open),
                Collections.unmodifiableMap(map),
                Collections.synchronizedMap(map),
                new AtomicReference<Object>(array))) {
            array[0] = fixed;
            array[1] = open;
            open.clear();
            open.add(array);
            map.put("array", array);
            for (Object root : new Object[] {fixed, array, open}) {
                Object[] elements = {root, fixed};
                assertThat(GraphShape.of(send(elements, new Object[2], new Random(1))))
                        .as("%s in %s", fixed.getClass(), root.getClass())
                        .isEqualTo(GraphShape.of(javaRoundTrip(elements)));
            }
        }
    }

    /** What the JDK keeps one of stays that one. */
    @Test
    void shouldBeTheOneThereIsWhenThereIsOne() {
        Object[] ones = {
            Collections.emptyList(),
            Collections.emptySet(),
            Collections.emptyMap(),
            Collections.reverseOrder(),
            Comparator.naturalOrder(),
            String.CASE_INSENSITIVE_ORDER,
            Duration.ZERO,
            Instant.EPOCH,
            ZoneOffset.UTC,
            LocalTime.NOON,
            List.of(),
            Set.of(),
            Map.of()
        };
        Object[] back = send(ones, new Object[ones.length], new Random(1));
        for (int i = 0; i < ones.length; i++) {
            assertThat(back[i]).isSameAs(ones[i]);
        }
    }

    @Test
    void shouldKeepSharedJaggedAndNullRowsWhenArraysAreSent() {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            float[][][] rows = new float[1 + random.nextInt(20)][][];
            float[] shared = {1, 2, 3};
            for (int i = 0; i < rows.length; i++) {
                if (i > 0 && random.nextInt(4) == 0) {
                    rows[i] = rows[random.nextInt(i)];
                } else if (random.nextInt(5) > 0) {
                    rows[i] = new float[random.nextInt(9)][];
                    for (int j = 0; j < rows[i].length; j++) {
                        float[] row = random.nextInt(3) == 0 ? shared : new float[random.nextInt(20)];
                        rows[i][j] = row;
                        Arrays.fill(row, random.nextFloat());
                    }
                }
            }
            Object[] back = send(rows, new float[rows.length][][], random);
            assertThat(GraphShape.of(back)).as("seed %d", seed).isEqualTo(GraphShape.of(rows));
        }
    }

    @Test
    void shouldRunLambdasWhenTheyAreSerializable() {
        int captured = 5;
        RandomGraphs.Step step = i -> i + captured;
        Object[] back = send(new Object[] {step}, new Object[1], new Random(3));
        assertThat(((IntUnaryOperator) back[0]).applyAsInt(2)).isEqualTo(7);
    }

    @Test
    void shouldNameTheClassWhenNotSerializable() {
        Object[] elements = {new Object[] {new Thread()}};
        assertThatThrownBy(() -> sender.forSend(elements, 0, 1, OBJECT))
                .isInstanceOfSatisfying(
                        MpiFailure.class, e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.TYPE))
                .hasMessageContaining("java.lang.Thread");
    }

    private static final class Link implements Serializable {
        private static final long serialVersionUID = 1L;

        final @Nullable Link next;

        Link(@Nullable Link next) {
            this.next = next;
        }

        @Nullable
        Link next() {
            return next;
        }
    }

    @Test
    void shouldSaySoWhenTheStackIsTooSmall() throws InterruptedException {
        Link head = new Link(null);
        for (int i = 0; i < 200_000; i++) {
            head = new Link(head);
        }
        assertThat(head.next()).isNotNull();
        Object[] elements = {head};
        Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread(null, () -> sender.forSend(elements, 0, 1, OBJECT), "small stack", 256 * 1024);
        thread.setUncaughtExceptionHandler((t, e) -> thrown[0] = e);
        thread.start();
        thread.join(30_000);
        assertThat(thrown[0]).isInstanceOf(MpiFailure.class).hasMessageContaining("too deep");
    }

    @Test
    void shouldFailClearlyWhenBytesAreCorrupt() {
        for (int seed = 0; seed < 6000; seed++) {
            Random random = new Random(seed);
            Object[] elements = seed % 2 == 0
                    ? new float[][] {{1, 2, 3}, {4}, new float[30]}
                    : seed % 4 == 1 ? RandomGraphs.elements(random, 2, true) : RandomGraphs.libraryElements(random, 2);
            sender.forSend(elements, 0, elements.length, OBJECT);
            byte[] bytes = new byte[(int) sender.messageBytes()];
            sender.read(0, MemorySegment.ofArray(bytes), 0, bytes.length);
            bytes[random.nextInt(Math.min(bytes.length, 64))] ^= (byte) (1 << random.nextInt(8));
            receiver.forReceive(new Object[3], 0, 3, OBJECT);
            receiver.expect(bytes.length, elements.length, FrameHeader.FLAG_OBJECTS);
            try {
                receiver.write(0, MemorySegment.ofArray(bytes), 0, bytes.length);
                assertThat(receiver.finish()).isBetween(0, 3);
            } catch (MpiFailure e) {
                assertThat(e.errorClass()).as("seed %d", seed).isNotEqualTo(ErrorClass.SUCCESS);
            }
        }
    }
}
