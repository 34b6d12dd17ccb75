package org.gridmpj.codec.kryo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.StreamCorruptedException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Random;
import java.util.ServiceLoader;
import org.gridmpj.datatype.DataVector;
import org.gridmpj.datatype.ObjectCodec;
import org.gridmpj.testkit.graph.GraphShape;
import org.gridmpj.testkit.graph.ObjectCodecContract;
import org.gridmpj.testkit.graph.RandomGraphs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Messages of objects with this codec on the class path. */
final class KryoObjectCodecTest extends ObjectCodecContract {
    private final KryoObjectCodec codec = new KryoObjectCodec();

    @Test
    void shouldBeFoundWhenOnTheClassPath() {
        assertThat(ServiceLoader.load(ObjectCodec.class)).hasAtLeastOneElementOfType(KryoObjectCodec.class);
    }

    @Test
    void shouldWriteItselfWhenGraphsArePlain() throws IOException, ClassNotFoundException {
        int written = 0;
        for (int seed = 0; seed < 200; seed++) {
            Object[] elements = RandomGraphs.elements(new Random(seed), 3, false);
            if (codec.handles(elements, 3)) {
                assertThat(GraphShape.of(roundTrip(elements)))
                        .as("seed %d", seed)
                        .isEqualTo(GraphShape.of(elements));
                written++;
            }
        }
        assertThat(written).isGreaterThan(100);
    }

    private Object[] roundTrip(Object[] elements) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        DataVector sent = new DataVector();
        assertThat(codec.write(elements, elements.length, header, sent)).isTrue();
        byte[] data = new byte[(int) sent.lengthBytes()];
        sent.read(0, MemorySegment.ofArray(data), 0, data.length);
        Object[] back = new Object[elements.length];
        DataVector received = new DataVector();
        codec.read(header.toByteArray(), 0, header.size(), back, back.length, received, null);
        assertThat(received.lengthBytes()).isEqualTo(data.length);
        received.write(0, MemorySegment.ofArray(data), 0, data.length);
        return back;
    }

    @SuppressWarnings("UnusedVariable") // the codec reads them
    private static final class Link implements Serializable {
        private static final long serialVersionUID = 1L;

        final @Nullable Serializable next;
        final char[] text = {'\ud800', 'x'};
        final String lone = "\udc00 alone";

        Link(@Nullable Serializable next) {
            this.next = next;
        }
    }

    @Test
    void shouldLeaveItToJavaIoWhenAnObjectIsDoubtful() throws IOException {
        Object[] elements = {new Link(new Link(new HashMap<>()))};
        assertThat(codec.handles(elements, 1)).isTrue();
        assertThat(codec.write(elements, 1, new ByteArrayOutputStream(), new DataVector()))
                .isFalse();
        assertThat(codec.handles(elements, 1)).as("remembered").isFalse();
        assertThat(codec.handles(new Object[] {new HashMap<>()}, 1)).isFalse();
        assertThat(codec.handles(new Object[] {new Object()}, 1)).isFalse();
    }

    @Test
    void shouldReadAfterAFailedWriteWhenInstancesAreReused() throws IOException, ClassNotFoundException {
        ArrayList<Object> list = new ArrayList<>(List.of(1, "a", 'c', 2L, 2.5f, (short) 3, (byte) 4, true));
        Object[] elements = {list, new Object[] {list, 1000, 1000}, new Link(list)};
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        assertThat(codec.write(elements, 3, header, new DataVector())).isTrue();
        byte[] bytes = header.toByteArray();
        assertThat(GraphShape.of(roundTrip(elements))).isEqualTo(GraphShape.of(elements));
        Object[] failed = new Object[3];
        assertThatThrownBy(() -> codec.read(bytes, 0, bytes.length - 2, failed, 3, new DataVector(), null))
                .isInstanceOf(StreamCorruptedException.class);
        assertThat(GraphShape.of(roundTrip(elements))).isEqualTo(GraphShape.of(elements));
    }

    @Test
    void shouldSaySoWhenTheSenderHasAnotherVersion() throws IOException {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        assertThat(codec.write(new Object[] {"x"}, 1, header, new DataVector())).isTrue();
        byte[] bytes = header.toByteArray();
        bytes[0] = 99;
        assertThatThrownBy(() -> codec.read(bytes, 0, bytes.length, new Object[1], 1, new DataVector(), null))
                .isInstanceOf(StreamCorruptedException.class)
                .hasMessageContaining("format 99")
                .hasMessageContaining("same jars");
    }
}
