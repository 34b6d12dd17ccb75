package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.zip.CRC32;
import org.gridmpj.capture.frames.OtherProgramException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClassFilesTest {
    private static final byte[] FILE = {1, 2, 3};

    @TempDir
    Path folder;

    private void require(Map<String, Long> checksums) throws IOException {
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, null)) {
            ClassFiles.requireUnchanged(ClassFiles.encode(checksums), loader);
        }
    }

    @Test
    void shouldNameAClassThatIsGoneOrAnotherOne() throws IOException {
        Path file = Files.write(Files.createDirectory(folder.resolve("home")).resolve("Main.class"), FILE);
        CRC32 checksum = new CRC32();
        checksum.update(FILE);
        Map<String, Long> frames = Map.of("home.Main", checksum.getValue());
        require(Map.of());
        require(frames);

        Files.write(file, new byte[] {1, 2, 4});
        assertThatThrownBy(() -> require(frames))
                .isInstanceOf(OtherProgramException.class)
                .hasMessageContaining("home.Main, which it is in the middle of, is not the one");
        require(Map.of("home.Main", -1L));

        Files.delete(file);
        for (long unknown : new long[] {checksum.getValue(), -1}) {
            assertThatThrownBy(() -> require(Map.of("home.Main", unknown)))
                    .isInstanceOf(OtherProgramException.class)
                    .hasMessageContaining("home.Main, which it is in the middle of, is not on");
        }
    }
}
