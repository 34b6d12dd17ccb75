import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Targets that bench/run does not measure: by-hand.csv is the one source of their numbers. Its columns are row, target, measured,
 * verdict, date, command and section, which is the place in causes.md that tells how.
 */
final class ByHand {
    static final String FILE = "by-hand.csv";

    private static final List<String> HEADER = List.of("row", "target", "measured", "verdict", "date", "command", "section");

    private ByHand() {}

    /**
     * Rows of a Markdown table with its head; none where there is no such file.
     *
     * @throws IOException also if the file has another form
     */
    static List<String> rows(Path csv) throws IOException {
        if (!Files.exists(csv)) {
            return List.of();
        }
        List<String> rows = new ArrayList<>(List.of("| what | target | measured | | date | by |", "|---|---|---|---|---|---|"));
        List<String> lines = Files.readAllLines(csv);
        for (int i = 0; i < lines.size(); i++) {
            List<String> field = fields(lines.get(i));
            if (field.size() != HEADER.size() || i == 0 && !field.equals(HEADER)) {
                throw new IOException(csv + ", line " + (i + 1) + ": wanted " + String.join(",", HEADER));
            }
            if (i > 0) {
                rows.add("| " + field.get(0) + " | " + field.get(1) + " | " + field.get(2) + " | [" + field.get(3)
                        + "](performance/causes.md#" + field.get(6) + ") | " + field.get(4) + " | " + field.get(5) + " |");
            }
        }
        return rows;
    }

    /** Commas count outside of quotation marks only; two of these in a quoted field are one. */
    private static List<String> fields(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                field.append(line.charAt(++i));
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
