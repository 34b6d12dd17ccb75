package org.gridmpj.codec.kryo;

import java.io.Externalizable;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.gridmpj.datatype.BaseType;
import org.jspecify.annotations.Nullable;
import org.objenesis.instantiator.ObjectInstantiator;

/**
 * How {@link PlainGraphCodec} writes objects of a class, one instance per class. The fields of a class are moved by
 * method handles that were put together from their accessors, which the JVM compiles as if they had been written by
 * hand. Immutable.
 */
final class ClassShape {
    /** What a class is to the codec. */
    enum Kind {
        STRING,
        INTEGER,
        LONG,
        DOUBLE,
        FLOAT,
        SHORT,
        BYTE,
        CHARACTER,
        BOOLEAN,
        LIST,
        MAP,
        PRIMITIVES,
        ARRAY,
        OBJECT,
        ENUM,
        RECORD,
        REFUSED
    }

    private static final Map<Class<?>, Kind> SIMPLE = Map.ofEntries(
            Map.entry(String.class, Kind.STRING),
            Map.entry(Integer.class, Kind.INTEGER),
            Map.entry(Long.class, Kind.LONG),
            Map.entry(Double.class, Kind.DOUBLE),
            Map.entry(Float.class, Kind.FLOAT),
            Map.entry(Short.class, Kind.SHORT),
            Map.entry(Byte.class, Kind.BYTE),
            Map.entry(Character.class, Kind.CHARACTER),
            Map.entry(Boolean.class, Kind.BOOLEAN),
            Map.entry(ArrayList.class, Kind.LIST),
            Map.entry(HashMap.class, Kind.MAP));

    /** Fields in one handle: the JVM compiles no method of any length. */
    private static final int GROUP = 24;

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private static final ClassValue<ClassShape> SHAPES = new ClassValue<>() {
        @Override
        protected ClassShape computeValue(Class<?> type) {
            return new ClassShape(type);
        }
    };

    /** Of strings. */
    static final ClassShape STRING = of(String.class);

    final Class<?> type;
    final Kind kind;
    /** Of the class, UTF-8. */
    final byte[] name;
    /** To be the same at both ends. */
    final long fingerprint;

    private final @Nullable BaseType base;
    private final @Nullable ObjectInstantiator<?> instantiator;
    /** (GraphWriter, Object)void each. */
    private final MethodHandle[] writers;
    /** OBJECT: (GraphReader, Object)void each. RECORD: (GraphReader, Object[])void each. */
    private final MethodHandle[] readers;
    /** (Object[])Object */
    private final @Nullable MethodHandle constructor;

    private final int componentCount;

    private ClassShape(Class<?> type) {
        this.type = type;
        name = type.getName().getBytes(StandardCharsets.UTF_8);
        PlainClass plain = null;
        List<Field> components = null;
        Kind found = SIMPLE.get(type);
        if (found == null && type.isArray()) {
            found = type.getComponentType().isPrimitive() ? Kind.PRIMITIVES : Kind.ARRAY;
        } else if (found == null && Enum.class.isAssignableFrom(type)) {
            found = Kind.ENUM;
        } else if (found == null && type.isRecord()) {
            components = componentsOf(type);
        } else if (found == null) {
            plain = PlainClass.of(type);
        }
        try {
            base = found == Kind.PRIMITIVES ? baseOf(type) : null;
            if (plain != null) {
                kind = Kind.OBJECT;
                fingerprint = plain.fingerprint();
                instantiator = plain.instantiator();
                writers = writersOf(plain.fields());
                readers = readersOf(plain.fields());
                constructor = null;
                componentCount = 0;
            } else if (components != null) {
                kind = Kind.RECORD;
                fingerprint = fingerprint(components);
                instantiator = null;
                writers = writersOf(components);
                readers = componentReaders(components);
                constructor = constructorOf(type);
                componentCount = components.size();
            } else {
                kind = found == null ? Kind.REFUSED : found;
                fingerprint = 0;
                instantiator = null;
                writers = new MethodHandle[0];
                readers = writers;
                constructor = null;
                componentCount = 0;
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " changed while it was looked at", e);
        }
    }

    static ClassShape of(Class<?> type) {
        return SHAPES.get(type);
    }

    /** Whether hashCode depends on nothing but the object's value, and no code of the program runs for it. */
    boolean hashesByValue() {
        return switch (kind) {
            case STRING, INTEGER, LONG, DOUBLE, FLOAT, SHORT, BYTE, CHARACTER, BOOLEAN -> true;
            case LIST, MAP, PRIMITIVES, ARRAY, OBJECT, ENUM, RECORD, REFUSED -> false;
        };
    }

    /** The elements of an array of primitives. */
    BaseType base() {
        if (base == null) {
            throw new IllegalStateException(type + " is no array of primitives");
        }
        return base;
    }

    /** Writes all fields. */
    void write(GraphWriter writer, Object object) {
        try {
            for (MethodHandle group : writers) {
                group.invokeExact(writer, object);
            }
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    Object newInstance() {
        if (instantiator == null) {
            throw new IllegalStateException("no instances of " + type);
        }
        return instantiator.newInstance();
    }

    /** Reads all fields. */
    void read(GraphReader reader, Object object) {
        try {
            for (MethodHandle group : readers) {
                group.invokeExact(reader, object);
            }
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /** Reads all components and makes a record by its canonical constructor. */
    Object readRecord(GraphReader reader) {
        if (constructor == null) {
            throw new IllegalStateException(type + " is no record");
        }
        @Nullable Object[] components = new Object[componentCount];
        try {
            for (MethodHandle group : readers) {
                group.invokeExact(reader, components);
            }
        } catch (Throwable e) {
            throw unchecked(e);
        }
        try {
            return constructor.invokeExact(components);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new RefusedRecordException(type, e);
        }
    }

    private static RuntimeException unchecked(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }

    private static BaseType baseOf(Class<?> type) {
        for (BaseType base : BaseType.values()) {
            if (base.arrayClass() == type) {
                return base;
            }
        }
        throw new IllegalArgumentException(type.getName());
    }

    /** The fields of a record that java.io treats by its rules for records alone; null for others. */
    private static @Nullable List<Field> componentsOf(Class<?> type) {
        if (!Serializable.class.isAssignableFrom(type)
                || Externalizable.class.isAssignableFrom(type)
                || type.isHidden()
                || type.getClassLoader() == null
                || type.getName().startsWith("java.")) {
            return null;
        }
        for (Method method : type.getDeclaredMethods()) {
            if (Set.of("writeReplace", "readResolve").contains(method.getName())) {
                return null;
            }
        }
        try {
            List<Field> fields = new ArrayList<>();
            for (RecordComponent component : type.getRecordComponents()) {
                Field field = type.getDeclaredField(component.getName());
                field.setAccessible(true);
                fields.add(field);
            }
            canonical(type).setAccessible(true);
            return fields;
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            return null;
        }
    }

    private static Constructor<?> canonical(Class<?> type) throws NoSuchMethodException {
        return type.getDeclaredConstructor(Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new));
    }

    private static MethodHandle constructorOf(Class<?> type) throws ReflectiveOperationException {
        Constructor<?> canonical = canonical(type);
        canonical.setAccessible(true);
        return LOOKUP.unreflectConstructor(canonical)
                .asFixedArity()
                .asSpreader(Object[].class, canonical.getParameterCount())
                .asType(MethodType.methodType(Object.class, Object[].class));
    }

    private static long fingerprint(List<Field> components) {
        long hash = 1;
        for (Field field : components) {
            hash = hash * 31 + field.getName().hashCode();
            hash = hash * 31 + field.getType().getName().hashCode();
        }
        return hash;
    }

    private static MethodHandle[] writersOf(List<Field> fields) throws ReflectiveOperationException {
        List<MethodHandle> parts = new ArrayList<>();
        for (Field field : fields) {
            Class<?> moved = moved(field.getType());
            MethodHandle put = LOOKUP.findVirtual(
                    GraphWriter.class, "put" + suffix(moved), MethodType.methodType(void.class, moved));
            MethodHandle get = LOOKUP.unreflectGetter(field).asType(MethodType.methodType(moved, Object.class));
            parts.add(MethodHandles.filterArguments(put, 1, get));
        }
        return grouped(parts);
    }

    private static MethodHandle[] readersOf(List<Field> fields) throws ReflectiveOperationException {
        List<MethodHandle> parts = new ArrayList<>();
        for (Field field : fields) {
            Class<?> moved = moved(field.getType());
            MethodHandle set =
                    LOOKUP.unreflectSetter(field).asType(MethodType.methodType(void.class, Object.class, moved));
            MethodHandle fill = MethodHandles.filterArguments(set, 1, getter(moved));
            parts.add(MethodHandles.permuteArguments(
                    fill, MethodType.methodType(void.class, GraphReader.class, Object.class), 1, 0));
        }
        return grouped(parts);
    }

    private static MethodHandle[] componentReaders(List<Field> fields) throws ReflectiveOperationException {
        List<MethodHandle> parts = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            MethodHandle get = getter(moved(fields.get(i).getType()));
            MethodHandle boxed = get.asType(MethodType.methodType(Object.class, GraphReader.class));
            MethodHandle set = MethodHandles.insertArguments(MethodHandles.arrayElementSetter(Object[].class), 1, i);
            MethodHandle fill = MethodHandles.filterArguments(set, 1, boxed);
            parts.add(MethodHandles.permuteArguments(
                    fill, MethodType.methodType(void.class, GraphReader.class, Object[].class), 1, 0));
        }
        return grouped(parts);
    }

    private static MethodHandle getter(Class<?> moved) throws ReflectiveOperationException {
        return LOOKUP.findVirtual(GraphReader.class, "get" + suffix(moved), MethodType.methodType(moved));
    }

    private static Class<?> moved(Class<?> field) {
        return field.isPrimitive() ? field : Object.class;
    }

    private static String suffix(Class<?> moved) {
        if (moved == Object.class) {
            return "Value";
        }
        String lower = moved.getName();
        return Character.toUpperCase(lower.charAt(0)) + lower.substring(1);
    }

    /** Parts that run one after the other in one handle, in groups. */
    private static MethodHandle[] grouped(List<MethodHandle> parts) {
        List<MethodHandle> groups = new ArrayList<>();
        for (int from = 0; from < parts.size(); from += GROUP) {
            int end = Math.min(parts.size(), from + GROUP);
            MethodHandle all = parts.get(end - 1);
            for (int i = end - 2; i >= from; i--) {
                all = MethodHandles.foldArguments(all, parts.get(i));
            }
            groups.add(all);
        }
        return groups.toArray(MethodHandle[]::new);
    }
}
