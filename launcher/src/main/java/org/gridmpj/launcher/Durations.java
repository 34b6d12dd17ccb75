package org.gridmpj.launcher;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as people write them: {@code 500ms}, {@code 1s}, {@code 1.5m}, {@code 2h}; a bare number is seconds. */
public final class Durations {
    private static final Pattern FORM = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(ms|s|m|min|h)?");

    private Durations() {}

    /** The time of a text; throws {@link UserError} naming the option otherwise, and for zero. */
    public static Duration of(String option, String text) {
        Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (matcher.matches()) {
            double factorMillis = switch (matcher.group(2) == null ? "s" : matcher.group(2)) {
                case "ms" -> 1;
                case "s" -> 1000;
                case "h" -> 3_600_000;
                default -> 60_000;
            };
            double millis = Double.parseDouble(matcher.group(1)) * factorMillis;
            if (millis >= 1 && millis < 1e14) {
                return Duration.ofMillis(Math.round(millis));
            }
        }
        throw UserError.usage(option + " wants a time such as 500ms, 30s, 5m or 2h, not \"" + text + "\"");
    }

    /** Seconds with one digit after the point. */
    public static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    /** A time for people: {@code 1 s}, {@code 0.5 s}, {@code 90 s}. */
    public static String words(Duration duration) {
        double seconds = duration.toMillis() / 1e3;
        return seconds == Math.rint(seconds) ? (long) seconds + " s" : seconds + " s";
    }
}
