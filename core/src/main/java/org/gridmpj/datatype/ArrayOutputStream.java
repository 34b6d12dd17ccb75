package org.gridmpj.datatype;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.OutputStream;

/**
 * java.io's stream without the data of larger primitive arrays: an {@link ArrayProxy} stands in their place and the
 * array itself goes to the data vector (mpiJava, serialization study of 1999, figure 5.5).
 */
final class ArrayOutputStream extends ObjectOutputStream {
    /** Below this an array is cheaper in the stream. */
    private static final int APART_BYTES = 64;

    private final DataVector data;

    ArrayOutputStream(OutputStream header, DataVector data) throws IOException {
        super(header);
        this.data = data;
        enableReplaceObject(true);
    }

    @Override
    protected Object replaceObject(Object object) {
        Class<?> type = object.getClass();
        if (!type.isArray() || !type.getComponentType().isPrimitive()) {
            return object;
        }
        int length = java.lang.reflect.Array.getLength(object);
        BaseType base = ArrayCodec.baseOf(object);
        return (long) length * base.sizeBytes() < APART_BYTES ? object : new ArrayProxy(object, base, length);
    }

    /** A proxy enters the stream: here, not in replaceObject, which is called once for arrays written twice unshared. */
    void append(Object array) throws IOException {
        data.add(array);
    }
}
