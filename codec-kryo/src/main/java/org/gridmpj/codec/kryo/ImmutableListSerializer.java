package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The lists of {@code List.of}, which take no null, and of {@code Stream.toList}, which do. One is made when all its elements are
 * there, so it is refused if they refer back to it: with java.io such a reference is to what was written in its place.
 *
 * <pre>
 *   0 or NULLS_ALLOWED (byte) | elements (varint) | each
 * </pre>
 */
final class ImmutableListSerializer extends Serializer<Object> {
    /** What List.of makes of one element or two. */
    static final Class<?> SHORT = List.of(0).getClass();
    /** What it makes of none, or of more. */
    static final Class<?> ANY_LENGTH = List.of().getClass();

    private static final int NULLS_ALLOWED = 1;

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        List<?> list = (List<?>) object;
        WrittenObjects written = ((GraphOutput) output).written();
        written.begin();
        output.writeByte(takesNulls(list) ? NULLS_ALLOWED : 0);
        output.writeVarInt(list.size(), true);
        for (int i = 0; i < list.size(); i++) {
            kryo.writeClassAndObject(output, list.get(i));
        }
        written.end();
    }

    /** List.copyOf gives the list itself if it takes none. To ask whether it contains null would be an exception then. */
    @SuppressWarnings("ReferenceEquality") // the same list or a copy
    private static boolean takesNulls(List<?> list) {
        for (int i = 0; i < list.size(); i++) {
            if (list.get(i) == null) {
                return true;
            }
        }
        return List.copyOf(list) != list;
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
        boolean takesNulls = input.readByte() == NULLS_ALLOWED;
        @Nullable Object[] elements = new Object[((GraphInput) input).readCount(1, type)];
        for (int i = 0; i < elements.length; i++) {
            Object element = kryo.readClassAndObject(input);
            if (element == null && !takesNulls) {
                throw new KryoException("a list that takes no null, with one");
            }
            elements[i] = element;
        }
        return takesNulls ? Arrays.stream(elements).toList() : List.of(elements);
    }
}
