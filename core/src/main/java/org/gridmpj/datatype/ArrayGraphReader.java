package org.gridmpj.datatype;

import java.io.IOException;
import java.io.StreamCorruptedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds arrays from the header of a {@link PrimitiveArrayCodec}. Arrays of arrays are made at once; those of
 * primitives when their data arrive, or when something else of the message refers to them.
 */
final class ArrayGraphReader {
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final byte[] header;
    private final int end;
    private final DataVector data;
    /** By ordinal; null where the data vector still has to put one. */
    private @Nullable Object[] known;

    private int knownCount;
    private @Nullable Class<?> previousComponent;
    private BaseType previousBase = BaseType.BYTE;
    private int position;
    private int previousLength = -1;

    ArrayGraphReader(byte[] header, int offset, int length, DataVector data) throws StreamCorruptedException {
        this.header = header;
        this.position = offset;
        this.end = offset + length;
        this.data = data;
        known = new Object[countArrays()];
    }

    /** Goes through the header once, as the data vector is to know where to put arrays. */
    private int countArrays() throws StreamCorruptedException {
        int begin = position;
        long arrays = 0;
        while (position < end) {
            switch (readByte()) {
                case PrimitiveArrayCodec.NULL -> {}
                case PrimitiveArrayCodec.SAME -> arrays++;
                case PrimitiveArrayCodec.REFERENCE -> readInt();
                case PrimitiveArrayCodec.NEW -> {
                    readByte();
                    readByte();
                    readInt();
                    arrays++;
                }
                case PrimitiveArrayCodec.LIKE -> {
                    readInt();
                    arrays++;
                }
                case PrimitiveArrayCodec.RUN -> arrays += Math.max(0, readInt());
                default -> throw corrupt("token " + header[position - 1]);
            }
        }
        position = begin;
        if (arrays > end - begin + data.mostArrays() || arrays > Integer.MAX_VALUE - 16) {
            throw corrupt("it names " + arrays + " arrays");
        }
        return (int) arrays;
    }

    void elements(@Nullable Object[] elements, int from, int count) throws IOException {
        @Nullable Object[] there = data.fillable();
        int shift = data.fillableFrom() - from;
        if (there != null) {
            data.ordinals().begin();
        }
        try {
            elements(elements, from, count, there, shift);
        } finally {
            if (there != null) {
                data.ordinals().end();
            }
        }
        IdentityOrdinals.remember(known);
    }

    /** @param there what may be filled: of elements[i] there[shift + i]; null: nothing */
    private void elements(
            @Nullable Object[] elements, int from, int count, @Nullable Object @Nullable [] there, int shift)
            throws IOException {
        Class<?> type = null;
        int behind = from + count;
        for (int i = from; i < behind; ) {
            int token = readByte();
            if (token == PrimitiveArrayCodec.NEW) {
                type = typeOf(readByte(), readByte());
                array(type, readInt(), elements, i, there, shift);
                i++;
            } else {
                i += element(token, type, elements, i, behind, there, shift);
            }
        }
        if (position != end) {
            throw corrupt("the header is longer than its elements");
        }
    }

    /** Reads what a token stands for into holder[index …]; returns how many places it took. */
    private int element(
            int token,
            @Nullable Class<?> type,
            @Nullable Object[] holder,
            int index,
            int places,
            @Nullable Object @Nullable [] there,
            int shift)
            throws IOException {
        if (token == PrimitiveArrayCodec.NULL) {
            holder[index] = null;
            return 1;
        }
        if (token == PrimitiveArrayCodec.REFERENCE) {
            refer(readInt(), holder, index);
            return 1;
        }
        if (type == null) {
            throw corrupt("token " + token);
        }
        switch (token) {
            case PrimitiveArrayCodec.SAME -> array(type, previousLength, holder, index, there, shift);
            case PrimitiveArrayCodec.LIKE -> array(type, readInt(), holder, index, there, shift);
            case PrimitiveArrayCodec.RUN -> {
                int count = readInt();
                if (count < 1 || count > places - index || previousLength < 1) {
                    throw corrupt("run of " + count);
                }
                if (!type.getComponentType().isPrimitive()) {
                    throw corrupt("run of arrays of arrays");
                }
                rows(type.getComponentType(), previousLength, count, holder, index, there, shift);
                return count;
            }
            default -> throw corrupt("token " + token);
        }
        return 1;
    }

    private void refer(int ordinal, @Nullable Object[] holder, int index) throws StreamCorruptedException {
        if (ordinal < 0 || ordinal >= knownCount) {
            throw corrupt("reference to array " + ordinal + " of " + knownCount);
        }
        Object array = known[ordinal];
        if (array == null) {
            array = data.materialize(ordinal);
        }
        try {
            holder[index] = array;
        } catch (ArrayStoreException e) {
            throw corrupt("a " + e.getMessage() + " among rows of another type");
        }
    }

    private void array(
            Class<?> type,
            int length,
            @Nullable Object[] holder,
            int index,
            @Nullable Object @Nullable [] there,
            int shift)
            throws IOException {
        Class<?> component = type.getComponentType();
        if (length < 0) {
            throw corrupt("length " + length);
        }
        previousLength = length;
        if (component.isPrimitive() && length > 0) {
            rows(component, length, 1, holder, index, there, shift);
            return;
        }
        // a row takes a byte of the header at least, or is one of a run and has data
        if (length > end - position + data.mostArrays()) {
            throw corrupt("length " + length);
        }
        Object array = Array.newInstance(component, length);
        known[knownCount++] = array;
        holder[index] = array;
        if (length > 0) {
            @Nullable Object[] rows = (Object[]) array;
            @Nullable
            Object[] rowsThere =
                    there != null && shift + index < there.length && there[shift + index] instanceof Object[] arrays
                            ? arrays
                            : null;
            for (int i = 0; i < length; ) {
                i += element(readByte(), component, rows, i, length, rowsThere, 0);
            }
        }
    }

    private void rows(
            Class<?> component,
            int length,
            int count,
            @Nullable Object[] holder,
            int index,
            @Nullable Object @Nullable [] there,
            int shift)
            throws StreamCorruptedException {
        if (component != previousComponent) {
            previousComponent = component;
            previousBase = PrimitiveArrayCodec.baseOf(component);
        }
        Arrays.fill(holder, index, index + count, null);
        if (there != null) {
            takeFitting(there, shift + index, length, count, holder, index);
        }
        data.addLater(previousBase, length, count, holder, index, known, knownCount);
        knownCount += count;
    }

    /** Arrays that are there are filled, each once; the other places stay empty. */
    private void takeFitting(
            @Nullable Object[] there, int from, int length, int count, @Nullable Object[] holder, int index) {
        IdentityOrdinals met = data.ordinals();
        int fitting = Math.min(count, there.length - from);
        for (int i = 0; i < fitting; i++) {
            Object array = there[from + i];
            if (array != null
                    && array.getClass() == previousBase.arrayClass()
                    && ArrayCodec.lengthOf(previousBase, array) == length
                    && met.ordinalOrAdd(array) < 0) {
                holder[index + i] = array;
                known[knownCount + i] = array;
            }
        }
    }

    private Class<?> typeOf(int code, int dimensions) throws IOException {
        if (code < 1 || code > BaseType.DOUBLE.code() || dimensions < 1) {
            throw corrupt("array type " + code + ", " + dimensions);
        }
        Class<?> type = BaseType.of(code).arrayClass();
        for (int i = 1; i < dimensions; i++) {
            type = type.arrayType();
        }
        return type;
    }

    private int readByte() throws StreamCorruptedException {
        if (position >= end) {
            throw corrupt("the header ends too early");
        }
        return header[position++] & 0xFF;
    }

    private int readInt() throws StreamCorruptedException {
        if (end - position < Integer.BYTES) {
            throw corrupt("the header ends too early");
        }
        int value = (int) INT.get(header, position);
        position += Integer.BYTES;
        return value;
    }

    private static StreamCorruptedException corrupt(String what) {
        return new StreamCorruptedException("a message of arrays is corrupt: " + what);
    }
}
