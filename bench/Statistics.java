import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

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
        return interval(Arrays.stream(values).boxed().toList(), drawn -> median(drawn.stream().mapToDouble(Double::doubleValue).toArray()));
    }

    /** The same of another figure of such values. */
    static <T> double[] interval(List<T> values, ToDoubleFunction<List<T>> figure) {
        if (values.isEmpty()) {
            return new double[] {Double.NaN, Double.NaN};
        }
        Random random = new Random(SEED);
        double[] figures = new double[BOOTSTRAPS];
        for (int i = 0; i < BOOTSTRAPS; i++) {
            figures[i] = figure.applyAsDouble(Stream.generate(() -> values.get(random.nextInt(values.size()))).limit(values.size()).toList());
        }
        Arrays.sort(figures);
        return new double[] {figures[BOOTSTRAPS * 25 / 1000], figures[BOOTSTRAPS * 975 / 1000 - 1]};
    }
}
