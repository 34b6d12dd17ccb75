package org.gridmpj.checkpoint;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How fast a rank may write its images. */
public record WriteRate(long bytesPerSecond) {
    /** The variable that a rank learns it from. */
    public static final String VARIABLE = "GRIDMPJ_CHECKPOINT_RATE";

    private static final Pattern TEXT = Pattern.compile("(\\d{1,12})([KMG]?)B?(?:/s)?");

    /** As fast as the disk takes it. */
    static final WriteRate UNLIMITED = new WriteRate(Long.MAX_VALUE);

    public WriteRate {
        if (bytesPerSecond <= 0) {
            throw new IllegalArgumentException("a rate is at least 1 byte per second");
        }
    }

    /**
     * Reads a rate such as 20M: bytes per second, with K, M or G for 2¹⁰, 2²⁰, 2³⁰.
     *
     * @throws IllegalArgumentException saying what is wanted
     */
    public static WriteRate parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches() || Long.parseLong(parts.group(1)) == 0) {
            throw new IllegalArgumentException("\"" + text + "\" is no rate: it wants bytes per second, e.g. 20M");
        }
        int shift = switch (parts.group(2)) {
            case "K" -> 10;
            case "M" -> 20;
            case "G" -> 30;
            default -> 0;
        };
        return new WriteRate(Long.parseLong(parts.group(1)) << shift);
    }

    /** Not by equals, whose code the JVM makes when it is first called, which is while a program comes back from its first snapshot. */
    boolean isUnlimited() {
        return bytesPerSecond == UNLIMITED.bytesPerSecond;
    }

    /** The rate of this process; none where the variable is not set. */
    static WriteRate ofThisProcess() {
        String text = System.getenv().getOrDefault(VARIABLE, "");
        return text.isEmpty() ? UNLIMITED : parse(text);
    }
}
