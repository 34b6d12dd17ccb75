package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/**
 * The fields of a {@link PlainClass} or {@link PlainRecord}, one after the other: by reflection at first, by code made for the
 * class ({@link FieldCode}) once there were some objects. Of one GraphKryo.
 */
final class PlainSerializer extends Serializer<Object> {
    /** To make code takes as long as reflection does for some thousand objects. */
    private static final int WORTH_CODE = 1000;

    private final Class<?> type;
    private FieldAccess access;
    private int left = WORTH_CODE;

    PlainSerializer(PlainClass plain) {
        type = plain.type();
        access = ReflectedAccess.of(plain);
    }

    PlainSerializer(PlainRecord plain) {
        type = plain.type();
        access = ReflectedAccess.of(plain);
    }

    private void count() {
        left--;
        if (left == 0) {
            FieldAccess made = FieldCode.of(type);
            if (made != null) {
                access = made;
            }
        }
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        if (left > 0) {
            count();
        }
        access.write((GraphKryo) kryo, output, object);
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> ignored) {
        if (left > 0) {
            count();
        }
        return access.read((GraphKryo) kryo, input);
    }
}
