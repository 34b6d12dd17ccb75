package org.gridmpj.codec.kryo;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;

/** Reads and writes the fields of one class, one after the other. Of any thread. */
abstract class FieldAccess {
    abstract void write(GraphKryo kryo, Output output, Object object);

    /** Makes an object and fills it. */
    abstract Object read(GraphKryo kryo, Input input);
}
