package org.gridmpj.pt2pt;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A deep copy of plain data with its identities, tokens replaced: what an image does, without the bytes. Knows the few JDK
 * classes that the engine's state has, and refuses all others.
 */
final class PlainCopy {
    private final IdentityHashMap<Object, Object> copies = new IdentityHashMap<>();
    private static final Map<Class<?>, Constructor<?>> CONSTRUCTORS = new ConcurrentHashMap<>();
    private static final Map<Class<?>, List<Field>> FIELDS = new ConcurrentHashMap<>();

    /** An object of the one process is the other one's. */
    PlainCopy token(Object from, Object to) {
        copies.put(from, to);
        return this;
    }

    @Nullable
    Object copy(@Nullable Object object) {
        if (object == null || isValue(object)) {
            return object;
        }
        Object known = copies.get(object);
        if (known != null) {
            return known;
        }
        try {
            return copyNew(object);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("cannot copy a " + object.getClass(), e);
        }
    }

    private static boolean isValue(Object object) {
        return object instanceof String
                || (object instanceof Number && !(object instanceof AtomicLong) && !(object instanceof AtomicInteger))
                || object instanceof Boolean
                || object instanceof Character
                || object instanceof Enum<?>
                || object instanceof Class<?>;
    }

    private Object copyNew(Object object) throws ReflectiveOperationException {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            int length = Array.getLength(object);
            Object copy = Array.newInstance(type.getComponentType(), length);
            copies.put(object, copy);
            if (type.getComponentType().isPrimitive()) {
                System.arraycopy(object, 0, copy, 0, length);
            } else {
                for (int i = 0; i < length; i++) {
                    Array.set(copy, i, copy(Array.get(object, i)));
                }
            }
            return copy;
        }
        if (object instanceof AtomicLong number) {
            return put(object, new AtomicLong(number.get()));
        }
        if (object instanceof AtomicInteger number) {
            return put(object, new AtomicInteger(number.get()));
        }
        if (object instanceof AtomicReference<?> reference) {
            AtomicReference<Object> copy = new AtomicReference<>();
            copies.put(object, copy);
            copy.set(copy(reference.get()));
            return copy;
        }
        if (object instanceof Map<?, ?> map && type.getName().startsWith("java.util.")) {
            Map<Object, Object> copy =
                    map instanceof ConcurrentHashMap ? new ConcurrentHashMap<>() : new LinkedHashMap<>();
            copies.put(object, copy);
            map.forEach((key, value) -> copy.put(copy(key), copy(value)));
            return copy;
        }
        if (object instanceof Collection<?> collection && type.getName().startsWith("java.util.")) {
            Collection<Object> copy = object instanceof List<?> ? new ArrayList<>() : new ArrayDeque<>();
            copies.put(object, copy);
            collection.forEach(each -> copy.add(copy(each)));
            return copy;
        }
        if (!type.getName().startsWith("org.gridmpj.")) {
            throw new AssertionError("the engine's state has a " + type);
        }
        if (type.isRecord()) {
            RecordComponent[] components = type.getRecordComponents();
            Class<?>[] types = new Class<?>[components.length];
            Object[] values = new Object[components.length];
            for (int i = 0; i < components.length; i++) {
                types[i] = components[i].getType();
                components[i].getAccessor().setAccessible(true);
                values[i] = copy(components[i].getAccessor().invoke(object));
            }
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return put(object, constructor.newInstance(values));
        }
        Object copy = CONSTRUCTORS
                .computeIfAbsent(type, PlainCopy::withoutConstructor)
                .newInstance();
        copies.put(object, copy);
        for (Field field : FIELDS.computeIfAbsent(type, PlainCopy::fields)) {
            field.set(copy, copy(field.get(object)));
        }
        return copy;
    }

    private Object put(Object object, Object copy) {
        copies.put(object, copy);
        return copy;
    }

    private static Constructor<?> withoutConstructor(Class<?> type) {
        try {
            // by name: the compiler warns of this class, for which there is no other
            Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
            Object made = factory.getMethod("getReflectionFactory").invoke(null);
            return (Constructor<?>) factory.getMethod("newConstructorForSerialization", Class.class, Constructor.class)
                    .invoke(made, type, Object.class.getDeclaredConstructor());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no object can be made without its constructor", e);
        }
    }

    private static List<Field> fields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> declaring = type; declaring != Object.class; declaring = declaring.getSuperclass()) {
            for (Field field : declaring.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    fields.add(field);
                }
            }
        }
        return fields;
    }
}
