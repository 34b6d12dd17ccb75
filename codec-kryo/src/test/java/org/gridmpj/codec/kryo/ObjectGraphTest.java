package org.gridmpj.codec.kryo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.gridmpj.datatype.ObjectGraph;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Objects of a snapshot, with this codec on the class path. */
final class ObjectGraphTest {
    /** Not a plain class: only java.io calls what it has. */
    private static final class Hooked implements Serializable {
        private static final long serialVersionUID = 1L;

        final int[] numbers = {1, 2, 3};
        private int written;

        private void writeObject(ObjectOutputStream out) throws IOException {
            written = 1;
            out.defaultWriteObject();
        }
    }

    private static @Nullable Object[] throughGraph(Object... roots) throws IOException, ClassNotFoundException {
        ObjectGraph graph = ObjectGraph.of(roots);
        byte[] data = new byte[(int) graph.dataBytes()];
        graph.copyData(MemorySegment.ofArray(data));
        return ObjectGraph.rebuild(graph.codecId(), graph.header(), roots.length, MemorySegment.ofArray(data), null);
    }

    @Test
    void shouldComeBackWhenThisCodecRefusesAnObjectWithinThem() throws IOException, ClassNotFoundException {
        List<Object> list = new ArrayList<>(List.of(new double[] {0.5}, new Hooked()));
        @Nullable Object[] back = throughGraph(list, new long[] {7});
        List<?> read = (List<?>) Objects.requireNonNull(back[0]);
        assertThat(read).hasSize(2);
        assertThat((Object) read.get(0)).isEqualTo(new double[] {0.5});
        Hooked hooked = (Hooked) Objects.requireNonNull(read.get(1));
        assertThat(hooked.numbers).containsExactly(1, 2, 3);
        assertThat(hooked.written).isOne();
        assertThat(back[1]).isEqualTo(new long[] {7});
    }

    @Test
    void shouldComeBackAsThisCodecWritesThem() throws IOException, ClassNotFoundException {
        List<Object> list = new ArrayList<>(List.of("text", 12, new double[] {0.5}));
        @Nullable Object[] back = throughGraph(list, list);
        assertThat(back[0]).isSameAs(back[1]);
        List<?> read = (List<?>) Objects.requireNonNull(back[0]);
        assertThat((Object) read.get(0)).isEqualTo("text");
        assertThat((Object) read.get(1)).isEqualTo(12);
        assertThat((Object) read.get(2)).isEqualTo(new double[] {0.5});
    }
}
