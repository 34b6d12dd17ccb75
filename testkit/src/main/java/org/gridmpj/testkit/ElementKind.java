package org.gridmpj.testkit;

import java.lang.reflect.Array;
import java.util.random.RandomGenerator;
import org.gridmpj.datatype.BaseType;

/**
 * The element types of messages with arbitrary values. Floating-point values are small whole numbers, so that sums and
 * products are exact whatever their order.
 */
enum ElementKind {
    BYTE(BaseType.BYTE, byte.class),
    CHAR(BaseType.CHAR, char.class),
    SHORT(BaseType.SHORT, short.class),
    BOOLEAN(BaseType.BOOLEAN, boolean.class),
    INT(BaseType.INT, int.class),
    LONG(BaseType.LONG, long.class),
    FLOAT(BaseType.FLOAT, float.class),
    DOUBLE(BaseType.DOUBLE, double.class),
    /** Strings and nulls. */
    OBJECT(BaseType.OBJECT, Object.class);

    private final BaseType base;
    private final Class<?> component;

    ElementKind(BaseType base, Class<?> component) {
        this.base = base;
        this.component = component;
    }

    BaseType base() {
        return base;
    }

    Object array(int length, RandomGenerator random) {
        Object array = Array.newInstance(component, length);
        for (int i = 0; i < length; i++) {
            Array.set(array, i, value(random));
        }
        return array;
    }

    private Object value(RandomGenerator random) {
        return switch (this) {
            case BYTE -> (byte) random.nextInt();
            case CHAR -> (char) random.nextInt();
            case SHORT -> (short) random.nextInt();
            case BOOLEAN -> random.nextBoolean();
            case INT -> random.nextInt();
            case LONG -> random.nextLong();
            case FLOAT -> (float) random.nextInt(-2, 3);
            case DOUBLE -> (double) random.nextInt(-2, 3);
            case OBJECT -> Integer.toString(random.nextInt(1000), 36);
        };
    }
}
