package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramPartsTest {
    @Test
    void shouldMakeTheSameJarOfTheSameFolderAndLeaveHiddenFilesOut(@TempDir Path work) throws IOException {
        Path classes = Files.createDirectories(work.resolve("classes/p"));
        Files.writeString(classes.resolve("A.class"), "a");
        Files.createDirectories(work.resolve("classes/.git"));
        Files.writeString(work.resolve("classes/.git/big"), "x");
        Path root = work.resolve("classes");
        ProgramParts first = ProgramParts.of(List.of(root, work.resolve("missing")), work);
        ProgramParts second = ProgramParts.of(List.of(root), work);
        assertThat(first.names()).isEqualTo(second.names()).hasSize(1);
        Path packed = Objects.requireNonNull(first.files().get(first.names().getFirst()));
        try (JarFile jar = new JarFile(packed.toFile())) {
            assertThat(jar.stream().map(Object::toString).toList()).containsExactly("p/A.class");
        }
        Files.writeString(classes.resolve("A.class"), "b");
        assertThat(ProgramParts.of(List.of(root), work).names()).isNotEqualTo(first.names());
    }
}
