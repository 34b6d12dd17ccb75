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
        try {
            return constant(type, name);
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new KryoException("enum " + type.getName() + " has no constant " + name + " on this rank", e);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // of which enum only the message knows
    private static Object constant(Class<?> type, String name) {
        return Enum.valueOf((Class) type, name);
    }
}
