package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import org.jspecify.annotations.Nullable;

/** What {@link JdkPutFields} wrote. */
final class JdkGetFields extends ObjectInputStream.GetField {
    private final Class<?> form;
    private final ObjectStreamField[] fields;
    private final long[] bits;
    private final @Nullable Object[] references;

    JdkGetFields(JdkClass type, ObjectStreamField[] fields, Kryo kryo, Input input) {
        form = type.form();
        this.fields = fields;
        bits = new long[fields.length];
        references = new Object[fields.length];
        boolean ownArrays = type.content() == JdkClass.Content.VALUE;
        for (int i = 0; i < fields.length; i++) {
            switch (fields[i].getTypeCode()) {
                case 'Z', 'B' -> bits[i] = input.readByte();
                case 'C', 'S' -> bits[i] = input.readShort();
                case 'I', 'F' -> bits[i] = input.readInt();
                case 'J', 'D' -> bits[i] = input.readLong();
                default -> {
                    references[i] = ownArrays && fields[i].getType() == long[].class
                            ? input.readLongs(length(input))
                            : kryo.readClassAndObject(input);
                }
            }
        }
    }

    private static int length(Input input) {
        int length = input.readVarInt(true);
        if (length < 0 || length > (input.limit() - input.position()) / Long.BYTES) {
            throw new KryoException("an array of " + length);
        }
        return length;
    }

    @Override
    public ObjectStreamClass getObjectStreamClass() {
        return ObjectStreamClass.lookup(form);
    }

    @Override
    public boolean defaulted(String name) {
        return false;
    }

    private long bits(String name) {
        return bits[JdkPutFields.index(fields, name)];
    }

    @Override
    public boolean get(String name, boolean other) {
        return bits(name) != 0;
    }

    @Override
    public byte get(String name, byte other) {
        return (byte) bits(name);
    }

    @Override
    public char get(String name, char other) {
        return (char) bits(name);
    }

    @Override
    public short get(String name, short other) {
        return (short) bits(name);
    }

    @Override
    public int get(String name, int other) {
        return (int) bits(name);
    }

    @Override
    public long get(String name, long other) {
        return bits(name);
    }

    @Override
    public float get(String name, float other) {
        return Float.intBitsToFloat((int) bits(name));
    }

    @Override
    public double get(String name, double other) {
        return Double.longBitsToDouble(bits(name));
    }

    @Override
    public @Nullable Object get(String name, @Nullable Object other) {
        return references[JdkPutFields.index(fields, name)];
    }
}
