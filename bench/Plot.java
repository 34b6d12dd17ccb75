import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Values of each system on a logarithmic axis, as SVG: a curve over message lengths, or a point for each of some cases. */
final class Plot {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 480;
    private static final int LEFT = 80;
    private static final int RIGHT = 200;
    private static final int TOP = 40;
    private static final int BOTTOM = 50;
    private static final List<String> COLOURS = List.of(
            "#d62728", "#ff9896", "#e377c2", "#111111", "#7f7f7f", "#c7c7c7", "#1f77b4", "#17becf", "#2ca02c", "#98df8a", "#9467bd",
            "#bcbd22", "#8c564b", "#ffbb78", "#393b79", "#637939");

    private Plot() {}

    /** @param curves system → bytes → value above 0 */
    static String curves(String title, String unit, Map<String, TreeMap<Integer, Double>> curves) {
        int longest = 2;
        for (TreeMap<Integer, Double> curve : curves.values()) {
            longest = Math.max(longest, curve.lastKey());
        }
        double perByte = (WIDTH - LEFT - RIGHT) / (Math.log(longest) / Math.log(2));
        StringBuilder svg = new StringBuilder();
        Axis axis = Axis.of(curves.values().stream().flatMap(curve -> curve.values().stream()));
        frame(svg, title, unit, axis);
        for (int power = 0; 1L << power <= longest; power += 4) {
            tick(svg, LEFT + power * perByte, Column.length(1 << power));
        }
        line(svg, "<text x='%d' y='%d' text-anchor='middle'>message</text>", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12);
        int number = 0;
        for (Map.Entry<String, TreeMap<Integer, Double>> curve : curves.entrySet()) {
            StringBuilder points = new StringBuilder();
            for (Map.Entry<Integer, Double> point : curve.getValue().entrySet()) {
                double x = LEFT + Math.log(point.getKey()) / Math.log(2) * perByte;
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, axis.y(point.getValue())));
                circle(svg, x, axis.y(point.getValue()), number);
            }
            line(svg, "<polyline points='%s' fill='none' stroke='%s' stroke-width='1.6'/>", points, colour(number));
            legend(svg, curve.getKey(), number++);
        }
        return svg.append("</svg>\n").toString();
    }

    /** @param points system → case → value above 0; the points of a case stand beside each other, in the order of the systems */
    static String points(String title, String unit, List<String> cases, Map<String, Map<String, Double>> points) {
        StringBuilder svg = new StringBuilder();
        Axis axis = Axis.of(points.values().stream().flatMap(each -> each.values().stream()));
        frame(svg, title, unit, axis);
        double perCase = (WIDTH - LEFT - RIGHT) / (double) cases.size();
        for (int i = 0; i < cases.size(); i++) {
            line(svg, "<path d='M%.1f %dV%d' stroke='#eee'/><text x='%.1f' y='%d' text-anchor='middle' font-size='10'>%s</text>",
                    LEFT + i * perCase, TOP, HEIGHT - BOTTOM, LEFT + (i + 0.5) * perCase, HEIGHT - BOTTOM + 16 + 14 * (i % 2),
                    cases.get(i));
        }
        int number = 0;
        for (Map.Entry<String, Map<String, Double>> system : points.entrySet()) {
            for (int i = 0; i < cases.size(); i++) {
                Double value = system.getValue().get(cases.get(i));
                if (value != null) {
                    circle(svg, LEFT + (i + (number + 1.0) / (points.size() + 1)) * perCase, axis.y(value), number);
                }
            }
            legend(svg, system.getKey(), number++);
        }
        return svg.append("</svg>\n").toString();
    }

    /** Whole decades. */
    private record Axis(int low, int high) {
        static Axis of(Stream<Double> values) {
            DoubleSummaryStatistics range = values.mapToDouble(Double::doubleValue).summaryStatistics();
            int low = (int) Math.floor(Math.log10(range.getMin()));
            return new Axis(low, Math.max(low + 1, (int) Math.ceil(Math.log10(range.getMax()))));
        }

        double y(double value) {
            return HEIGHT - BOTTOM - (Math.log10(value) - low) * (HEIGHT - TOP - BOTTOM) / (high - low);
        }
    }

    private static void frame(StringBuilder svg, String title, String unit, Axis axis) {
        line(svg, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>",
                WIDTH, HEIGHT);
        line(svg, "<rect width='%d' height='%d' fill='white'/><text x='%d' y='22' font-size='15'>%s</text>",
                WIDTH, HEIGHT, LEFT, title);
        for (int decade = axis.low(); decade <= axis.high(); decade++) {
            double y = axis.y(Math.pow(10, decade));
            line(svg, "<path d='M%d %.1fH%d' stroke='#ddd'/><text x='%d' y='%.1f' text-anchor='end'>%s</text>",
                    LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4, number(Math.pow(10, decade)));
        }
        line(svg, "<text x='8' y='%d'>%s</text>", TOP - 4, unit);
    }

    private static void tick(StringBuilder svg, double x, String label) {
        line(svg, "<path d='M%.1f %dV%d' stroke='#eee'/><text x='%.1f' y='%d' text-anchor='middle'>%s</text>",
                x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 18, label);
    }

    private static void circle(StringBuilder svg, double x, double y, int number) {
        line(svg, "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>", x, y, colour(number));
    }

    private static void legend(StringBuilder svg, String system, int number) {
        line(svg, "<text x='%d' y='%d' fill='%s'>%s</text>", WIDTH - RIGHT + 14, TOP + 14 + 20 * number, colour(number), system);
    }

    private static String colour(int number) {
        return COLOURS.get(number % COLOURS.size());
    }

    private static String number(double value) {
        return value >= 1 ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
    }

    private static void line(StringBuilder svg, String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
