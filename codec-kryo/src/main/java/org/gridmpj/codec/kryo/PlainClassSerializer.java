package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Field;
import org.objenesis.instantiator.ObjectInstantiator;

/** The fields of a {@link PlainClass}, one after the other. */
final class PlainClassSerializer extends Serializer<Object> {
    private enum Kind {
        INT,
        LONG,
        DOUBLE,
        FLOAT,
        BOOLEAN,
        BYTE,
        SHORT,
        CHAR,
        REFERENCE;

        static Kind of(Class<?> type) {
            return switch (type.getName()) {
                case "int" -> INT;
                case "long" -> LONG;
                case "double" -> DOUBLE;
                case "float" -> FLOAT;
                case "boolean" -> BOOLEAN;
                case "byte" -> BYTE;
                case "short" -> SHORT;
                case "char" -> CHAR;
                default -> REFERENCE;
            };
        }
    }

    private final ObjectInstantiator<?> instantiator;
    private final Field[] fields;
    private final Kind[] kinds;

    PlainClassSerializer(PlainClass plain) {
        instantiator = plain.instantiator();
        fields = plain.fields().toArray(Field[]::new);
        kinds = plain.fields().stream().map(field -> Kind.of(field.getType())).toArray(Kind[]::new);
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        try {
            for (int i = 0; i < fields.length; i++) {
                Field field = fields[i];
                switch (kinds[i]) {
                    case INT -> output.writeInt(field.getInt(object));
                    case LONG -> output.writeLong(field.getLong(object));
                    case DOUBLE -> output.writeDouble(field.getDouble(object));
                    case FLOAT -> output.writeFloat(field.getFloat(object));
                    case BOOLEAN -> output.writeBoolean(field.getBoolean(object));
                    case BYTE -> output.writeByte(field.getByte(object));
                    case SHORT -> output.writeShort(field.getShort(object));
                    case CHAR -> output.writeChar(field.getChar(object));
                    case REFERENCE -> kryo.writeClassAndObject(output, field.get(object));
                }
            }
        } catch (IllegalAccessException e) {
            throw new KryoException(e);
        }
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
        Object object = instantiator.newInstance();
        kryo.reference(object);
        try {
            for (int i = 0; i < fields.length; i++) {
                Field field = fields[i];
                switch (kinds[i]) {
                    case INT -> field.setInt(object, input.readInt());
                    case LONG -> field.setLong(object, input.readLong());
                    case DOUBLE -> field.setDouble(object, input.readDouble());
                    case FLOAT -> field.setFloat(object, input.readFloat());
                    case BOOLEAN -> field.setBoolean(object, input.readBoolean());
                    case BYTE -> field.setByte(object, input.readByte());
                    case SHORT -> field.setShort(object, input.readShort());
                    case CHAR -> field.setChar(object, input.readChar());
                    case REFERENCE -> field.set(object, kryo.readClassAndObject(input));
                }
            }
        } catch (IllegalAccessException | IllegalArgumentException e) {
            throw new KryoException(e);
        }
        return object;
    }
}
