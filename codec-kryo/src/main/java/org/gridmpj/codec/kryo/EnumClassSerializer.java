package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/** Classes as objects, only of enums: EnumMap and EnumSet have them. */
final class EnumClassSerializer extends Serializer<Object> {
    @Override
    public void write(Kryo kryo, Output output, Object object) {
        Class<?> type = (Class<?>) object;
        if (!type.isEnum()) {
            throw new RefusedException(Class.class);
        }
        FingerprintResolver classes = ((GraphKryo) kryo).classes();
        classes.write(output, classes.entry(type));
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> ignored) {
        return ((GraphKryo) kryo).classes().read(input, input.readByte()).getType();
    }
}
