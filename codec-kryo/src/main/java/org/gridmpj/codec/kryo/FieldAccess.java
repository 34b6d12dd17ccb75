package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/** Reads and writes the fields of one class, one after the other. Of any thread. */
abstract class FieldAccess {
    /** What a field is, and how it is written. */
    enum Kind {
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

    abstract void write(GraphKryo kryo, Output output, Object object);

    /** Makes an object and fills it. */
    abstract Object read(GraphKryo kryo, Input input);
}
