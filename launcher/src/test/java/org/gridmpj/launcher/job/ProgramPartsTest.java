package org.gridmpj.launcher.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
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

    @Test
    void shouldBringWhatManifestsNameInTheOrderOfTheJvm(@TempDir Path work) throws IOException {
        Path folder = Files.createDirectories(work.resolve("lib"));
        Path inner = jar(folder.resolve("inner.jar"), "");
        Path library = jar(folder.resolve("library.jar"), "inner.jar missing.jar");
        Path program = jar(work.resolve("program.jar"), "lib/library.jar");
        Path other = jar(work.resolve("other.jar"), "program.jar");
        ProgramParts parts = ProgramParts.of(List.of(program, other), work);
        assertThat(parts.names().stream().map(parts.files()::get))
                .zipSatisfy(
                        List.of(program, library, inner, other),
                        (copy, jar) -> assertThat(copy).hasSameBinaryContentAs(jar));
    }

    @Test
    void shouldKeepTheJarsThatTheJobBeganWith(@TempDir Path work) throws IOException {
        Path program = jar(work.resolve("program.jar"), "");
        byte[] content = Files.readAllBytes(program);
        ProgramParts parts = ProgramParts.of(List.of(program), Files.createDirectory(work.resolve("parts")));
        Files.writeString(program, "built anew");
        assertThat(parts.files().get(parts.names().getFirst())).hasBinaryContent(content);
    }

    private static Path jar(Path file, String classPath) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath);
        manifest.getMainAttributes().putValue("Name-Of-File", file.getFileName().toString());
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            out.finish();
        }
        return file;
    }
}
