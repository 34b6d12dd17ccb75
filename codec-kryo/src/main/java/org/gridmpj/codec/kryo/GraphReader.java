package org.gridmpj.codec.kryo;

import java.io.IOException;
import java.io.InvalidClassException;
import java.io.StreamCorruptedException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.DataVector;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds the graphs of {@link PlainGraphCodec}; see {@link GraphTag}. Belongs to a class loader. Reused; one thread at a
 * time.
 */
final class GraphReader {
    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle CHARS = view(char[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);
    private static final VarHandle FLOATS = view(float[].class);
    private static final VarHandle DOUBLES = view(double[].class);
    private static final byte[] NOTHING = {};
    private static final int MOST_KEPT = 1 << 14;

    final ClassLoader loader;
    private byte[] bytes = NOTHING;
    private int at;
    private int end;
    private @Nullable DataVector data;
    /** By ordinal; null while it is being made. */
    private @Nullable Object[] known = new Object[64];

    private int knownCount;
    /** By number; from classCount on those of an earlier message, which are likely to come again. */
    private @Nullable ClassShape[] classes = new ClassShape[16];

    private int classCount;
    private final Map<String, ClassShape> byName = new HashMap<>();

    GraphReader(ClassLoader loader) {
        this.loader = loader;
    }

    private static VarHandle view(Class<?> arrays) {
        return MethodHandles.byteArrayViewVarHandle(arrays, ByteOrder.LITTLE_ENDIAN);
    }

    void read(byte[] header, int offset, int length, @Nullable Object[] elements, int count, DataVector vector)
            throws IOException {
        bytes = header;
        at = offset;
        end = offset + length;
        data = vector;
        int format = getByte();
        if (format != PlainGraphCodec.FORMAT) {
            throw new StreamCorruptedException("the sender's object codec is of format " + format + ", this rank's of "
                    + PlainGraphCodec.FORMAT + ": give every rank the same jars");
        }
        for (int i = 0; i < count; i++) {
            elements[i] = getValue();
        }
        if (at != end) {
            throw new StreamCorruptedException("the header is longer than its elements");
        }
        bytes = NOTHING;
        data = null;
        if (known.length > MOST_KEPT) {
            known = new Object[64];
        } else {
            Arrays.fill(known, 0, knownCount, null);
        }
        knownCount = 0;
        classCount = 0;
    }

    /** The next object. */
    @Nullable
    Object getValue() {
        int tag = getByte();
        return switch (tag) {
            case GraphTag.NULL -> null;
            case GraphTag.REFERENCE -> {
                int ordinal = getLength();
                if (ordinal >= knownCount) {
                    throw corrupt("reference to object " + ordinal + " of " + knownCount);
                }
                yield known[ordinal];
            }
            case GraphTag.LATIN -> remember(latin());
            case GraphTag.WIDE -> remember(wide());
            case GraphTag.INTEGER -> remember(getInt());
            case GraphTag.LONG -> remember(getLong());
            case GraphTag.DOUBLE -> remember(getDouble());
            case GraphTag.FLOAT -> remember(getFloat());
            case GraphTag.SHORT -> remember(getShort());
            case GraphTag.BYTE -> remember(getByte());
            case GraphTag.CHARACTER -> remember(getChar());
            case GraphTag.TRUE -> remember(true);
            case GraphTag.FALSE -> remember(false);
            case GraphTag.LIST -> list();
            case GraphTag.MAP -> map();
            case GraphTag.PRIMITIVES -> primitives();
            case GraphTag.ARRAY -> array(shape(ClassShape.Kind.ARRAY));
            case GraphTag.OBJECT -> object(shape(ClassShape.Kind.OBJECT));
            case GraphTag.ENUM -> constant(shape(ClassShape.Kind.ENUM));
            case GraphTag.RECORD -> record(shape(ClassShape.Kind.RECORD));
            default -> throw corrupt("tag " + tag);
        };
    }

    private Object remember(Object object) {
        // the array may be replaced first
        int ordinal = nextOrdinal();
        known[ordinal] = object;
        return object;
    }

    private int nextOrdinal() {
        if (knownCount == known.length) {
            known = Arrays.copyOf(known, knownCount * 2);
        }
        return knownCount++;
    }

    private Object object(ClassShape shape) {
        Object object = remember(shape.newInstance());
        shape.read(this, object);
        return object;
    }

    private Object record(ClassShape shape) {
        // what refers to a record before it is made gets null, as with java.io
        int ordinal = nextOrdinal();
        Object made = shape.readRecord(this);
        known[ordinal] = made;
        return made;
    }

    private Object list() {
        int size = getCount();
        List<Object> list = new ArrayList<>(size);
        remember(list);
        for (int i = 0; i < size; i++) {
            list.add(getValue());
        }
        return list;
    }

    private Object map() {
        int size = getCount();
        // the capacity that java.io gives it, since the order of iteration depends on it
        HashMap<Object, Object> map = new HashMap<>(size == 0 ? 16 : Math.max(16, (int) (size / 0.75f + 1.0f)));
        remember(map);
        for (int i = 0; i < size; i++) {
            Object key = getValue();
            if (key != null && !ClassShape.of(key.getClass()).hashesByValue()) {
                throw corrupt("a " + key.getClass().getName() + " as key");
            }
            map.put(key, getValue());
        }
        return map;
    }

    private Object primitives() {
        int code = getByte();
        int length = getLength();
        DataVector vector = data;
        if (vector == null || code < 1 || code > BaseType.DOUBLE.code()) {
            throw corrupt("array of " + code);
        }
        BaseType base = BaseType.of(code);
        try {
            vector.require(base, length);
            Object array = Array.newInstance(base.arrayClass().getComponentType(), length);
            vector.add(array);
            return remember(array);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Object array(ClassShape shape) {
        int length = getCount();
        @Nullable Object[] array = (Object[]) Array.newInstance(shape.type.getComponentType(), length);
        remember(array);
        for (int i = 0; i < length; i++) {
            array[i] = getValue();
        }
        return array;
    }

    private Object constant(ClassShape shape) {
        int tag = getByte();
        if (tag != GraphTag.LATIN && tag != GraphTag.WIDE) {
            throw corrupt("tag " + tag + " for the name of a constant");
        }
        String name = tag == GraphTag.LATIN ? latin() : wide();
        Class<?> type = shape.type.isEnum() ? shape.type : shape.type.getSuperclass();
        Object[] constants = type.getEnumConstants();
        if (constants != null) {
            for (Object constant : constants) {
                if (((Enum<?>) constant).name().equals(name)) {
                    return constant;
                }
            }
        }
        throw new UncheckedIOException(
                new InvalidClassException(type.getName(), "the enum has no constant " + name + " on this rank"));
    }

    private ClassShape shape(ClassShape.Kind kind) {
        int number = getLength();
        if (number > classCount) {
            throw corrupt("class " + number + " of " + classCount);
        }
        ClassShape shape = number < classCount ? classes[number] : nextShape();
        if (shape == null || shape.kind != kind) {
            throw corrupt((shape == null ? "a class" : shape.type.getName()) + " as " + kind);
        }
        return shape;
    }

    private ClassShape nextShape() {
        int length = getCount();
        int from = take(length);
        if (classCount == classes.length) {
            classes = Arrays.copyOf(classes, classCount * 2);
        }
        ClassShape shape = classes[classCount];
        if (shape == null || !Arrays.equals(shape.name, 0, shape.name.length, bytes, from, from + length)) {
            shape = find(new String(bytes, from, length, StandardCharsets.UTF_8));
            classes[classCount] = shape;
        }
        classCount++;
        if (getLong() != shape.fingerprint) {
            throw new UncheckedIOException(new InvalidClassException(
                    shape.type.getName(),
                    "the class differs between sender and receiver: give every rank the same class path"));
        }
        return shape;
    }

    private ClassShape find(String name) {
        ClassShape shape = byName.get(name);
        if (shape == null) {
            try {
                shape = ClassShape.of(Class.forName(name, false, loader));
            } catch (ClassNotFoundException e) {
                throw new TypeNotPresentException(name, e);
            } catch (LinkageError e) {
                throw corrupt("class " + name + ": " + e);
            }
            byName.put(name, shape);
        }
        return shape;
    }

    private String latin() {
        int length = getCount();
        return new String(bytes, take(length), length, StandardCharsets.ISO_8859_1);
    }

    private String wide() {
        int length = getCount();
        if (length > (end - at) / Character.BYTES) {
            throw corrupt("a text of " + length);
        }
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = getChar();
        }
        return new String(text);
    }

    /** A length of things that take a byte each at least. */
    private int getCount() {
        int count = getLength();
        if (count > end - at) {
            throw corrupt("length " + count + ", but " + (end - at) + " bytes are left");
        }
        return count;
    }

    private int getLength() {
        int length = 0;
        for (int shift = 0; shift < 35; shift += 7) {
            int b = getByte();
            length |= (b & 0x7F) << shift;
            if (b >= 0) {
                if (length < 0) {
                    throw corrupt("length " + length);
                }
                return length;
            }
        }
        throw corrupt("a length has too many bytes");
    }

    byte getByte() {
        return bytes[take(Byte.BYTES)];
    }

    boolean getBoolean() {
        return bytes[take(Byte.BYTES)] != 0;
    }

    short getShort() {
        return (short) SHORTS.get(bytes, take(Short.BYTES));
    }

    char getChar() {
        return (char) CHARS.get(bytes, take(Character.BYTES));
    }

    int getInt() {
        return (int) INTS.get(bytes, take(Integer.BYTES));
    }

    long getLong() {
        return (long) LONGS.get(bytes, take(Long.BYTES));
    }

    float getFloat() {
        return (float) FLOATS.get(bytes, take(Float.BYTES));
    }

    double getDouble() {
        return (double) DOUBLES.get(bytes, take(Double.BYTES));
    }

    private int take(int count) {
        int from = at;
        if (count > end - from) {
            throw corrupt("it ends too early");
        }
        at = from + count;
        return from;
    }

    private static UncheckedIOException corrupt(String what) {
        return new UncheckedIOException(new StreamCorruptedException("not an object graph of this codec: " + what));
    }
}
