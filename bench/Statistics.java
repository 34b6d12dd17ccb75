import java.util.Arrays;
import java.util.Random;

/** Medians and their bootstrap intervals. */
final class Statistics {
    private static final int BOOTSTRAPS = 2000;
    private static final long SEED = 2026;

    private Statistics() {}

    /** NaN of nothing. */
    static double median(double[] values) {
        if (values.length == 0) {
            return Double.NaN;
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** The bootstrap 95 % interval of the median: low, high. */
    static double[] interval(double[] values) {
        if (values.length == 0) {
            return new double[] {Double.NaN, Double.NaN};
        }
        Random random = new Random(SEED);
        double[] medians = new double[BOOTSTRAPS];
        double[] drawn = new double[values.length];
        for (int i = 0; i < BOOTSTRAPS; i++) {
            Arrays.setAll(drawn, each -> values[random.nextInt(values.length)]);
            medians[i] = median(drawn);
        }
        Arrays.sort(medians);
        return new double[] {medians[BOOTSTRAPS * 25 / 1000], medians[BOOTSTRAPS * 975 / 1000 - 1]};
    }
}
