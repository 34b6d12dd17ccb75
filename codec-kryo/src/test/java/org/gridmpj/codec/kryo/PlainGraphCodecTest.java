package org.gridmpj.codec.kryo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.gridmpj.datatype.DataVector;
import org.gridmpj.testkit.graph.GraphShape;
import org.gridmpj.testkit.graph.RandomGraphs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The codec by itself; the contract is kept by KryoObjectCodecTest, whose messages find this codec first. */
final class PlainGraphCodecTest {
    private final PlainGraphCodec codec = new PlainGraphCodec();

    private record Sample(
            int id,
            double weight,
            @Nullable String name,
            @Nullable Object more) implements Serializable {}

    private record Positive(int number) implements Serializable {
        static boolean strict;

        Positive {
            if (strict) {
                throw new IllegalArgumentException("strict");
            }
        }
    }

    private record Replaced(int number) implements Serializable {
        private Object writeReplace() {
            return number;
        }
    }

    private static final class Key implements Serializable {
        private static final long serialVersionUID = 1L;
        private final int number = 5;

        @Override
        public int hashCode() {
            return number;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key;
        }
    }

    private @Nullable Object[] roundTrip(@Nullable Object... elements) throws IOException, ClassNotFoundException {
        assertThat(codec.handles(elements, elements.length)).isTrue();
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        DataVector sent = new DataVector();
        assertThat(codec.write(elements, elements.length, header, sent)).isTrue();
        byte[] data = new byte[(int) sent.lengthBytes()];
        sent.read(0, MemorySegment.ofArray(data), 0, data.length);
        @Nullable Object[] back = new Object[elements.length];
        DataVector received = new DataVector();
        codec.read(header.toByteArray(), 0, header.size(), back, back.length, received, null);
        received.write(0, MemorySegment.ofArray(data), 0, data.length);
        return back;
    }

    private static @Nullable Object throughJavaIo(Object object) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    @Test
    void shouldHaveThisLayoutWhenWritten() throws IOException {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        ArrayList<Object> list = new ArrayList<>(List.of("ab", 1, true));
        list.add(list);
        assertThat(codec.write(new Object[] {list, null, "€", new byte[200]}, 4, header, new DataVector()))
                .isTrue();
        assertThat(HexFormat.of().formatHex(header.toByteArray()))
                .isEqualTo("01" + "0d04" + "02026162" + "0401000000" + "0b" + "0100" + "00" + "0301ac20" + "0e01c801");
    }

    @Test
    void shouldKeepWhatIsSharedWhenGraphsAreRandom() throws IOException, ClassNotFoundException {
        int written = 0;
        for (int seed = 0; seed < 300; seed++) {
            Object[] elements = RandomGraphs.elements(new Random(seed), 3, false);
            if (codec.handles(elements, 3)) {
                assertThat(GraphShape.of(roundTrip(elements)))
                        .as("seed %d", seed)
                        .isEqualTo(GraphShape.of(elements));
                written++;
            }
        }
        assertThat(written).isGreaterThan(150);
    }

    @Test
    @SuppressWarnings("ReferenceEquality") // identity is what is tested
    void shouldNumberRightWhenThereAreManyObjects() throws IOException, ClassNotFoundException {
        for (int count : new int[] {23, 24, 25, 64, 65, 5000}) {
            Object[] objects = new Object[count];
            for (int i = 0; i < count; i++) {
                objects[i] = i % 7 == 6 ? objects[i / 2] : new Sample(i, i, "sample " + i, null);
            }
            Object[] back = (Object[]) Objects.requireNonNull(roundTrip((Object) objects)[0]);
            assertThat(back).isEqualTo(objects);
            for (int i = 6; i < count; i += 7) {
                assertThat(back[i] == back[i / 2]).as("%d of %d", i, count).isTrue();
            }
        }
    }

    @Test
    void shouldEqualJavaIoWhenRecordsAreInACycle() throws IOException, ClassNotFoundException {
        Object[] holder = new Object[2];
        Sample sample = new Sample(1, 2, "three", holder);
        holder[0] = sample;
        holder[1] = "other";
        assertThat(GraphShape.of(roundTrip(sample))).isEqualTo(GraphShape.of(new Object[] {throughJavaIo(sample)}));
    }

    @Test
    void shouldIterateAsJavaIoWhenMapsAreSent() throws IOException, ClassNotFoundException {
        for (int size : new int[] {0, 1, 11, 12, 13, 24, 100, 1000}) {
            HashMap<Object, Object> map = new HashMap<>(4096);
            for (int i = 0; i < size; i++) {
                map.put(i % 2 == 0 ? "key " + i : Integer.valueOf(i << 16), i);
            }
            map.put(null, map.size());
            Map<?, ?> expected = (Map<?, ?>) Objects.requireNonNull(throughJavaIo(map));
            Map<?, ?> back = (Map<?, ?>) Objects.requireNonNull(roundTrip(map)[0]);
            assertThat(new ArrayList<Object>(back.entrySet()))
                    .as("%d", size)
                    .isEqualTo(new ArrayList<Object>(expected.entrySet()));
        }
    }

    @Test
    void shouldLeaveItToJavaIoWhenCodeOfTheProgramWouldRun() throws IOException {
        assertThat(codec.handles(new Object[] {new Replaced(1)}, 1)).isFalse();
        assertThat(codec.handles(new Object[] {new LinkedHashMap<>()}, 1)).isFalse();
        Object[] elements = {new HashMap<>(Map.of(new Key(), 1))};
        assertThat(codec.write(elements, 1, new ByteArrayOutputStream(), new DataVector()))
                .isFalse();
    }

    @Test
    void shouldNameTheCauseWhenARecordRefuses() throws IOException {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        assertThat(codec.write(new Object[] {new Positive(1)}, 1, header, new DataVector()))
                .isTrue();
        Positive.strict = true;
        try {
            assertThatThrownBy(() -> codec.read(
                            header.toByteArray(), 0, header.size(), new Object[1], 1, new DataVector(), null))
                    .isInstanceOf(InvalidObjectException.class)
                    .hasMessageContaining("strict");
        } finally {
            Positive.strict = false;
        }
    }

    @Test
    void shouldReadOnWhenAnEarlierHeaderWasCut() throws IOException, ClassNotFoundException {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        Object[] elements = {new Sample(1, 2, "x", List.of().toArray())};
        assertThat(codec.write(elements, 1, header, new DataVector())).isTrue();
        byte[] bytes = header.toByteArray();
        for (int length = 0; length < bytes.length; length++) {
            int cut = length;
            assertThatThrownBy(() -> codec.read(bytes, 0, cut, new Object[1], 1, new DataVector(), null))
                    .isInstanceOf(StreamCorruptedException.class);
        }
        assertThat(roundTrip(7)).containsExactly(7);
    }
}
