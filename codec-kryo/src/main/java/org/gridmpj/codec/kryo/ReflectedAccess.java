package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** By reflection: at once there, and slow. */
abstract class ReflectedAccess extends FieldAccess {
    /** What a field is, and how it is written. */
    private enum Kind {
        INT,
        LONG,
        DOUBLE,
        FLOAT,
        BOOLEAN,
        BYTE,
        SHORT,
        CHAR,
        /** A final class. */
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

    final Field[] fields;
    private final Kind[] kinds;

    private ReflectedAccess(List<Field> accessible) {
        fields = accessible.toArray(Field[]::new);
        kinds = accessible.stream().map(field -> Kind.of(field.getType())).toArray(Kind[]::new);
    }

    static FieldAccess of(PlainClass plain) {
        return new OfClass(plain);
    }

    static FieldAccess of(PlainRecord plain) {
        return new OfRecord(plain);
    }

    @Override
    void write(GraphKryo kryo, Output output, Object object) {
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
                    case STRING -> kryo.writeText(output, (String) field.get(object));
                    case REFERENCE -> kryo.writeClassAndObject(output, field.get(object));
                }
            }
        } catch (IllegalAccessException e) {
            throw new KryoException(e);
        }
    }

    /** Reads one field's value, boxed. */
    @Nullable
    Object value(GraphKryo kryo, Input input, int index) {
        return switch (kinds[index]) {
            case INT -> input.readInt();
            case LONG -> input.readLong();
            case DOUBLE -> input.readDouble();
            case FLOAT -> input.readFloat();
            case BOOLEAN -> input.readBoolean();
            case BYTE -> input.readByte();
            case SHORT -> input.readShort();
            case CHAR -> input.readChar();
            case STRING, REFERENCE -> kryo.readClassAndObject(input);
        };
    }

    private static final class OfClass extends ReflectedAccess {
        private final Constructor<?> constructor;

        OfClass(PlainClass plain) {
            super(plain.fields());
            constructor = plain.constructor();
        }

        @Override
        Object read(GraphKryo kryo, Input input) {
            Object object = PlainClass.make(constructor);
            kryo.reference(object);
            try {
                for (int i = 0; i < fields.length; i++) {
                    fields[i].set(object, value(kryo, input, i));
                }
            } catch (IllegalAccessException | IllegalArgumentException e) {
                throw new KryoException(e);
            }
            return object;
        }
    }

    /** References to a record from within its components are null, as with java.io. */
    private static final class OfRecord extends ReflectedAccess {
        private final int[] positions;
        private final Constructor<?> canonical;

        OfRecord(PlainRecord plain) {
            super(plain.fields());
            positions = plain.positions().stream().mapToInt(Integer::intValue).toArray();
            canonical = plain.canonical();
        }

        @Override
        Object read(GraphKryo kryo, Input input) {
            @Nullable Object[] components = new Object[positions.length];
            for (int i = 0; i < components.length; i++) {
                components[positions[i]] = value(kryo, input, i);
            }
            try {
                return canonical.newInstance(components);
            } catch (InvocationTargetException e) {
                throw PlainRecord.refused(canonical.getDeclaringClass(), e.getCause());
            } catch (ReflectiveOperationException | IllegalArgumentException e) {
                throw new KryoException(e);
            }
        }
    }
}
