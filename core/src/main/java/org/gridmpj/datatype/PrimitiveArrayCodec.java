package org.gridmpj.datatype;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Arrays of primitives of any depth ({@code float[N][N]} as N OBJECTs), without java.io: the header holds lengths only.
 *
 * <pre>
 *   token  NULL | REFERENCE ordinal | NEW base dimensions length | LIKE length | SAME | RUN count
 * </pre>
 *
 * NEW names the type of an element of the message; LIKE has the type of the element before it (or, for a row, the type
 * that its array demands); SAME has its length too; RUN stands for so many SAME, where these are
 * arrays of primitives that are not empty. Arrays of arrays are followed by their rows. Ordinals count arrays
 * in the order of their appearance.
 */
final class PrimitiveArrayCodec implements ObjectCodec {
    static final int ID = 2;

    private static final BaseType[] BASES = BaseType.values();

    static final int NULL = 0;
    static final int REFERENCE = 1;
    static final int NEW = 2;
    static final int LIKE = 3;
    static final int SAME = 4;
    static final int RUN = 5;

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
    public boolean handles(@Nullable Object[] elements, int from, int count) {
        Class<?> known = null;
        for (int i = 0; i < count; i++) {
            Object element = elements[from + i];
            if (element == null || element.getClass() == known) {
                continue;
            }
            known = element.getClass();
            if (!known.isArray() || DIMENSIONS.get(known) == 0) {
                return false;
            }
        }
        return known != null;
    }

    @Override
    public boolean write(@Nullable Object[] elements, int from, int count, SerializationBuffer header, DataVector data)
            throws IOException {
        IdentityOrdinals ordinals = data.ordinals();
        ordinals.begin();
        try {
            new ArrayGraphWriter(header, data, ordinals).elements(elements, from, count);
        } finally {
            ordinals.end();
        }
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
            throws IOException {
        new ArrayGraphReader(header, offset, length, data).elements(elements, from, count);
    }

    /** Dimensions of an array type of primitives; 0 for other classes. */
    static int dimensionsOf(Class<?> type) {
        return DIMENSIONS.get(type);
    }

    /** The base type of a primitive class. */
    static BaseType baseOf(Class<?> primitive) {
        for (BaseType base : BASES) {
            if (base.arrayClass().getComponentType() == primitive) {
                return base;
            }
        }
        throw new IllegalArgumentException(primitive.getName());
    }
}
