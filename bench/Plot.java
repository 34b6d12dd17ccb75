import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A curve for each system over message lengths, both axes logarithmic, as SVG. */
final class Plot {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 480;
    private static final int LEFT = 80;
    private static final int RIGHT = 200;
    private static final int TOP = 40;
    private static final int BOTTOM = 50;
    private static final List<String> COLOURS = List.of(
            "#d62728", "#ff9896", "#111111", "#7f7f7f", "#1f77b4", "#17becf", "#2ca02c", "#9467bd", "#bcbd22");

    private Plot() {}

    /** @param curves system → bytes → value above 0 */
    static String svg(String title, String unit, Map<String, TreeMap<Integer, Double>> curves) {
        double most = 1;
        double least = Double.MAX_VALUE;
        int longest = 2;
        for (TreeMap<Integer, Double> curve : curves.values()) {
            for (Map.Entry<Integer, Double> point : curve.entrySet()) {
                most = Math.max(most, point.getValue());
                least = Math.min(least, point.getValue());
                longest = Math.max(longest, point.getKey());
            }
        }
        int low = (int) Math.floor(Math.log10(least));
        int high = Math.max(low + 1, (int) Math.ceil(Math.log10(most)));
        double perByte = (WIDTH - LEFT - RIGHT) / (Math.log(longest) / Math.log(2));
        double perDecade = (HEIGHT - TOP - BOTTOM) / (double) (high - low);
        StringBuilder svg = new StringBuilder();
        line(svg, "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>",
                WIDTH, HEIGHT);
        line(svg, "<rect width='%d' height='%d' fill='white'/><text x='%d' y='22' font-size='15'>%s</text>",
                WIDTH, HEIGHT, LEFT, title);
        for (int decade = low; decade <= high; decade++) {
            double y = HEIGHT - BOTTOM - (decade - low) * perDecade;
            line(svg, "<path d='M%d %.1fH%d' stroke='#ddd'/><text x='%d' y='%.1f' text-anchor='end'>%s</text>",
                    LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4, number(Math.pow(10, decade)));
        }
        for (int power = 0; 1L << power <= longest; power += 4) {
            double x = LEFT + power * perByte;
            line(svg, "<path d='M%.1f %dV%d' stroke='#eee'/><text x='%.1f' y='%d' text-anchor='middle'>%s</text>",
                    x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 18, Report.length(1 << power));
        }
        line(svg, "<text x='%d' y='%d' text-anchor='middle'>message</text><text x='8' y='%d'>%s</text>",
                (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, TOP - 4, unit);
        int number = 0;
        for (Map.Entry<String, TreeMap<Integer, Double>> curve : curves.entrySet()) {
            String colour = COLOURS.get(number % COLOURS.size());
            StringBuilder points = new StringBuilder();
            for (Map.Entry<Integer, Double> point : curve.getValue().entrySet()) {
                double x = LEFT + Math.log(point.getKey()) / Math.log(2) * perByte;
                double y = HEIGHT - BOTTOM - (Math.log10(point.getValue()) - low) * perDecade;
                points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
                line(svg, "<circle cx='%.1f' cy='%.1f' r='3' fill='%s'/>", x, y, colour);
            }
            line(svg, "<polyline points='%s' fill='none' stroke='%s' stroke-width='1.6'/>", points, colour);
            line(svg, "<text x='%d' y='%d' fill='%s'>%s</text>",
                    WIDTH - RIGHT + 14, TOP + 14 + 20 * number, colour, curve.getKey());
            number++;
        }
        return svg.append("</svg>\n").toString();
    }

    private static String number(double value) {
        return value >= 1 ? String.format(Locale.ROOT, "%.0f", value) : Double.toString(value);
    }

    private static void line(StringBuilder svg, String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
