package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/** Enum constants by name, as in java.io. */
final class EnumNameSerializer extends Serializer<Object> {
    @Override
    public void write(Kryo kryo, Output output, Object constant) {
        output.writeString(((Enum<?>) constant).name());
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
        String name = input.readString();
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new KryoException("enum " + type.getName() + " has no constant " + name + " on this rank");
    }
}
