package org.gridmpj.codec.kryo;

import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/**
 * What the JDK offers to libraries of serialization, {@code sun.reflect.ReflectionFactory} (module jdk.unsupported): a
 * class's own methods of serialization and its serial fields, whatever its package is open to. Everything is null where a
 * JVM does not offer it.
 */
final class SerialHooks {
    private static final MethodType WRITE = MethodType.methodType(void.class, Object.class, ObjectOutputStream.class);
    private static final MethodType READ = MethodType.methodType(void.class, Object.class, ObjectInputStream.class);
    private static final MethodType REPLACE = MethodType.methodType(Object.class, Object.class);

    private SerialHooks() {}

    private static @Nullable Object ask(String method, Class<?> type) {
        try {
            Class<?> factory = Class.forName("sun.reflect.ReflectionFactory");
            Object one = factory.getMethod("getReflectionFactory").invoke(null);
            Method answer = factory.getMethod(method, Class.class);
            return answer.invoke(one, type);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    private static @Nullable MethodHandle handle(String method, Class<?> type, MethodType as) {
        return ask(method, type) instanceof MethodHandle handle ? handle.asType(as) : null;
    }

    /** A class's writeObject, (Object, ObjectOutputStream)void. */
    static @Nullable MethodHandle writeObject(Class<?> type) {
        return handle("writeObjectForSerialization", type, WRITE);
    }

    /** A class's readObject, (Object, ObjectInputStream)void. */
    static @Nullable MethodHandle readObject(Class<?> type) {
        return handle("readObjectForSerialization", type, READ);
    }

    /** Puts a class's serial fields into putFields(), (Object, ObjectOutputStream)void. */
    static @Nullable MethodHandle writeFields(Class<?> type) {
        return handle("defaultWriteObjectForSerialization", type, WRITE);
    }

    /** Sets a class's serial fields from readFields(), (Object, ObjectInputStream)void. */
    static @Nullable MethodHandle readFields(Class<?> type) {
        return handle("defaultReadObjectForSerialization", type, READ);
    }

    /** (Object)Object. */
    static @Nullable MethodHandle writeReplace(Class<?> type) {
        return handle("writeReplaceForSerialization", type, REPLACE);
    }

    /** (Object)Object. */
    static @Nullable MethodHandle readResolve(Class<?> type) {
        return handle("readResolveForSerialization", type, REPLACE);
    }

    /** Makes an instance as java.io does: the constructor of the first superclass that is not Serializable runs. */
    static @Nullable Constructor<?> constructor(Class<?> type) {
        return (Constructor<?>) ask("newConstructorForSerialization", type);
    }
}
