package org.gridmpj.datatype;

import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/** Stands for a primitive array in the header stream; its data are in the data vector. */
final class ArrayProxy implements Externalizable {
    private static final long serialVersionUID = 1L;

    private transient @Nullable Object array;
    private transient BaseType base = BaseType.BYTE;
    private transient int length;

    /** For java.io. */
    public ArrayProxy() {}

    ArrayProxy(Object array, BaseType base, int length) {
        this.array = array;
        this.base = base;
        this.length = length;
    }

    @Nullable
    Object array() {
        return array;
    }

    @Override
    public void writeExternal(ObjectOutput out) throws IOException {
        if (!(out instanceof ArrayOutputStream stream) || array == null) {
            throw new InvalidObjectException("an array proxy outside of a message");
        }
        out.writeByte(base.code());
        out.writeInt(length);
        stream.append(array);
    }

    @Override
    public void readExternal(ObjectInput in) throws IOException {
        int code = in.readByte();
        length = in.readInt();
        if (!(in instanceof ArrayInputStream stream) || code < 1 || code > BaseType.DOUBLE.code()) {
            throw new InvalidObjectException("an array proxy outside of a message");
        }
        base = BaseType.of(code);
        stream.admit(base, length);
        Object filled = Array.newInstance(base.arrayClass().getComponentType(), length);
        stream.fill(filled);
        array = filled;
    }
}
