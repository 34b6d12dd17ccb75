package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Array;

/** Arrays of references: known to the graph before their elements, since they may contain themselves. */
final class ReferenceArraySerializer extends Serializer<Object> {
    @Override
    public void write(Kryo kryo, Output output, Object object) {
        Object[] array = (Object[]) object;
        output.writeVarInt(array.length, true);
        for (Object element : array) {
            kryo.writeClassAndObject(output, element);
        }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
        int length = ((GraphInput) input).readCount(1, type);
        Object[] array = (Object[]) Array.newInstance(type.getComponentType(), length);
        kryo.reference(array);
        for (int i = 0; i < length; i++) {
            array[i] = kryo.readClassAndObject(input);
        }
        return array;
    }
}
