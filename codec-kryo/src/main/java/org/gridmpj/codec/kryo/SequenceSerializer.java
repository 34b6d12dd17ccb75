package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedList;

/** Exactly ArrayList, LinkedList and ArrayDeque, whose serial form is their elements. */
final class SequenceSerializer extends Serializer<Object> {
    @Override
    public void write(Kryo kryo, Output output, Object object) {
        Collection<?> elements = (Collection<?>) object;
        output.writeVarInt(elements.size(), true);
        for (Object element : elements) {
            kryo.writeClassAndObject(output, element);
        }
    }

    @Override
    @SuppressWarnings("JdkObsolete") // what was sent
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
        int size = ((GraphInput) input).readCount(1, type);
        if (type == ArrayDeque.class) {
            return readDeque(kryo, input, size);
        }
        Collection<Object> list = type == ArrayList.class ? new ArrayList<>(size) : new LinkedList<>();
        kryo.reference(list);
        for (int i = 0; i < size; i++) {
            list.add(kryo.readClassAndObject(input));
        }
        return list;
    }

    private static Object readDeque(Kryo kryo, Input input, int size) {
        ArrayDeque<Object> deque = new ArrayDeque<>(size);
        kryo.reference(deque);
        for (int i = 0; i < size; i++) {
            Object element = kryo.readClassAndObject(input);
            if (element == null) {
                throw new KryoException("an ArrayDeque with null");
            }
            deque.add(element);
        }
        return deque;
    }
}
