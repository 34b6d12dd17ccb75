package org.gridmpj.codec.kryo;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.datatype.DataVector;
import org.jspecify.annotations.Nullable;

/** Writes the graphs of {@link PlainGraphCodec}; see {@link GraphTag}. Reused; one thread at a time. */
final class GraphWriter {
    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle CHARS = view(char[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);
    private static final VarHandle FLOATS = view(float[].class);
    private static final VarHandle DOUBLES = view(double[].class);
    /** So many classes are compared one by one. */
    private static final int FEW_CLASSES = 16;

    private static final int MOST_KEPT_BYTES = 1 << 20;
    private static final int LONGEST_VARIABLE_BYTES = 5;

    private final ObjectOrdinals ordinals = new ObjectOrdinals();
    private byte[] bytes = new byte[256];
    private int at;
    private @Nullable DataVector data;
    private final @Nullable ClassShape[] classes = new ClassShape[FEW_CLASSES];
    private final Map<ClassShape, Integer> moreClasses = new HashMap<>();
    private int classCount;
    /** Saves a look-up where one class follows the other; a string at rest, lest a program's class is kept. */
    private ClassShape lastShape = ClassShape.STRING;

    private static VarHandle view(Class<?> arrays) {
        return MethodHandles.byteArrayViewVarHandle(arrays, ByteOrder.LITTLE_ENDIAN);
    }

    void write(@Nullable Object[] elements, int count, OutputStream header, DataVector vector) throws IOException {
        data = vector;
        at = 0;
        putByte((byte) PlainGraphCodec.FORMAT);
        for (int i = 0; i < count; i++) {
            putValue(elements[i]);
        }
        header.write(bytes, 0, at);
        data = null;
        lastShape = ClassShape.STRING;
        ordinals.clear();
        Arrays.fill(classes, 0, Math.min(classCount, FEW_CLASSES), null);
        if (classCount > FEW_CLASSES) {
            moreClasses.clear();
        }
        classCount = 0;
        if (bytes.length > MOST_KEPT_BYTES) {
            bytes = new byte[256];
        }
    }

    /** Writes an object, or that it was written before. */
    void putValue(@Nullable Object object) {
        if (object == null) {
            putByte((byte) GraphTag.NULL);
            return;
        }
        Class<?> type = object.getClass();
        ClassShape shape = lastShape;
        if (shape.type != type) {
            shape = ClassShape.of(type);
            lastShape = shape;
        }
        if (shape.kind == ClassShape.Kind.ENUM) {
            putByte((byte) GraphTag.ENUM);
            putClass(shape);
            putText(((Enum<?>) object).name());
            return;
        }
        int ordinal = ordinals.ordinalOrAdd(object);
        if (ordinal >= 0) {
            putByte((byte) GraphTag.REFERENCE);
            putLength(ordinal);
            return;
        }
        putNew(object, shape);
    }

    private void putNew(Object object, ClassShape shape) {
        switch (shape.kind) {
            case STRING -> putText((String) object);
            case INTEGER -> {
                putByte((byte) GraphTag.INTEGER);
                putInt((Integer) object);
            }
            case LONG -> {
                putByte((byte) GraphTag.LONG);
                putLong((Long) object);
            }
            case DOUBLE -> {
                putByte((byte) GraphTag.DOUBLE);
                putDouble((Double) object);
            }
            case FLOAT -> {
                putByte((byte) GraphTag.FLOAT);
                putFloat((Float) object);
            }
            case SHORT -> {
                putByte((byte) GraphTag.SHORT);
                putShort((Short) object);
            }
            case BYTE -> {
                putByte((byte) GraphTag.BYTE);
                putByte((Byte) object);
            }
            case CHARACTER -> {
                putByte((byte) GraphTag.CHARACTER);
                putChar((Character) object);
            }
            case BOOLEAN -> putByte((byte) ((Boolean) object ? GraphTag.TRUE : GraphTag.FALSE));
            case LIST -> putList((List<?>) object);
            case MAP -> putMap((Map<?, ?>) object);
            case PRIMITIVES -> putPrimitives(object, shape);
            case ARRAY -> putArray((Object[]) object, shape);
            case OBJECT, RECORD -> {
                putByte((byte) (shape.kind == ClassShape.Kind.OBJECT ? GraphTag.OBJECT : GraphTag.RECORD));
                putClass(shape);
                shape.write(this, object);
            }
            case ENUM, REFUSED -> throw new RefusedException(shape.type);
        }
    }

    private void putList(List<?> list) {
        putByte((byte) GraphTag.LIST);
        int size = list.size();
        putLength(size);
        for (int i = 0; i < size; i++) {
            putValue(list.get(i));
        }
    }

    private void putMap(Map<?, ?> map) {
        putByte((byte) GraphTag.MAP);
        putLength(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            Object key = entry.getKey();
            if (key != null && !ClassShape.of(key.getClass()).hashesByValue()) {
                // the program's hashCode would run while the map is rebuilt, on what is there by then
                throw new RefusedException(key.getClass());
            }
            putValue(key);
            putValue(entry.getValue());
        }
    }

    private void putPrimitives(Object array, ClassShape shape) {
        putByte((byte) GraphTag.PRIMITIVES);
        putByte((byte) shape.base().code());
        putLength(java.lang.reflect.Array.getLength(array));
        DataVector vector = data;
        if (vector == null) {
            throw new IllegalStateException("no graph is being written");
        }
        try {
            vector.add(array);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void putArray(Object[] array, ClassShape shape) {
        putByte((byte) GraphTag.ARRAY);
        putClass(shape);
        putLength(array.length);
        for (Object element : array) {
            putValue(element);
        }
    }

    @SuppressWarnings("ReferenceEquality") // there is one shape for a class
    private void putClass(ClassShape shape) {
        int known = Math.min(classCount, FEW_CLASSES);
        for (int i = 0; i < known; i++) {
            if (classes[i] == shape) {
                putLength(i);
                return;
            }
        }
        if (classCount >= FEW_CLASSES) {
            Integer number = moreClasses.putIfAbsent(shape, classCount);
            if (number != null) {
                putLength(number);
                return;
            }
        } else {
            classes[classCount] = shape;
        }
        putLength(classCount++);
        putLength(shape.name.length);
        int from = take(shape.name.length);
        System.arraycopy(shape.name, 0, bytes, from, shape.name.length);
        putLong(shape.fingerprint);
    }

    private void putText(String text) {
        int length = text.length();
        int begin = at;
        putByte((byte) GraphTag.LATIN);
        putLength(length);
        int from = take(length);
        byte[] target = bytes;
        int all = 0;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            all |= c;
            target[from + i] = (byte) c;
        }
        if (all > 0xFF) {
            at = begin;
            putByte((byte) GraphTag.WIDE);
            putLength(length);
            int wide = take(Math.multiplyExact(length, Character.BYTES));
            for (int i = 0; i < length; i++) {
                CHARS.set(bytes, wide + i * Character.BYTES, text.charAt(i));
            }
        }
    }

    private void putLength(int length) {
        int left = length;
        int from = take(LONGEST_VARIABLE_BYTES);
        while (left > 0x7F) {
            bytes[from++] = (byte) (left | 0x80);
            left >>>= 7;
        }
        bytes[from++] = (byte) left;
        at = from;
    }

    void putByte(byte value) {
        int from = take(Byte.BYTES);
        bytes[from] = value;
    }

    void putBoolean(boolean value) {
        int from = take(Byte.BYTES);
        bytes[from] = (byte) (value ? 1 : 0);
    }

    void putShort(short value) {
        int from = take(Short.BYTES);
        SHORTS.set(bytes, from, value);
    }

    void putChar(char value) {
        int from = take(Character.BYTES);
        CHARS.set(bytes, from, value);
    }

    void putInt(int value) {
        int from = take(Integer.BYTES);
        INTS.set(bytes, from, value);
    }

    void putLong(long value) {
        int from = take(Long.BYTES);
        LONGS.set(bytes, from, value);
    }

    void putFloat(float value) {
        int from = take(Float.BYTES);
        FLOATS.set(bytes, from, value);
    }

    void putDouble(double value) {
        int from = take(Double.BYTES);
        DOUBLES.set(bytes, from, value);
    }

    /** Room for so many bytes; may replace the array. */
    private int take(int count) {
        int from = at;
        if (count > bytes.length - from) {
            bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(from, count), (int)
                    Math.min(Integer.MAX_VALUE - 16L, bytes.length * 2L)));
        }
        at = from + count;
        return from;
    }
}
