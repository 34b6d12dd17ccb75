import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/** What is measured and where: rounds of several sessions count together only if both are the same. */
final class Build {
    private static final int DIGITS = 10;

    private Build() {}

    /** Of the classes in gridmpj.jar and of the benchmark's programs; the jar's own hash would differ from build to build. */
    static String of(Path root) throws IOException {
        try (ZipFile jar = new ZipFile(root.resolve("deploy/target/gridmpj.jar").toFile());
                Stream<Path> programs = Files.list(root.resolve("bench/programs"))) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (ZipEntry entry : jar.stream()
                    .filter(entry -> !entry.isDirectory() && !entry.getName().endsWith(".properties") && !entry.getName().endsWith(".MF"))
                    .map(ZipEntry.class::cast)
                    .sorted((a, b) -> a.getName().compareTo(b.getName()))
                    .toList()) {
                digest.update((entry.getName() + " " + entry.getCrc() + "\n").getBytes(StandardCharsets.UTF_8));
            }
            for (Path program : programs.sorted().toList()) {
                digest.update(Files.readAllBytes(program));
            }
            return HexFormat.of().formatHex(digest.digest()).substring(0, DIGITS);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IOException(impossible); // each Java has it
        }
    }

    /** Processor, system and virtual machine, in one line without a number that changes at each update. */
    static String machine() throws IOException {
        String processor = "unknown processor";
        Path cpuinfo = Path.of("/proc/cpuinfo");
        if (Files.isReadable(cpuinfo)) {
            List<String> lines = Files.readAllLines(cpuinfo);
            processor = lines.stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse(processor);
        }
        return processor + ", " + Runtime.getRuntime().availableProcessors() + " processors, " + System.getProperty("os.name") + " "
                + System.getProperty("os.version").replaceFirst("^(\\d+\\.\\d+).*", "$1") + ", " + System.getProperty("os.arch")
                + "; " + System.getProperty("java.vm.name") + " " + System.getProperty("java.version");
    }
}
