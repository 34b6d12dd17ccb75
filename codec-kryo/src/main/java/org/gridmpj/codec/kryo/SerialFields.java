package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.DefaultSerializers;
import java.lang.reflect.Field;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The fields of a class, one after the other, in the order given. Immutable. */
final class SerialFields {
    private enum Kind {
        INT,
        LONG,
        DOUBLE,
        FLOAT,
        BOOLEAN,
        BYTE,
        SHORT,
        CHAR,
        /** A final class: what it refers to needs no class in the header. */
        STRING,
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
                case "java.lang.String" -> STRING;
                default -> REFERENCE;
            };
        }
    }

    private static final Serializer<String> STRINGS = new DefaultSerializers.StringSerializer();

    private final Field[] fields;
    private final Kind[] kinds;

    /** Of fields that are accessible. */
    SerialFields(List<Field> accessible) {
        fields = accessible.toArray(Field[]::new);
        kinds = accessible.stream().map(field -> Kind.of(field.getType())).toArray(Kind[]::new);
    }

    void write(Kryo kryo, Output output, Object object) {
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
                    case STRING -> kryo.writeObjectOrNull(output, field.get(object), STRINGS);
                    case REFERENCE -> kryo.writeClassAndObject(output, field.get(object));
                }
            }
        } catch (IllegalAccessException e) {
            throw new KryoException(e);
        }
    }

    /** Reads all fields into an object. */
    void read(Kryo kryo, Input input, Object object) {
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
                    case STRING, REFERENCE -> field.set(object, value(kryo, input, i));
                }
            }
        } catch (IllegalAccessException | IllegalArgumentException e) {
            throw new KryoException(e);
        }
    }

    /** Reads one field's value, boxed. */
    @Nullable
    Object value(Kryo kryo, Input input, int index) {
        return switch (kinds[index]) {
            case INT -> input.readInt();
            case LONG -> input.readLong();
            case DOUBLE -> input.readDouble();
            case FLOAT -> input.readFloat();
            case BOOLEAN -> input.readBoolean();
            case BYTE -> input.readByte();
            case SHORT -> input.readShort();
            case CHAR -> input.readChar();
            case STRING -> kryo.readObjectOrNull(input, String.class, STRINGS);
            case REFERENCE -> kryo.readClassAndObject(input);
        };
    }
}
