package org.gridmpj.datatype;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Any Serializable graph, by java.io's streams with array data apart. */
final class JavaObjectCodec implements ObjectCodec {
    static final int ID = 1;

    @Override
    public String name() {
        return "java.io";
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public boolean handles(@Nullable Object[] elements, int from, int count) {
        return true;
    }

    @Override
    public boolean write(@Nullable Object[] elements, int from, int count, SerializationBuffer header, DataVector data)
            throws IOException {
        // not closed: nothing but the header buffer is behind it
        ArrayOutputStream stream = new ArrayOutputStream(header, data);
        for (int i = 0; i < count; i++) {
            stream.writeObject(elements[from + i]);
        }
        stream.flush();
        return true;
    }

    @Override
    public void read(
            byte[] header,
            int offset,
            int length,
            @Nullable Object[] elements,
            int from,
            int count,
            DataVector data,
            @Nullable ClassLoader loader)
            throws IOException, ClassNotFoundException {
        try (ArrayInputStream stream =
                new ArrayInputStream(new ByteArrayInputStream(header, offset, length), data, loader)) {
            for (int i = 0; i < count; i++) {
                elements[from + i] = stream.readObject();
            }
        }
    }
}
