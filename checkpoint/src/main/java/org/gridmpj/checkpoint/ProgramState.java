package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.ObjectCodec;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * The program's variables, copied at one moment as one graph of objects, so that what is shared stays shared.
 *
 * <pre>
 *   section "program"
 *    4  number of variables                    then for each: 2 length n, n name in UTF-8
 *    1  length n of the codec's name, n name
 *    8  length h of the graph without arrays   h  as the codec wrote it: an Object[] of the values
 *    4  number of arrays                       then for each: 1 BaseType code, 4 number of elements
 *       their elements, back to back, little-endian
 * </pre>
 *
 * @param elements the copies of the arrays, back to back
 */
record ProgramState(List<String> names, String codec, byte[] graph, byte[] shapes, MemorySegment elements) {
    private static final int SHAPE_BYTES = 5;

    /**
     * Copies the variables: the time that this takes is the time that the program stands still.
     *
     * @throws MpiFailure of class ARG naming variable and field if something cannot be serialized
     */
    static ProgramState copy(Map<String, @Nullable Object> variables, StateCodecs codecs, CopyArea area) {
        @Nullable Object[] values = variables.values().toArray();
        List<Object> arrays = new ArrayList<>();
        ObjectCodec codec = codecs.forGraph(values);
        byte[] graph;
        try {
            graph = codec.write(values, arrays);
        } catch (RuntimeException e) {
            String path = UnserializablePath.find(variables);
            throw new MpiFailure(
                    ErrorClass.ARG,
                    path == null
                            ? "the registered variables " + variables.keySet() + " cannot be serialized: " + e
                            : "the snapshot was not taken: " + path + " is not java.io.Serializable. Let it implement"
                                    + " Serializable, make the field transient, or register less",
                    e);
        }
        long bytes = 0;
        ByteBuffer shapes = ByteBuffer.allocate(arrays.size() * SHAPE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (Object array : arrays) {
            bytes += PrimitiveArrays.bytes(array);
            shapes.put((byte) PrimitiveArrays.typeOf(array).code()).putInt(Array.getLength(array));
        }
        MemorySegment elements = area.of(bytes);
        long offset = 0;
        for (Object array : arrays) {
            PrimitiveArrays.store(array, elements, offset);
            offset += PrimitiveArrays.bytes(array);
        }
        return new ProgramState(List.copyOf(variables.keySet()), codec.name(), graph, shapes.array(), elements);
    }

    /** Length of the copy in bytes, about. */
    long bytes() {
        return graph.length + shapes.length + elements.byteSize();
    }

    /** Appends the copy to a section. */
    void write(ImageWriter image) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(startBytes()).order(ByteOrder.LITTLE_ENDIAN);
        start.putInt(names.size());
        for (String name : names) {
            byte[] utf8 = name.getBytes(UTF_8);
            start.putShort((short) utf8.length).put(utf8);
        }
        byte[] codecName = codec.getBytes(UTF_8);
        start.put((byte) codecName.length).put(codecName).putLong(graph.length);
        image.write(start.flip());
        image.write(graph);
        image.write(ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(0, shapes.length / SHAPE_BYTES));
        image.write(shapes);
        for (long offset = 0; offset < elements.byteSize(); offset += ImageFormat.CHUNK_BYTES) {
            long length = Math.min(ImageFormat.CHUNK_BYTES, elements.byteSize() - offset);
            image.write(elements.asSlice(offset, length).asByteBuffer());
        }
    }

    private int startBytes() {
        int bytes = 4 + 1 + codec.getBytes(UTF_8).length + 8;
        for (String name : names) {
            bytes += 2 + name.getBytes(UTF_8).length;
        }
        return bytes;
    }

    /** Builds the variables anew, their classes taken from a loader. */
    static Map<String, @Nullable Object> read(SectionInput input, StateCodecs codecs, ClassLoader loader)
            throws IOException {
        List<String> names = new ArrayList<>();
        for (int left = input.readInt(); left > 0; left--) {
            names.add(new String(
                    input.readBytes(Short.toUnsignedInt(input.require(2).getShort())), UTF_8));
        }
        ObjectCodec codec =
                codecs.named(new String(input.readBytes(input.require(1).get()), UTF_8));
        long graphBytes = input.readLong();
        if (graphBytes < 0 || graphBytes > input.remaining()) {
            throw new ImageCorruptException("the graph of variables is longer than its section");
        }
        byte[] graph = input.readBytes((int) graphBytes);
        byte[] shapes = input.readBytes(Math.multiplyExact(input.readInt(), SHAPE_BYTES));
        List<Object> arrays = new ArrayList<>();
        Object[] values = (Object[]) codec.read(graph, 0, graph.length, arrays, loader);
        if (values.length != names.size() || arrays.size() * SHAPE_BYTES != shapes.length) {
            throw new ImageCorruptException("the graph has " + values.length + " values and " + arrays.size()
                    + " arrays instead of " + names.size() + " and " + shapes.length / SHAPE_BYTES);
        }
        ByteBuffer shape = ByteBuffer.wrap(shapes).order(ByteOrder.LITTLE_ENDIAN);
        for (Object array : arrays) {
            BaseType type = PrimitiveArrays.typeOf(array);
            if (shape.get() != type.code() || shape.getInt() != Array.getLength(array)) {
                throw new ImageCorruptException("an array of the graph has another type or length than its elements");
            }
            readElements(input, array, type.sizeBytes());
        }
        Map<String, @Nullable Object> variables = new LinkedHashMap<>();
        for (int i = 0; i < values.length; i++) {
            variables.put(names.get(i), values[i]);
        }
        return variables;
    }

    private static void readElements(SectionInput input, Object array, int elementBytes) throws IOException {
        int length = Array.getLength(array);
        int done = 0;
        while (done < length) {
            ByteBuffer buffer = input.require(elementBytes);
            int count = Math.min(length - done, buffer.remaining() / elementBytes);
            PrimitiveArrays.load(MemorySegment.ofBuffer(buffer), 0, array, done, count);
            buffer.position(buffer.position() + count * elementBytes);
            done += count;
        }
    }
}
