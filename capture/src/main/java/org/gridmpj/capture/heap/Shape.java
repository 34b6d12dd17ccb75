package org.gridmpj.capture.heap;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.misc.Unsafe;

/**
 * The instance fields of a class and its superclasses, outermost superclass first, in the order of their names: the order
 * that the class file or the JVM has does not matter. Those of Thread are left out: {@link ThreadForm}.
 *
 * @param type the class
 * @param names {@code Declaring.field}, for messages and for the check that reader and writer agree
 * @param kinds the first character of each field's descriptor, L for arrays too, A for what {@link ArrayOffsets} says
 * @param offsets where each lies
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Shape(Class<?> type, String[] names, char[] kinds, long[] offsets) {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    /** Not a table: that would ask classes for hash codes before they have those of an image. */
    private static final ClassValue<Shape> SHAPES = new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
            return compute(type);
        }
    };

    static Shape of(Class<?> type) {
        return SHAPES.get(type);
    }

    /** Where a field of that name lies, in an object of the JDK. */
    static long offset(Object object, String name) {
        Shape shape = of(object.getClass());
        int field = shape.find(name);
        if (field < 0) {
            throw new IllegalStateException("this JDK's " + object.getClass().getName() + " has no field " + name);
        }
        return shape.offsets[field];
    }

    /** Number of the field of that name, or −1. */
    int find(String name) {
        return List.of(names).indexOf(name);
    }

    private static Shape compute(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> level = type; level != null && level != Thread.class; level = level.getSuperclass()) {
            List<Field> own = new ArrayList<>();
            for (Field field : level.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    own.add(field);
                }
            }
            own.sort((a, b) -> a.getName().compareTo(b.getName()));
            fields.addAll(0, own);
        }
        int count = fields.size();
        String[] names = new String[count];
        char[] kinds = new char[count];
        long[] offsets = new long[count];
        for (int i = 0; i < count; i++) {
            Field field = fields.get(i);
            names[i] = field.getDeclaringClass().getSimpleName() + "." + field.getName();
            char kind = field.getType().descriptorString().charAt(0);
            kinds[i] = kind == '[' ? 'L' : ArrayOffsets.isOne(field) ? 'A' : kind;
            offsets[i] = UNSAFE.objectFieldOffset(field);
        }
        return new Shape(type, names, kinds, offsets);
    }

    /** What reader and writer must agree on. */
    String signature() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < names.length; i++) {
            text.append(kinds[i]).append(names[i]).append(';');
        }
        return text.toString();
    }
}
