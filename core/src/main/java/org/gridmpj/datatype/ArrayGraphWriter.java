package org.gridmpj.datatype;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Writes the header of a {@link PrimitiveArrayCodec} for one message. */
final class ArrayGraphWriter {
    private final OutputStream header;
    private final DataVector data;
    private final IdentityOrdinals known;
    private int previousLength = -1;
    /** SAMEs that are not written yet. */
    private int run;

    ArrayGraphWriter(OutputStream header, DataVector data, IdentityOrdinals known) {
        this.header = header;
        this.data = data;
        this.known = known;
    }

    void elements(@Nullable Object[] elements, int from, int count) throws IOException {
        Class<?> previous = null;
        int dimensions = 0;
        for (int i = 0; i < count; i++) {
            Object element = elements[from + i];
            if (element == null) {
                token(PrimitiveArrayCodec.NULL);
            } else if (element.getClass() == previous) {
                array(element, dimensions, false);
            } else {
                int its = PrimitiveArrayCodec.dimensionsOf(element.getClass());
                if (array(element, its, true)) {
                    previous = element.getClass();
                    dimensions = its;
                }
            }
        }
        flushRun();
    }

    /** Whether the array is a new one, not one met before. */
    private boolean array(Object array, int dimensions, boolean typed) throws IOException {
        int ordinal = known.ordinalOrAdd(array);
        if (ordinal >= 0) {
            token(PrimitiveArrayCodec.REFERENCE);
            writeInt(ordinal);
            return false;
        }
        if (dimensions > 1) {
            Object[] rows = (Object[]) array;
            describe(array.getClass(), dimensions, rows.length, typed);
            for (Object row : rows) {
                if (row == null) {
                    token(PrimitiveArrayCodec.NULL);
                } else {
                    array(row, dimensions - 1, false);
                }
            }
            return true;
        }
        BaseType base = ArrayCodec.baseOf(array);
        int length = ArrayCodec.lengthOf(base, array);
        if (!typed && length == previousLength && length > 0) {
            run++;
        } else {
            describe(array.getClass(), dimensions, length, typed);
        }
        data.add(base, array, length);
        return true;
    }

    private void describe(Class<?> type, int dimensions, int length, boolean typed) throws IOException {
        if (typed) {
            token(PrimitiveArrayCodec.NEW);
            header.write(innermost(type).code());
            header.write(dimensions);
            writeInt(length);
        } else if (length == previousLength) {
            token(PrimitiveArrayCodec.SAME);
        } else {
            token(PrimitiveArrayCodec.LIKE);
            writeInt(length);
        }
        previousLength = length;
    }

    private void token(int token) throws IOException {
        flushRun();
        header.write(token);
    }

    private void flushRun() throws IOException {
        int same = run;
        run = 0;
        if (same == 1) {
            header.write(PrimitiveArrayCodec.SAME);
        } else if (same > 1) {
            header.write(PrimitiveArrayCodec.RUN);
            writeInt(same);
        }
    }

    private void writeInt(int value) throws IOException {
        if (ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
            header.write(value);
            header.write(value >>> 8);
            header.write(value >>> 16);
            header.write(value >>> 24);
        } else {
            header.write(value >>> 24);
            header.write(value >>> 16);
            header.write(value >>> 8);
            header.write(value);
        }
    }

    private static BaseType innermost(Class<?> type) {
        Class<?> array = type;
        while (array.getComponentType().isArray()) {
            array = array.getComponentType();
        }
        return PrimitiveArrayCodec.baseOf(array.getComponentType());
    }
}
