import java.util.Locale;

/** Numbers and ratios as the tables show them. */
final class Cells {
    static final int PAIRS_FOR_AN_INTERVAL = 5;
    /** Of a number without a lap between two near probes. */
    static final String NOT_NEAR = "°";
    /** In place of a ratio. */
    static final String NOT_COMPARABLE = "far";

    private Cells() {}

    static String ratio(Samples.Pairs pairs) {
        double[] ratios = pairs.ratios();
        if (ratios.length == 0) {
            return pairs.measured() ? NOT_COMPARABLE : "–";
        }
        if (ratios.length < PAIRS_FOR_AN_INTERVAL) {
            return number(Statistics.median(ratios), 2);
        }
        double[] interval = Statistics.interval(ratios);
        return number(Statistics.median(ratios), 2) + " [" + number(interval[0], 2) + ", " + number(interval[1], 2) + "]";
    }

    /** Without its interval. */
    static String medianRatio(Samples.Pairs pairs) {
        return number(Statistics.median(pairs.ratios()), 2);
    }

    static String number(Column column, Samples.Median median) {
        return number(column.shown().applyAsDouble(median.micros())) + (median.near() ? "" : NOT_NEAR);
    }

    static String number(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "–";
        }
        return String.format(Locale.ROOT, value < 10 ? "%.2f" : value < 100 ? "%.1f" : "%.0f", value);
    }

    static String row(String what, String bound, String measured, String verdict) {
        return "| " + what + " | " + bound + " | " + measured + " | " + verdict + " |";
    }
}
