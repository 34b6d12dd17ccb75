package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Output;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import org.jspecify.annotations.Nullable;

/** The serial fields of one class, in the order of its ObjectStreamClass. Numbers are kept as their bits. */
final class JdkPutFields extends ObjectOutputStream.PutField {
    private final ObjectStreamField[] fields;
    private final long[] bits;
    private final @Nullable Object[] references;

    JdkPutFields(ObjectStreamField[] fields) {
        this.fields = fields;
        bits = new long[fields.length];
        references = new Object[fields.length];
    }

    static int index(ObjectStreamField[] fields, String name) {
        for (int i = 0; i < fields.length; i++) {
            if (fields[i].getName().equals(name)) {
                return i;
            }
        }
        throw new IllegalArgumentException("no serial field " + name);
    }

    /** With arrays of primitives in place if nobody else has them. */
    void write(Kryo kryo, Output output, boolean ownArrays) {
        for (int i = 0; i < fields.length; i++) {
            switch (fields[i].getTypeCode()) {
                case 'Z', 'B' -> output.writeByte((byte) bits[i]);
                case 'C', 'S' -> output.writeShort((short) bits[i]);
                case 'I', 'F' -> output.writeInt((int) bits[i]);
                case 'J', 'D' -> output.writeLong(bits[i]);
                default -> {
                    if (ownArrays && references[i] instanceof long[] longs) {
                        output.writeVarInt(longs.length, true);
                        output.writeLongs(longs, 0, longs.length);
                    } else {
                        kryo.writeClassAndObject(output, references[i]);
                    }
                }
            }
        }
    }

    @Override
    public void put(String name, boolean value) {
        bits[index(fields, name)] = value ? 1 : 0;
    }

    @Override
    public void put(String name, byte value) {
        bits[index(fields, name)] = value;
    }

    @Override
    public void put(String name, char value) {
        bits[index(fields, name)] = value;
    }

    @Override
    public void put(String name, short value) {
        bits[index(fields, name)] = value;
    }

    @Override
    public void put(String name, int value) {
        bits[index(fields, name)] = value;
    }

    @Override
    public void put(String name, long value) {
        bits[index(fields, name)] = value;
    }

    @Override
    public void put(String name, float value) {
        bits[index(fields, name)] = Float.floatToRawIntBits(value);
    }

    @Override
    public void put(String name, double value) {
        bits[index(fields, name)] = Double.doubleToRawLongBits(value);
    }

    @Override
    public void put(String name, @Nullable Object value) {
        references[index(fields, name)] = value;
    }

    @Override
    @Deprecated
    @SuppressWarnings("removal") // abstract in the superclass, called by nobody
    public void write(ObjectOutput out) {}
}
