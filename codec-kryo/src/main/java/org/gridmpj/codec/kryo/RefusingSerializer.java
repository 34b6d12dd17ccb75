package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.Serializer;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/** For classes that only java.io can write. */
final class RefusingSerializer extends Serializer<Object> {
    @Override
    public void write(Kryo kryo, Output output, Object object) {
        throw new RefusedException(object.getClass());
    }

    @Override
    public Object read(Kryo kryo, Input input, Class<? extends Object> type) {
        throw new KryoException("class " + type.getName() + " was sent by this codec, but is left to java.io here");
    }
}
