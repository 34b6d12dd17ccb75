package org.gridmpj.capture.frames;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * The static fields of the program's classes, as plain data. The agent has put a guard at the head of each static
 * initialiser: it tells that the class is being initialised, and leaves the initialiser out where the fields come from a
 * snapshot. Static initialisers of enums run always: their constants are those of this process.
 *
 * <p>Thread-safe: classes are initialised by any thread.
 */
public final class ProgramStatics {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final StackWalker WALKER = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    /** In the order of their initialisation, by binary name. Guarded by itself. */
    private static final Map<String, Class<?>> INITIALIZED = new LinkedHashMap<>();

    /** Loaded classes with static fields and without an initialiser, by binary name. Guarded by itself. */
    private static final Map<String, @Nullable ClassLoader> PLAIN = new TreeMap<>();

    /** Fields that hold the offset of another one, by binary name and field. */
    private static final Map<String, Offset> OFFSETS = new ConcurrentHashMap<>();

    @SuppressWarnings("NonFinalStaticField") // set once, when the process resumes
    private static volatile Set<String> skipped = Set.of();

    private record Offset(String owner, String field) {}

    private ProgramStatics() {}

    /** Called at the head of a static initialiser: whether it is to be left out. */
    public static boolean initializing() {
        Class<?> type = WALKER.getCallerClass();
        synchronized (INITIALIZED) {
            INITIALIZED.put(type.getName(), type);
        }
        return (!type.isEnum() && skipped.contains(type.getName())) || Initialization.isCalled(type.getName());
    }

    /** Whether a class that is initialised now gets its fields from an image. */
    static boolean isSkipped(String name) {
        return skipped.contains(name);
    }

    /** Called by the agent when it loads a class with static fields and without an initialiser. */
    public static void loaded(@Nullable ClassLoader loader, String name) {
        synchronized (PLAIN) {
            PLAIN.put(name, loader);
        }
    }

    /** Called by the agent: a static field holds the offset of an instance field, which is another one in each process. */
    public static void offset(String name, String holder, String owner, String field) {
        OFFSETS.put(name + "." + holder, new Offset(owner, field));
    }

    /** Names of the classes whose initialisers are not to run again in a process that resumes from here. */
    public static String[] initialized() {
        synchronized (INITIALIZED) {
            return INITIALIZED.keySet().toArray(String[]::new);
        }
    }

    /** To be called in a fresh process before anything of the image is read: it loads and initialises classes. */
    public static void skipInitializers(Collection<String> names) {
        skipped = Set.copyOf(names);
    }

    /** Forgets what is known of classes; for tests that load a program again. */
    static void reset() {
        synchronized (INITIALIZED) {
            INITIALIZED.clear();
        }
        synchronized (PLAIN) {
            PLAIN.clear();
        }
        skipped = Set.of();
        Initialization.reset();
    }

    /** For each class: name, names of the fields, their values. */
    static Object[] plain() {
        List<Object> all = new ArrayList<>();
        for (Class<?> type : classes()) {
            Field[] fields = fields(type);
            if (fields.length > 0) {
                String[] names = Arrays.stream(fields).map(Field::getName).toArray(String[]::new);
                Object[] values = new Object[fields.length];
                for (int i = 0; i < fields.length; i++) {
                    values[i] = get(fields[i]);
                }
                all.add(new Object[] {type.getName(), names, values});
            }
        }
        return all.toArray();
    }

    /** Initialises the classes, without their initialisers, and sets their fields. */
    static void restore(Object[] plain, ClassLoader loader) {
        for (Object each : plain) {
            Object[] ofClass = (Object[]) each;
            String name = (String) ofClass[0];
            String[] names = (String[]) ofClass[1];
            Object[] values = (Object[]) ofClass[2];
            try {
                Class<?> type = Class.forName(name, true, loader);
                for (int i = 0; i < names.length; i++) {
                    Offset offset = OFFSETS.get(name + "." + names[i]);
                    set(
                            type.getDeclaredField(names[i]),
                            offset == null
                                    ? values[i]
                                    : (Object) UNSAFE.objectFieldOffset(
                                            Class.forName(offset.owner(), false, loader), offset.field()));
                }
            } catch (ReflectiveOperationException | ClassCastException e) {
                throw new OtherProgramException(
                        "static fields of " + name + " are not those of the program that the snapshot was taken of: "
                                + e,
                        e);
            }
        }
    }

    private static List<Class<?>> classes() {
        List<Class<?>> all;
        synchronized (INITIALIZED) {
            all = new ArrayList<>(INITIALIZED.values());
        }
        synchronized (PLAIN) {
            PLAIN.forEach((name, loader) -> {
                try {
                    all.add(Class.forName(name, false, loader));
                } catch (ClassNotFoundException e) {
                    // it was being loaded and was refused: it has no fields
                }
            });
        }
        return all;
    }

    private static Field[] fields(Class<?> type) {
        return Arrays.stream(type.getDeclaredFields())
                .filter(field -> Modifier.isStatic(field.getModifiers()))
                .filter(field -> !type.isEnum()
                        || !(field.isEnumConstant() || field.getName().equals("$VALUES")))
                .toArray(Field[]::new);
    }

    private static @Nullable Object get(Field field) {
        Object base = UNSAFE.staticFieldBase(field);
        long offset = UNSAFE.staticFieldOffset(field);
        return switch (field.getType().descriptorString().charAt(0)) {
            case 'Z' -> UNSAFE.getBoolean(base, offset);
            case 'B' -> UNSAFE.getByte(base, offset);
            case 'C' -> UNSAFE.getChar(base, offset);
            case 'S' -> UNSAFE.getShort(base, offset);
            case 'I' -> UNSAFE.getInt(base, offset);
            case 'J' -> UNSAFE.getLong(base, offset);
            case 'F' -> UNSAFE.getFloat(base, offset);
            case 'D' -> UNSAFE.getDouble(base, offset);
            default -> UNSAFE.getReference(base, offset);
        };
    }

    private static void set(Field field, Object value) {
        Object base = UNSAFE.staticFieldBase(field);
        long offset = UNSAFE.staticFieldOffset(field);
        switch (field.getType().descriptorString().charAt(0)) {
            case 'Z' -> UNSAFE.putBoolean(base, offset, (Boolean) value);
            case 'B' -> UNSAFE.putByte(base, offset, (Byte) value);
            case 'C' -> UNSAFE.putChar(base, offset, (Character) value);
            case 'S' -> UNSAFE.putShort(base, offset, (Short) value);
            case 'I' -> UNSAFE.putInt(base, offset, (Integer) value);
            case 'J' -> UNSAFE.putLong(base, offset, (Long) value);
            case 'F' -> UNSAFE.putFloat(base, offset, (Float) value);
            case 'D' -> UNSAFE.putDouble(base, offset, (Double) value);
            default -> UNSAFE.putReference(base, offset, value);
        }
    }
}
