package org.gridmpj.capture.heap;

import java.io.File;
import java.net.URI;
import java.net.URL;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Values whose inside depends on the system or the JDK, and which a text says completely; so that an image can go to
 * another JDK build and operating system.
 */
final class TextForms {
    /** Class of the JDK, how its text is got, and how a value is made of it. */
    private record Form<T>(Class<T> type, Function<T, String> text, Function<String, ? extends T> value) {
        String of(Object object) {
            return text.apply(type.cast(object));
        }
    }

    private static final List<Form<?>> FORMS = List.of(
            new Form<>(Charset.class, Charset::name, Charset::forName),
            new Form<>(Locale.class, Locale::toLanguageTag, Locale::forLanguageTag),
            new Form<>(
                    Pattern.class,
                    pattern -> flags(pattern) + ":" + pattern.pattern(),
                    text -> Pattern.compile(
                            text.substring(text.indexOf(':') + 1),
                            Integer.parseInt(text.substring(0, text.indexOf(':'))))),
            new Form<>(Path.class, Path::toString, Path::of),
            new Form<>(File.class, File::getPath, File::new),
            new Form<>(URI.class, URI::toString, URI::create),
            new Form<>(URL.class, URL::toString, TextForms::url),
            new Form<>(ZoneId.class, ZoneId::getId, ZoneId::of));

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long PATTERN_FLAGS = UNSAFE.objectFieldOffset(Pattern.class, "flags");

    private TextForms() {}

    /** What it was compiled with: Pattern.flags() has those that the expression itself switches, too. */
    private static int flags(Pattern pattern) {
        return UNSAFE.getInt(pattern, PATTERN_FLAGS);
    }

    private static URL url(String text) {
        try {
            return URI.create(text).toURL();
        } catch (java.net.MalformedURLException e) {
            throw new IllegalArgumentException(
                    "the image has a URL of a protocol that this process does not know: " + text, e);
        }
    }

    /** Number of the form that an object has, or −1. */
    static int formOf(Object object) {
        for (int i = 0; i < FORMS.size(); i++) {
            if (FORMS.get(i).type().isInstance(object) && JdkConstants.isOfTheProcess(object.getClass())) {
                return i;
            }
        }
        return -1;
    }

    static String text(int form, Object object) {
        return FORMS.get(form).of(object);
    }

    /** The value, or null if there is no such form. */
    static @Nullable Object value(int form, String text) {
        return form < 0 || form >= FORMS.size() ? null : FORMS.get(form).value().apply(text);
    }
}
