package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.List;

/** Exactly ArrayList, whose serial form is its elements. */
final class ArrayListSerializer extends Serializer<Object> {
    @Override
    public void write(Kryo kryo, Output output, Object object) {
        List<?> list = (List<?>) object;
        output.writeVarInt(list.size(), true);
        for (Object element : list) {
            kryo.writeClassAndObject(output, element);
        }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
        int size = input.readVarInt(true);
        if (size < 0 || size > input.limit() - input.position()) {
            throw new KryoException("a list of " + size);
        }
        List<Object> list = new ArrayList<>(size);
        kryo.reference(list);
        for (int i = 0; i < size; i++) {
            list.add(kryo.readClassAndObject(input));
        }
        return list;
    }
}
