package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import mpj.Probe;
import org.gridmpj.capture.frames.ImageProcess.Program;
import org.gridmpj.capture.frames.ImageProcess.Report;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;

/**
 * Programs in class files of Java 1.4 to 8, captured at each of their calls: the output must be that of the same files when
 * nothing is done to them.
 */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class OldClassesTest {
    private static final String STYLE = "old.OldStyle";
    private static final String LAMBDAS = "old.OldLambdas";
    private static final String FIRST = "-ea -XX:+UseG1GC -Xmx256m -XX:+UseCompactObjectHeaders";
    private static final String SECOND = "-da -XX:+UseSerialGC -Xmx96m -XX:TieredStopAtLevel=1";

    private static final int CALLS = 50;

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {STYLE, LAMBDAS})
    void shouldGoOnWhereItWasWhenItIsCompiledForJava8(String main) throws Exception {
        Path classes = compiledForJava8(main);

        assertThat(Sweep.through(main, List.of(classes), CALLS)).isEqualTo(alone(main, classes));
    }

    @Test
    void shouldGoOnWhereItWasWhenItsClassFilesAreOfJava5() throws Exception {
        Path classes = asOfJava5(compiledForJava8(STYLE));

        assertThat(Sweep.through(STYLE, List.of(classes), CALLS)).isEqualTo(alone(STYLE, classes));
    }

    @ParameterizedTest
    @ValueSource(ints = {Opcodes.V1_4, Opcodes.V1_5})
    void shouldGoOnWhereItWasWhenItsFinallyBlocksAreSubroutines(int version) throws Exception {
        Path classes = subroutines(version);

        assertThat(Sweep.through(Subroutines.MAIN, List.of(classes), CALLS))
                .isEqualTo(alone(Subroutines.MAIN, classes));
    }

    /** Assertions stay as they were where the program began. */
    @Test
    void shouldGoOnInAnotherJvmWhenItsClassFilesAreOld() throws Exception {
        Path style = compiledForJava8(STYLE);
        List<Program> programs = List.of(
                new Program(STYLE, List.of(style)),
                new Program(LAMBDAS, List.of(compiledForJava8(LAMBDAS))),
                new Program(STYLE, List.of(asOfJava5(style))),
                new Program(Subroutines.MAIN, List.of(subroutines(Opcodes.V1_4))));

        Report taken = ImageProcess.takeAndResume(FIRST, SECOND, folder.resolve("images"), programs);

        assertThat(taken.counts()).as(taken.said()).allSatisfy(each -> {
            assertThat(each.isAll()).isTrue();
            assertThat(each.of()).isGreaterThan(CALLS);
        });
    }

    private Path compiledForJava8(String main) throws Exception {
        Path classes = Files.createDirectory(folder.resolve(main));
        String source = "/programs/" + main.substring(main.indexOf('.') + 1) + ".java";
        Path file = Path.of(
                Objects.requireNonNull(OldClassesTest.class.getResource(source)).toURI());
        Javac.compile(List.of("--release", "8", "-Xlint:-options"), classes, file);
        return classes;
    }

    /** The same classes with the version of then, and without the stack maps that came with Java 6. */
    private Path asOfJava5(Path classes) throws Exception {
        Path old = Files.createDirectories(folder.resolve("java5"));
        List<Path> files;
        try (Stream<Path> all = Files.walk(classes)) {
            files = all.filter(Files::isRegularFile).toList();
        }
        for (Path each : files) {
            ClassWriter writer = new ClassWriter(0);
            ClassVisitor lowered = new ClassVisitor(Opcodes.ASM9, writer) {
                @Override
                public void visit(
                        int version,
                        int access,
                        String name,
                        @Nullable String signature,
                        @Nullable String superName,
                        String @Nullable [] interfaces) {
                    super.visit(Opcodes.V1_5, access, name, signature, superName, interfaces);
                }
            };
            new ClassReader(Files.readAllBytes(each)).accept(lowered, ClassReader.SKIP_FRAMES);
            write(old.resolve(classes.relativize(each)), writer.toByteArray());
        }
        return old;
    }

    private Path subroutines(int version) throws Exception {
        Path classes = folder.resolve("subroutines");
        for (Map.Entry<String, byte[]> each : Subroutines.classFiles(version).entrySet()) {
            write(classes.resolve(each.getKey() + ".class"), each.getValue());
        }
        return classes;
    }

    private static void write(Path file, byte[] classFile) throws Exception {
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.write(file, classFile);
    }

    private static String alone(String main, Path classes) throws Exception {
        Probe.captureAt = 0;
        URL[] path = {classes.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(path, OldClassesTest.class.getClassLoader())) {
            Class<?> type = Class.forName(main, true, loader);
            Method method = type.getMethod("main", String[].class);
            method.invoke(null, (Object) new String[0]);
            Field out = type.getDeclaredField("OUT");
            out.setAccessible(true);
            return String.valueOf(out.get(null));
        }
    }
}
