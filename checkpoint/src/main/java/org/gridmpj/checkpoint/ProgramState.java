package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.datatype.ObjectGraph;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * The program's variables, copied at one moment as one graph of objects, so that what is shared stays shared.
 *
 * <pre>
 *   section "program"
 *    4  number of variables, then for each: 2 length n, n name in UTF-8
 *    4  number of the object codec
 *    4  byte order of the array data: 0x01020304 written in it
 *    8  length h of the graph without array data
 *    h  the graph, as the codec wrote it
 *    8  length d of the array data
 *    d  the data, one array after the other, each padded to 8 bytes
 * </pre>
 *
 * <p>Immutable; its array data are in the copy area that was handed in.
 */
final class ProgramState {
    /** The section of an image. */
    static final String SECTION = "program";

    private static final int BYTE_ORDER_MARK = 0x01020304;

    private final List<String> names;
    private final int codecId;
    private final byte[] graph;
    private final MemorySegment data;

    private ProgramState(List<String> names, int codecId, byte[] graph, MemorySegment data) {
        this.names = names;
        this.codecId = codecId;
        this.graph = graph;
        this.data = data;
    }

    /**
     * Copies the variables: the time that this takes is the time that the program stands still.
     *
     * @throws MpiFailure of class ARG naming variable and field if something cannot be serialized
     */
    static ProgramState copy(Map<String, @Nullable Object> variables, CopyArea area) {
        ObjectGraph graph;
        try {
            graph = ObjectGraph.of(variables.values().toArray());
        } catch (IOException | RuntimeException e) {
            String path = UnserializablePath.find(variables);
            throw new MpiFailure(
                    ErrorClass.ARG,
                    path == null
                            ? "no snapshot was taken: the registered variables " + variables.keySet()
                                    + " cannot be serialized: " + e
                            : "no snapshot was taken: " + path + " is not java.io.Serializable. Let it implement"
                                    + " Serializable, make the field transient, or register less",
                    e);
        }
        MemorySegment data = area.of(graph.dataBytes());
        graph.copyData(data);
        return new ProgramState(List.copyOf(variables.keySet()), graph.codecId(), graph.header(), data);
    }

    /** Length of the copy in bytes. */
    long bytes() {
        return graph.length + data.byteSize();
    }

    /** Appends the copy as a section. */
    void write(ImageWriter image) throws IOException {
        image.section(SECTION);
        ByteBuffer start = ByteBuffer.allocate(startBytes()).order(ByteOrder.LITTLE_ENDIAN);
        start.putInt(names.size());
        for (String name : names) {
            byte[] utf8 = name.getBytes(UTF_8);
            start.putShort((short) utf8.length).put(utf8);
        }
        start.putInt(codecId);
        start.order(ByteOrder.nativeOrder()).putInt(BYTE_ORDER_MARK).order(ByteOrder.LITTLE_ENDIAN);
        image.write(start.putLong(graph.length).flip());
        image.write(graph);
        image.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, data.byteSize()));
        for (long offset = 0; offset < data.byteSize(); offset += ImageFormat.CHUNK_BYTES) {
            long length = Math.min(ImageFormat.CHUNK_BYTES, data.byteSize() - offset);
            image.write(data.asSlice(offset, length).asByteBuffer());
        }
    }

    private int startBytes() {
        int bytes = 4 + 4 + 4 + 8;
        for (String name : names) {
            bytes += 2 + name.getBytes(UTF_8).length;
        }
        return bytes;
    }

    /** Builds the variables anew, their classes taken from a loader. */
    static Map<String, @Nullable Object> read(SectionInput input, @Nullable ClassLoader loader)
            throws IOException, ClassNotFoundException {
        List<String> names = new ArrayList<>();
        for (int left = input.readInt(); left > 0; left--) {
            names.add(new String(input.readBytes(Short.toUnsignedInt(input.readShort())), UTF_8));
        }
        int codecId = input.readInt();
        int mark = input.readInt();
        int ownMark = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN
                ? BYTE_ORDER_MARK
                : Integer.reverseBytes(BYTE_ORDER_MARK);
        if (mark != ownMark) {
            throw new IOException(
                    "the snapshot was taken on a machine of the other byte order; resume it on such a one");
        }
        byte[] graph = input.readBytes(input.readLength());
        long dataBytes = input.readLength();
        @Nullable Object[] values;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment data =
                    arena.allocate(Math.max(dataBytes, 1), Long.BYTES).asSlice(0, dataBytes);
            for (long offset = 0; offset < dataBytes; offset += ImageFormat.CHUNK_BYTES) {
                long length = Math.min(ImageFormat.CHUNK_BYTES, dataBytes - offset);
                input.read(data.asSlice(offset, length).asByteBuffer());
            }
            values = ObjectGraph.rebuild(codecId, graph, names.size(), data, loader);
        }
        Map<String, @Nullable Object> variables = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            variables.put(names.get(i), values[i]);
        }
        return variables;
    }
}
