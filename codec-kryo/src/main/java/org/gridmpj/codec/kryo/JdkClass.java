package org.gridmpj.codec.kryo;

import java.io.Externalizable;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A Serializable class of the JDK that is written and read by its own writeObject and readObject, as java.io would call them,
 * on streams into Kryo ({@link SerialHooks}): so the result is java.io's. Listed one by one: none runs the program's code
 * while it is read (see {@link Content}), and none looks into an array of primitives, which is filled only later.
 *
 * @param type the class
 * @param form the class in whose form it is written: its own, or that of what writeReplace gives
 * @param content what its writeObject writes
 * @param levels the Serializable classes of form with something to write, superclasses first
 * @param constructor of form
 * @param fingerprint to be the same at both ends
 */
record JdkClass(
        Class<?> type,
        Class<?> form,
        Content content,
        List<Level> levels,
        Constructor<?> constructor,
        @Nullable MethodHandle writeReplace,
        @Nullable MethodHandle readResolve,
        long fingerprint) {
    /** What a class writes. */
    enum Content {
        /** Numbers and strings, or a value of which nothing refers back. Its own arrays are within its fields. */
        VALUE,
        /** Any objects: they are stored as they come. */
        REFERENCES,
        /** Objects that are asked for hash codes, or compared, while they are read: only such as {@link Keys}. */
        KEYS,
        /** Keys and values in turn. */
        ENTRIES,
        /** The same, and fields that are of no use. */
        ENTRIES_WITHOUT_FIELDS
    }

    /**
     * One class of those that form consists of.
     *
     * @param writer its writeObject, or what puts its fields
     * @param reader its readObject, or what sets its fields
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Level(
            ObjectStreamField[] fields,
            MethodHandle writer,
            MethodHandle reader,
            MethodHandle fieldWriter,
            MethodHandle fieldReader) {}

    private static final Map<String, Content> LISTED = listed();

    private static Map<String, Content> listed() {
        Map<String, Content> listed = new HashMap<>();
        list(listed, Content.VALUE, "java.", "util.BitSet", "time.ZonedDateTime", "time.ZoneRegion");
        list(listed, Content.VALUE, "java.util.concurrent.atomic.", "AtomicInteger", "AtomicLong", "AtomicBoolean");
        list(listed, Content.REFERENCES, "java.util.concurrent.", "atomic.AtomicReference", "CopyOnWriteArrayList");
        list(listed, Content.REFERENCES, "java.util.", "Vector", "Stack", "Arrays$ArrayList");
        list(listed, Content.REFERENCES, "java.util.", "EnumMap", "RegularEnumSet", "JumboEnumSet");
        list(listed, Content.REFERENCES, "java.util.AbstractMap$", "SimpleEntry", "SimpleImmutableEntry");
        list(listed, Content.KEYS, "java.util.ImmutableCollections$", "Set12", "SetN");
        list(listed, Content.ENTRIES, "java.util.ImmutableCollections$", "Map1", "MapN");
        list(listed, Content.KEYS, "java.util.", "HashSet", "LinkedHashSet");
        list(listed, Content.ENTRIES, "java.util.", "Hashtable");
        list(listed, Content.ENTRIES_WITHOUT_FIELDS, "java.util.concurrent.", "ConcurrentHashMap");
        String views = "java.util.Collections$";
        list(listed, Content.REFERENCES, views, "EmptyList", "EmptySet", "EmptyMap", "SingletonList");
        list(listed, Content.REFERENCES, views, "SingletonSet", "SingletonMap", "SetFromMap");
        // a synchronized list refers to itself before it is resolved
        list(listed, Content.REFERENCES, views + "Unmodifiable", "List", "RandomAccessList");
        for (String view : List.of("Unmodifiable", "Synchronized")) {
            list(listed, Content.REFERENCES, views + view, "Collection", "Set", "SortedSet", "NavigableSet");
            list(listed, Content.REFERENCES, views + view, "Map", "SortedMap", "NavigableMap");
        }
        list(listed, Content.REFERENCES, views, "ReverseComparator", "ReverseComparator2");
        list(listed, Content.REFERENCES, "java.", "lang.String$CaseInsensitiveComparator");
        list(listed, Content.REFERENCES, "java.util.", "Comparators$NullComparator");
        return listed;
    }

    private static void list(Map<String, Content> listed, Content content, String prefix, String... names) {
        for (String name : names) {
            listed.put(prefix + name, content);
        }
    }

    private static final ClassValue<Verdict> VERDICTS = new ClassValue<>() {
        @Override
        protected Verdict computeValue(Class<?> type) {
            return new Verdict(examine(type));
        }
    };

    /** ClassValue keeps no nulls. */
    private record Verdict(@Nullable JdkClass listed) {}

    /** What is known of a class, or null if it is not listed or this JVM does not lend its methods. */
    static @Nullable JdkClass of(Class<?> type) {
        return VERDICTS.get(type).listed();
    }

    /** Whether a class's instances become others while they are read, so that nothing can refer to them before. */
    boolean isResolved() {
        return readResolve != null;
    }

    private static @Nullable JdkClass examine(Class<?> type) {
        Content content = type.getClassLoader() == null ? LISTED.get(type.getName()) : null;
        if (content == null) {
            return null;
        }
        MethodHandle writeReplace = SerialHooks.writeReplace(type);
        Class<?> form = writeReplace == null ? type : formOf(type);
        Constructor<?> constructor = form == null ? null : SerialHooks.constructor(form);
        if (form == null || constructor == null) {
            return null;
        }
        List<Level> levels = new ArrayList<>();
        long fingerprint = 1;
        for (Class<?> one : externalized(form) ? List.<Class<?>>of() : serializableLevels(form)) {
            ObjectStreamClass stream = ObjectStreamClass.lookup(one);
            ObjectStreamField[] fields = stream.getFields();
            fingerprint = fingerprint * 31 + stream.getSerialVersionUID();
            for (ObjectStreamField field : fields) {
                fingerprint = fingerprint * 31 + field.getName().hashCode();
                fingerprint = fingerprint * 31 + field.getType().getName().hashCode();
            }
            MethodHandle writer = SerialHooks.writeObject(one);
            MethodHandle reader = SerialHooks.readObject(one);
            MethodHandle fieldWriter = SerialHooks.writeFields(one);
            MethodHandle fieldReader = SerialHooks.readFields(one);
            if (writer == null && reader == null && fields.length == 0) {
                continue;
            }
            if (fieldWriter == null || fieldReader == null) {
                // serial fields that are no fields: of use to writeObject and readObject alone
                if (writer == null || reader == null) {
                    return null;
                }
                fieldWriter = writer;
                fieldReader = reader;
            }
            levels.add(new Level(
                    fields,
                    writer == null ? fieldWriter : writer,
                    reader == null ? fieldReader : reader,
                    fieldWriter,
                    fieldReader));
        }
        return new JdkClass(
                type,
                form,
                content,
                List.copyOf(levels),
                constructor,
                writeReplace,
                SerialHooks.readResolve(form),
                fingerprint);
    }

    private static boolean externalized(Class<?> form) {
        return Externalizable.class.isAssignableFrom(form);
    }

    private static List<Class<?>> serializableLevels(Class<?> form) {
        List<Class<?>> levels = new ArrayList<>();
        for (Class<?> level = form;
                level != null && Serializable.class.isAssignableFrom(level);
                level = level.getSuperclass()) {
            levels.add(0, level);
        }
        return levels;
    }

    /** What writeReplace makes; checked again with each object. */
    private static @Nullable Class<?> formOf(Class<?> type) {
        String name = type.getName();
        String form = name.startsWith("java.time.")
                ? "java.time.Ser"
                : name.startsWith("java.util.ImmutableCollections$")
                        ? "java.util.CollSer"
                        : name.endsWith("EnumSet")
                                ? "java.util.EnumSet$SerializationProxy"
                                : name.replace("RandomAccessList", "List");
        try {
            return Class.forName(form, false, null);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }
}
