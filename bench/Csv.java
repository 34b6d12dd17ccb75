import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Files of samples whose first line names their columns. No field has a comma in it. */
final class Csv {
    private Csv() {}

    /**
     * The fields of each line but the first.
     *
     * @throws IOException also if the file has another form
     */
    static List<String[]> read(Path csv, String header) throws IOException {
        List<String> lines = Files.readAllLines(csv);
        if (lines.isEmpty() || !lines.get(0).equals(header)) {
            throw new IOException(csv + " does not begin with " + header);
        }
        int fields = header.split(",").length;
        List<String[]> rows = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            String[] field = lines.get(i).split(",", -1);
            if (field.length != fields) {
                throw new IOException(csv + ", line " + (i + 1) + ": " + field.length + " fields, not " + fields);
            }
            rows.add(field);
        }
        return rows;
    }
}
