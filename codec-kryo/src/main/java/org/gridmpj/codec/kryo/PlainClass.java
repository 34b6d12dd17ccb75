package org.gridmpj.codec.kryo;

import java.io.Externalizable;
import java.io.InvalidClassException;
import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A Serializable class that java.io would treat by its default rules alone: no writeObject, readObject, writeReplace,
 * readResolve, Externalizable or serialPersistentFields in it or above it; no record, enum, proxy or lambda; not of the
 * JDK. Then its fields, one after the other, are all that there is, and the result is java.io's (Java Object
 * Serialization Specification, chapters 2 and 3): transient fields come back as 0 or null, and the constructor of the
 * first superclass that is not Serializable runs.
 *
 * @param type the class
 * @param fields its non-static, non-transient fields, those of superclasses first, by name within a class
 * @param constructor makes instances as java.io makes them ({@link SerialHooks#constructor})
 * @param fingerprint of serialVersionUID and fields, to be the same at both ends
 */
record PlainClass(Class<?> type, List<Field> fields, Constructor<?> constructor, long fingerprint) {
    private static final Set<String> HOOKS =
            Set.of("writeObject", "readObject", "readObjectNoData", "writeReplace", "readResolve");
    /** From this version on the JDK warns of reflection that sets final fields (JEP 500). */
    private static final int FINAL_MEANS_FINAL = 26;

    private static final ClassValue<Verdict> VERDICTS = new ClassValue<>() {
        @Override
        protected Verdict computeValue(Class<?> type) {
            return new Verdict(examine(type));
        }
    };

    /** ClassValue keeps no nulls. */
    private record Verdict(@Nullable PlainClass plain) {}

    /** What is known of a class, or null if it is not plain. */
    static @Nullable PlainClass of(Class<?> type) {
        return VERDICTS.get(type).plain();
    }

    /** A new instance by a class's {@link #constructor}. */
    static Object make(Constructor<?> constructor) {
        try {
            return constructor.newInstance((Object[]) null);
        } catch (ReflectiveOperationException e) {
            InvalidClassException refused = new InvalidClassException(
                    constructor.getDeclaringClass().getName(), "unable to create instance: " + e.getCause());
            refused.initCause(e);
            throw new UncheckedIOException(refused);
        }
    }

    private static @Nullable PlainClass examine(Class<?> type) {
        if (!Serializable.class.isAssignableFrom(type)
                || Externalizable.class.isAssignableFrom(type)
                || type.isRecord()
                || type.isArray()
                || type.isInterface()
                || type.isHidden()
                || Enum.class.isAssignableFrom(type)
                || Proxy.isProxyClass(type)
                || Throwable.class.isAssignableFrom(type)
                || isOfTheJdk(type)) {
            return null;
        }
        List<Class<?>> levels = new ArrayList<>();
        Class<?> level = type;
        while (level != null && Serializable.class.isAssignableFrom(level)) {
            if (isOfTheJdk(level) || isHooked(level)) {
                return null;
            }
            levels.add(0, level);
            level = level.getSuperclass();
        }
        if (level == null || !canConstruct(type, level)) {
            return null;
        }
        for (Class<?> above = level; above != null && above != Object.class; above = above.getSuperclass()) {
            if (declares(above, Set.of("writeReplace", "readResolve"))) {
                return null;
            }
        }
        List<Field> fields = new ArrayList<>();
        for (Class<?> one : levels) {
            if (!addFields(one, fields)) {
                return null;
            }
        }
        Constructor<?> constructor = SerialHooks.constructor(type);
        return constructor == null
                ? null
                : new PlainClass(type, List.copyOf(fields), constructor, fingerprint(levels, fields));
    }

    @SuppressWarnings("ReferenceEquality") // loaders are the same or not
    static boolean isOfTheJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null
                || loader == ClassLoader.getPlatformClassLoader()
                || type.getName().startsWith("java.");
    }

    private static boolean isHooked(Class<?> type) {
        if (declares(type, HOOKS)) {
            return true;
        }
        return Arrays.stream(type.getDeclaredFields())
                .anyMatch(field -> field.getName().equals("serialPersistentFields"));
    }

    static boolean declares(Class<?> type, Set<String> names) {
        for (Method method : type.getDeclaredMethods()) {
            if (names.contains(method.getName())) {
                return true;
            }
        }
        return false;
    }

    /** Whether java.io would find a constructor of the first superclass that is not Serializable. */
    @SuppressWarnings("ReferenceEquality") // loaders are the same or not
    private static boolean canConstruct(Class<?> type, Class<?> superclass) {
        if (Modifier.isAbstract(type.getModifiers())) {
            return false;
        }
        try {
            Constructor<?> constructor = superclass.getDeclaredConstructor();
            int modifiers = constructor.getModifiers();
            return Modifier.isPublic(modifiers)
                    || Modifier.isProtected(modifiers)
                    || (!Modifier.isPrivate(modifiers)
                            && superclass.getPackageName().equals(type.getPackageName())
                            && superclass.getClassLoader() == type.getClassLoader());
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    private static boolean addFields(Class<?> level, List<Field> fields) {
        Field[] declared = level.getDeclaredFields();
        Arrays.sort(declared, Comparator.comparing(Field::getName));
        for (Field field : declared) {
            int modifiers = field.getModifiers();
            if (Modifier.isStatic(modifiers) || Modifier.isTransient(modifiers)) {
                continue;
            }
            if (Modifier.isFinal(modifiers) && Runtime.version().feature() >= FINAL_MEANS_FINAL) {
                return false;
            }
            try {
                field.setAccessible(true);
            } catch (InaccessibleObjectException e) {
                return false;
            }
            fields.add(field);
        }
        return true;
    }

    private static long fingerprint(List<Class<?>> levels, List<Field> fields) {
        long hash = 1;
        for (Class<?> level : levels) {
            hash = hash * 31 + ObjectStreamClass.lookup(level).getSerialVersionUID();
            hash = hash * 31 + level.getName().hashCode();
        }
        for (Field field : fields) {
            hash = hash * 31 + field.getName().hashCode();
            hash = hash * 31 + field.getType().getName().hashCode();
        }
        return hash;
    }
}
