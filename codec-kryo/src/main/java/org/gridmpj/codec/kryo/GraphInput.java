package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;

/** The bytes of one header. No room is made for more than there are. */
final class GraphInput extends Input {
    @Override
    public byte[] readBytes(int length) {
        if (length < 0 || length > limit - position) {
            throw new KryoException("an array of " + length);
        }
        return super.readBytes(length);
    }
}
