package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.io.InvalidObjectException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a {@link PlainRecord}. Kryo's own serializer of records calls their accessors, which may be the program's,
 * and reads in an order of its own. References to a record from within its components are null, as with java.io.
 */
final class PlainRecordSerializer extends Serializer<Object> {
    private final SerialFields fields;
    private final int[] positions;
    private final Constructor<?> canonical;

    PlainRecordSerializer(PlainRecord plain) {
        fields = new SerialFields(plain.fields());
        positions = plain.positions().stream().mapToInt(Integer::intValue).toArray();
        canonical = plain.canonical();
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        fields.write(kryo, output, object);
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
        @Nullable Object[] components = new Object[positions.length];
        for (int i = 0; i < components.length; i++) {
            components[positions[i]] = fields.value(kryo, input, i);
        }
        try {
            return canonical.newInstance(components);
        } catch (InvocationTargetException e) {
            InvalidObjectException refused =
                    new InvalidObjectException("the constructor of " + type.getName() + " refused it: " + e.getCause());
            refused.initCause(e.getCause());
            throw new UncheckedIOException(refused);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new KryoException(e);
        }
    }
}
