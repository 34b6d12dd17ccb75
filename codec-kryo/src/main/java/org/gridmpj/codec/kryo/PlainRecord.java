package org.gridmpj.codec.kryo;

import java.io.Externalizable;
import java.io.InvalidObjectException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A Serializable record that java.io would treat by its rules for records alone (Java Object Serialization
 * Specification, 1.13): its fields are written as they are, whatever its accessors say, and it is made by its canonical
 * constructor; readObject, writeObject and serialVersionUID mean nothing. With writeReplace or readResolve it is left to
 * java.io.
 *
 * @param fields in java.io's order: primitives first, then by name. The order decides which references to a record that
 *     is not made yet are null
 * @param positions of the fields among the parameters of the constructor
 * @param canonical its constructor, accessible
 * @param fingerprint of the fields, to be the same at both ends
 */
record PlainRecord(
        Class<?> type, List<Field> fields, List<Integer> positions, Constructor<?> canonical, long fingerprint) {
    private static final ClassValue<Verdict> VERDICTS = new ClassValue<>() {
        @Override
        protected Verdict computeValue(Class<?> type) {
            return new Verdict(examine(type));
        }
    };

    /** ClassValue keeps no nulls. */
    private record Verdict(@Nullable PlainRecord plain) {}

    /** What is known of a record, or null if a class is none or not plain. */
    static @Nullable PlainRecord of(Class<?> type) {
        return VERDICTS.get(type).plain();
    }

    /** What is thrown instead of what the constructor has thrown: java.io's. */
    static RuntimeException refused(Class<?> type, @Nullable Throwable cause) {
        InvalidObjectException refused =
                new InvalidObjectException("the constructor of " + type.getName() + " refused it: " + cause);
        refused.initCause(cause);
        return new UncheckedIOException(refused);
    }

    private static @Nullable PlainRecord examine(Class<?> type) {
        if (!type.isRecord()
                || !Serializable.class.isAssignableFrom(type)
                || Externalizable.class.isAssignableFrom(type)
                || type.isHidden()
                || PlainClass.isOfTheJdk(type)
                || PlainClass.declares(type, Set.of("writeReplace", "readResolve"))) {
            return null;
        }
        RecordComponent[] components = type.getRecordComponents();
        List<Integer> positions = IntStream.range(0, components.length)
                .boxed()
                .sorted(Comparator.comparing(
                                (Integer i) -> !components[i].getType().isPrimitive())
                        .thenComparing(i -> components[i].getName()))
                .toList();
        try {
            Constructor<?> canonical = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            canonical.setAccessible(true);
            Field[] fields = new Field[components.length];
            for (int i = 0; i < fields.length; i++) {
                fields[i] = type.getDeclaredField(components[positions.get(i)].getName());
                fields[i].setAccessible(true);
            }
            return new PlainRecord(type, List.of(fields), positions, canonical, fingerprint(type, fields));
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            return null;
        }
    }

    private static long fingerprint(Class<?> type, Field[] fields) {
        long hash = type.getName().hashCode();
        for (Field field : fields) {
            hash = hash * 31 + field.getName().hashCode();
            hash = hash * 31 + field.getType().getName().hashCode();
        }
        return hash;
    }
}
