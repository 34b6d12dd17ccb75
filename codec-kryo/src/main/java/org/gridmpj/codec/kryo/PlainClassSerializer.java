package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import org.objenesis.instantiator.ObjectInstantiator;

/** The fields of a {@link PlainClass}, one after the other. */
final class PlainClassSerializer extends Serializer<Object> {
    private final ObjectInstantiator<?> instantiator;
    private final SerialFields fields;

    PlainClassSerializer(PlainClass plain) {
        instantiator = plain.instantiator();
        fields = new SerialFields(plain.fields());
    }

    @Override
    public void write(Kryo kryo, Output output, Object object) {
        fields.write(kryo, output, object);
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
        Object object = instantiator.newInstance();
        kryo.reference(object);
        fields.read(kryo, input, object);
        return object;
    }
}
