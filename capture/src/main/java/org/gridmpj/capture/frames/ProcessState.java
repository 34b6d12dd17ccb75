package org.gridmpj.capture.frames;

import java.io.InputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TimeZone;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * What a program may set for all of its JVM: the standard streams, system properties, the default locales and time zone,
 * the default handler of uncaught exceptions. In an image it is plain data:
 *
 * <pre>
 *   {streams InputStream, PrintStream, PrintStream, each null if the program has the one that it began with,
 *    properties String[] {name, value, …} (set or changed), String[] (removed),
 *    locales Locale[3], time zone or null if nobody has asked for it, handler or null, time of the program Long}
 * </pre>
 */
public final class ProcessState {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    @SuppressWarnings("NonFinalStaticField") // of the program that runs in this process
    private static volatile @Nullable Beginning beginning;

    /** How long the program was in images only; of the one that runs in this process. */
    @SuppressWarnings("NonFinalStaticField")
    private static volatile long awayMillis;

    private ProcessState() {}

    /** What there was when the program began. */
    public record Beginning(
            InputStream in,
            PrintStream out,
            PrintStream err,
            Map<String, String> properties,
            Thread.@Nullable UncaughtExceptionHandler handler) {}

    /** The program is about to begin. */
    public static void programBegins() {
        beginning = now();
    }

    /** The wall clock's, without the time that the program was in images only. */
    static long programMillis() {
        return System.currentTimeMillis() - awayMillis;
    }

    public static Beginning beginning() {
        Beginning known = beginning;
        return known == null ? now() : known;
    }

    private static Beginning now() {
        return new Beginning(
                System.in, System.out, System.err, properties(), Thread.getDefaultUncaughtExceptionHandler());
    }

    /** Those with names and values that are texts; others are the program's own matter. */
    private static Map<String, String> properties() {
        Properties all = System.getProperties();
        Map<String, String> texts = new HashMap<>();
        all.stringPropertyNames().forEach(name -> texts.put(name, all.getProperty(name)));
        return texts;
    }

    /** As it is, for an image. */
    public static Object[] plain() {
        Beginning before = beginning();
        Map<String, String> properties = properties();
        List<String> changed = new ArrayList<>();
        properties.forEach((name, value) -> {
            if (!value.equals(before.properties().get(name))) {
                changed.add(name);
                changed.add(value);
            }
        });
        List<String> removed = new ArrayList<>(before.properties().keySet());
        removed.removeAll(properties.keySet());
        return new Object[] {
            unless(System.in, before.in()),
            unless(System.out, before.out()),
            unless(System.err, before.err()),
            changed.toArray(new String[0]),
            removed.toArray(new String[0]),
            new Locale[] {
                Locale.getDefault(),
                Locale.getDefault(Locale.Category.DISPLAY),
                Locale.getDefault(Locale.Category.FORMAT)
            },
            timeZone(),
            unless(Thread.getDefaultUncaughtExceptionHandler(), before.handler()),
            programMillis()
        };
    }

    @SuppressWarnings("ReferenceEquality") // the very stream
    private static @Nullable Object unless(@Nullable Object now, @Nullable Object before) {
        return now == before ? null : now;
    }

    /** Asked for by the field: to find out what it is takes a process longer than most snapshots do. */
    private static @Nullable Object timeZone() {
        try {
            return UNSAFE.getReference(
                    TimeZone.class, UNSAFE.staticFieldOffset(TimeZone.class.getDeclaredField("defaultTimeZone")));
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException(
                    "this JDK does not show the default time zone: it is another than JDK 25", e);
        }
    }

    /** Sets it as it was. */
    public static void restore(Object[] plain) {
        awayMillis = System.currentTimeMillis() - (Long) plain[8];
        if (plain[0] != null) {
            System.setIn((InputStream) plain[0]);
        }
        if (plain[1] != null) {
            System.setOut((PrintStream) plain[1]);
        }
        if (plain[2] != null) {
            System.setErr((PrintStream) plain[2]);
        }
        String[] changed = (String[]) plain[3];
        for (int i = 0; i < changed.length; i += 2) {
            String _ = System.setProperty(changed[i], changed[i + 1]);
        }
        for (String name : (String[]) plain[4]) {
            String _ = System.clearProperty(name);
        }
        Locale[] locales = (Locale[]) plain[5];
        Locale.setDefault(locales[0]);
        Locale.setDefault(Locale.Category.DISPLAY, locales[1]);
        Locale.setDefault(Locale.Category.FORMAT, locales[2]);
        if (plain[6] != null) {
            TimeZone.setDefault((TimeZone) plain[6]);
        }
        if (plain[7] != null) {
            Thread.setDefaultUncaughtExceptionHandler((Thread.UncaughtExceptionHandler) plain[7]);
        }
    }
}
