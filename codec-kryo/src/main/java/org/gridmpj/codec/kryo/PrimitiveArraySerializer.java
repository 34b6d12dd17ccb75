package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import org.gridmpj.datatype.BaseType;

/** The length in the header, the data in the data vector. */
final class PrimitiveArraySerializer extends Serializer<Object> {
    private final BaseType base;
    private final Class<?> component;

    PrimitiveArraySerializer(Class<?> type) {
        component = type.getComponentType();
        base = baseOf(type);
    }

    private static BaseType baseOf(Class<?> type) {
        for (BaseType base : BaseType.values()) {
            if (base.arrayClass() == type) {
                return base;
            }
        }
        throw new IllegalArgumentException(type.getName());
    }

    @Override
    public void write(Kryo kryo, Output output, Object array) {
        output.writeVarInt(Array.getLength(array), true);
        try {
            ((GraphKryo) kryo).data().add(array);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
        int length = input.readVarInt(true);
        try {
            ((GraphKryo) kryo).data().require(base, length);
            Object array = Array.newInstance(component, length);
            ((GraphKryo) kryo).data().add(array);
            return array;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
