package org.gridmpj.datatype;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StreamCorruptedException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Arrays of primitives of any depth ({@code float[N][N]} as N OBJECTs), without java.io: the header holds lengths only.
 *
 * <pre>
 *   token  NULL | REFERENCE ordinal | NEW base dimensions length | LIKE length | SAME
 * </pre>
 *
 * NEW names the type of an element of the message; LIKE has the type of the element before it (or, for a row, the type
 * that its array demands); SAME has its length too. Arrays of arrays are followed by their rows. Ordinals count arrays
 * in the order of their appearance.
 */
final class PrimitiveArrayCodec implements ObjectCodec {
    static final int ID = 2;

    private static final int NULL = 0;
    private static final int REFERENCE = 1;
    private static final int NEW = 2;
    private static final int LIKE = 3;
    private static final int SAME = 4;

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    /** Dimensions of an array type of primitives; 0 for other classes. */
    private static final ClassValue<Integer> DIMENSIONS = new ClassValue<>() {
        @Override
        protected Integer computeValue(Class<?> type) {
            int dimensions = 0;
            Class<?> component = type;
            while (component.isArray()) {
                component = component.getComponentType();
                dimensions++;
            }
            return component.isPrimitive() ? dimensions : 0;
        }
    };

    @Override
    public String name() {
        return "arrays";
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public boolean fillsLater() {
        return true;
    }

    @Override
    public boolean handles(@Nullable Object[] elements, int count) {
        Class<?> known = null;
        for (int i = 0; i < count; i++) {
            Object element = elements[i];
            if (element == null || element.getClass() == known) {
                continue;
            }
            known = element.getClass();
            if (DIMENSIONS.get(known) == 0) {
                return false;
            }
        }
        return known != null;
    }

    @Override
    public boolean write(@Nullable Object[] elements, int count, OutputStream header, DataVector data)
            throws IOException {
        new Writer(header, data).elements(elements, count);
        return true;
    }

    @Override
    public void read(
            byte[] header,
            int offset,
            int length,
            @Nullable Object[] elements,
            int count,
            DataVector data,
            @Nullable ClassLoader loader)
            throws IOException {
        new Reader(header, offset, length, data).elements(elements, count);
    }

    private static final class Writer {
        private final OutputStream header;
        private final DataVector data;
        private final IdentityOrdinals known = new IdentityOrdinals();
        private int previousLength = -1;

        Writer(OutputStream header, DataVector data) {
            this.header = header;
            this.data = data;
        }

        void elements(@Nullable Object[] elements, int count) throws IOException {
            Class<?> previous = null;
            for (int i = 0; i < count; i++) {
                Object element = elements[i];
                if (element != null && element.getClass() == previous) {
                    array(element, DIMENSIONS.get(previous), false);
                } else if (element == null) {
                    header.write(NULL);
                } else if (array(element, DIMENSIONS.get(element.getClass()), true)) {
                    previous = element.getClass();
                }
            }
        }

        /** Whether the array is a new one, not one met before. */
        private boolean array(Object array, int dimensions, boolean typed) throws IOException {
            int ordinal = known.ordinalOrAdd(array);
            if (ordinal >= 0) {
                header.write(REFERENCE);
                writeInt(ordinal);
                return false;
            }
            int length = Array.getLength(array);
            if (typed) {
                header.write(NEW);
                header.write(innermost(array.getClass()).code());
                header.write(dimensions);
                writeInt(length);
            } else if (length == previousLength) {
                header.write(SAME);
            } else {
                header.write(LIKE);
                writeInt(length);
            }
            previousLength = length;
            if (dimensions == 1) {
                data.add(array);
                return true;
            }
            for (Object row : (Object[]) array) {
                if (row == null) {
                    header.write(NULL);
                } else {
                    array(row, dimensions - 1, false);
                }
            }
            return true;
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
            return baseOf(array.getComponentType());
        }
    }

    private static BaseType baseOf(Class<?> primitive) {
        for (BaseType base : BaseType.values()) {
            if (base.arrayClass().getComponentType() == primitive) {
                return base;
            }
        }
        throw new IllegalArgumentException(primitive.getName());
    }

    private static final class Reader {
        private final byte[] header;
        private final int end;
        private final DataVector data;
        private Object[] known = new Object[64];
        private @Nullable Class<?> previousComponent;
        private BaseType previousBase = BaseType.BYTE;
        private int knownCount;
        private int position;
        private int previousLength = -1;

        Reader(byte[] header, int offset, int length, DataVector data) {
            this.header = header;
            this.position = offset;
            this.end = offset + length;
            this.data = data;
        }

        void elements(@Nullable Object[] elements, int count) throws IOException {
            Class<?> type = null;
            for (int i = 0; i < count; i++) {
                int token = readByte();
                if (token == NEW) {
                    type = typeOf(readByte(), readByte());
                    elements[i] = array(type, readInt());
                } else {
                    elements[i] = element(token, type);
                }
            }
            if (position != end) {
                throw corrupt("the header is longer than its elements");
            }
        }

        private @Nullable Object element(int token, @Nullable Class<?> type) throws IOException {
            if (token == NULL) {
                return null;
            }
            if (token == REFERENCE) {
                int ordinal = readInt();
                if (ordinal < 0 || ordinal >= knownCount) {
                    throw corrupt("reference to array " + ordinal + " of " + knownCount);
                }
                return known[ordinal];
            }
            if (type == null || (token != LIKE && token != SAME)) {
                throw corrupt("token " + token);
            }
            return array(type, token == SAME ? previousLength : readInt());
        }

        private Object array(Class<?> type, int length) throws IOException {
            Class<?> component = type.getComponentType();
            if (length < 0) {
                throw corrupt("length " + length);
            }
            previousLength = length;
            if (component.isPrimitive()) {
                if (component != previousComponent) {
                    previousComponent = component;
                    previousBase = baseOf(component);
                }
                data.require(previousBase, length);
                Object array = ArrayCodec.allocate(previousBase, length);
                remember(array);
                data.add(previousBase, array, length);
                return array;
            }
            // each row takes a byte of the header at least
            if (length > end - position) {
                throw corrupt("length " + length);
            }
            Object[] array = (Object[]) Array.newInstance(component, length);
            remember(array);
            for (int i = 0; i < length; i++) {
                array[i] = element(readByte(), component);
            }
            return array;
        }

        private void remember(Object array) {
            if (knownCount == known.length) {
                known = Arrays.copyOf(known, knownCount * 2);
            }
            known[knownCount++] = array;
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

        private int readByte() throws IOException {
            if (position >= end) {
                throw corrupt("the header ends too early");
            }
            return header[position++] & 0xFF;
        }

        private int readInt() throws IOException {
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
}
