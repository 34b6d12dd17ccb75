package org.gridmpj.checkpoint;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How often snapshots are taken: the argument of {@code --checkpoint}, as it stands in GRIDMPJ_CHECKPOINT.
 */
public sealed interface CheckpointInterval {
    /** Never. */
    record Off() implements CheckpointInterval {}

    /** That long after the one before. */
    record Every(long nanos) implements CheckpointInterval {}

    /** By the measured stall and the expected time between failures. */
    record Auto() implements CheckpointInterval {}

    /**
     * Reads {@code off} or nothing, {@code auto}, or a duration: {@code 500ms}, {@code 1s}, {@code 1.5m}, {@code 2h}; a
     * bare number counts seconds.
     *
     * @throws IllegalArgumentException with a message for people
     */
    static CheckpointInterval parse(String spec) {
        String text = spec.strip();
        if (text.isEmpty() || text.equals("off")) {
            return new Off();
        }
        if (text.equals("auto")) {
            return new Auto();
        }
        Matcher matcher =
                Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(ms|s|m|h)?").matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "\"" + spec + "\" is no checkpoint interval: write off, auto, or a duration such as 500ms, 1s, 2m");
        }
        String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        double unitNanos = switch (unit) {
            case "ms" -> 1e6;
            case "m" -> 60e9;
            case "h" -> 3600e9;
            default -> 1e9;
        };
        return new Every((long) (Double.parseDouble(matcher.group(1)) * unitNanos));
    }
}
