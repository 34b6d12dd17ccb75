package org.gridmpj.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.StringJoiner;
import java.util.zip.CRC32;
import org.gridmpj.capture.frames.OtherProgramException;

/** Section "frames" of a transparent image: a line {@code checksum name} for each class whose methods are under way. */
final class ClassFiles {
    private ClassFiles() {}

    /** @param checksums of the class files by binary names of classes, −1 where it is not known */
    static byte[] encode(Map<String, Long> checksums) {
        StringJoiner lines = new StringJoiner("\n");
        checksums.forEach((name, checksum) -> lines.add(checksum + " " + name));
        return lines.toString().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Each class file must be there as it was. No class is loaded.
     *
     * @throws OtherProgramException naming one that is not
     */
    static void requireUnchanged(byte[] section, ClassLoader loader) throws IOException {
        for (String line : new String(section, StandardCharsets.UTF_8).lines().toList()) {
            int space = line.indexOf(' ');
            String name = line.substring(space + 1);
            try (InputStream file = loader.getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new OtherProgramException(
                            "class " + name + ", which it is in the middle of, is not on the program's class path",
                            null);
                }
                CRC32 checksum = new CRC32();
                checksum.update(file.readAllBytes());
                long then = Long.parseLong(line.substring(0, space));
                if (then >= 0 && then != checksum.getValue()) {
                    throw new OtherProgramException(
                            "class " + name + ", which it is in the middle of, is not the one that it was taken of",
                            null);
                }
            }
        }
    }
}
