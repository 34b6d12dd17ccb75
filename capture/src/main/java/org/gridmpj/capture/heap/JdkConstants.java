package org.gridmpj.capture.heap;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Objects in static final fields of classes that are not the program's: sentinels that are compared by identity, shared
 * empty collections, comparators. Each process has its own; in an image they are the name of their field. The fields of a
 * class become known when an instance of it, or of a class nested beside it, is met.
 */
final class JdkConstants {
    private final IdentityHashMap<Object, Field> fields = new IdentityHashMap<>();
    private final Set<Class<?>> known = new HashSet<>();
    private final Set<Class<?>> valueClasses = new HashSet<>();

    /** Whether a class has statics of its own in each process: the JDK's and GridMPJ's. */
    static boolean isOfTheProcess(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        if (loader == null || loader.equals(ClassLoader.getPlatformClassLoader())) {
            return true;
        }
        String name = type.getName();
        return (name.startsWith("org.gridmpj.") && !name.startsWith("org.gridmpj.capture.samples."))
                || name.startsWith("mpi.")
                || name.startsWith("mpj.");
    }

    /** Learns the constants of a class, its superclasses and the class around it. */
    void meet(Class<?> type) {
        for (Class<?> level = type; level != null && isOfTheProcess(level); level = level.getSuperclass()) {
            if (!known.add(level)) {
                return;
            }
            learn(level);
            Class<?> host = level.getNestHost();
            if (known.add(host)) {
                learn(host);
            }
        }
    }

    private void learn(Class<?> type) {
        if (type.getName().startsWith("java.lang.") && type.getName().indexOf('.', 10) < 0 && !type.isInterface()) {
            // System, Thread and the like: what they hold is no constant
            return;
        }
        for (Field field : type.getDeclaredFields()) {
            if (Modifier.isStatic(field.getModifiers())
                    && Modifier.isFinal(field.getModifiers())
                    && !field.getType().isPrimitive()
                    && field.trySetAccessible()) {
                try {
                    Object value = field.get(null);
                    if (value != null && !(value instanceof String) && !(value instanceof Enum<?>)) {
                        fields.putIfAbsent(value, field);
                        valueClasses.add(value.getClass());
                    }
                } catch (IllegalAccessException | LinkageError e) {
                    // then it is no constant that the program can have got
                }
            }
        }
    }

    /** Grows whenever a constant of another class is learned. */
    int versions() {
        return valueClasses.size();
    }

    boolean hasOneOf(Class<?> type) {
        return valueClasses.contains(type);
    }

    @Nullable
    Field of(Object object) {
        return fields.get(object);
    }

    static Object value(String className, String fieldName, ClassLoader loader) throws ReflectiveOperationException {
        Field field = Class.forName(className, true, loader).getDeclaredField(fieldName);
        field.setAccessible(true);
        Object value = field.get(null);
        if (value == null) {
            throw new NoSuchFieldException(className + "." + fieldName + " is null in this process");
        }
        return value;
    }
}
