package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import javax.tools.ToolProvider;
import mpj.Probe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program is taken apart, compiled again with another helper or main, and what was taken is given to that one. */
class OtherProgramTest {
    private static final String MAIN = """
            public class Main {
                static StringBuilder OUT = new StringBuilder();
                public static void main(String[] args) {
                    int before = Helper.prepare();
                    long first = mpj.Probe.Call(before);
                    OUT.append(Helper.finish(first));
                }
            }
            """;
    private static final String HELPER = """
            public class Helper {
                static int kept = 5;
                static int prepare() { return kept; }
                static long finish(long value) { return mpj.Probe.Call(value); }
            }
            """;

    @TempDir
    Path folder;

    private Path compiled(String name, String main, String helper) throws Exception {
        Path classes = Files.createDirectory(folder.resolve(name));
        Path path = Path.of(
                Probe.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> command = new ArrayList<>(List.of("-cp", path.toString(), "-d", classes.toString()));
        command.add(Files.writeString(classes.resolve("Main.java"), main).toString());
        command.add(Files.writeString(classes.resolve("Helper.java"), helper).toString());
        ByteArrayOutputStream messages = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler().run(null, messages, messages, command.toArray(String[]::new));
        assertThat(code).as(messages.toString(StandardCharsets.UTF_8)).isZero();
        return classes;
    }

    /** In the middle of main, at its own call. */
    private static Object taken(Path classes) throws ReflectiveOperationException {
        Object[] state = new Object[1];
        ProgramUnderTest program = new ProgramUnderTest("Main", classes);
        assertThat(program.run(1, copied -> state[0] = Arrays.copyOf((Object[]) copied, ((Object[]) copied).length)))
                .isEqualTo("5029");
        return state[0];
    }

    private static void giveTo(Path classes, Object state) {
        ProgramUnderTest other = new ProgramUnderTest("Main", classes);
        ProgramStatics.skipInitializers(List.of(ProgramStatics.initialized()));
        try {
            other.capture().restore(state, other);
        } finally {
            ProgramStatics.skipInitializers(List.of());
        }
    }

    @Test
    void shouldTellTheFilesOfTheClassesWhoseMethodsAreUnderWay() throws Exception {
        Path classes = compiled("first", MAIN, HELPER);
        CRC32 checksum = new CRC32();
        checksum.update(Files.readAllBytes(classes.resolve("Main.class")));
        assertThat(ProgramCapture.frameClasses(taken(classes))).isEqualTo(Map.of("Main", checksum.getValue()));
    }

    @Test
    void shouldTakeBackWhatIsCompiledToTheSame() throws Exception {
        Object state = taken(compiled("first", MAIN, HELPER));
        giveTo(compiled("same", MAIN, HELPER), state);
    }

    @Test
    void shouldTakeBackWhatHasChangedWhereNothingIsUnderWay() throws Exception {
        Object state = taken(compiled("first", MAIN, HELPER));
        giveTo(compiled("finishes", MAIN, HELPER.replace("Call(value)", "Call(value + 1)")), state);
    }

    @Test
    void shouldRefuseAMethodThatIsUnderWayInAnotherClassFile() throws Exception {
        Object state = taken(compiled("first", MAIN, HELPER));
        Path other = compiled("main", MAIN.replace("long first", "int more = 1; long first"), HELPER);
        assertThatThrownBy(() -> giveTo(other, state))
                .isInstanceOf(OtherProgramException.class)
                .hasMessageContaining("class Main is not the one");
    }

    /** The same class file: but the second of its sites was the first. */
    @Test
    void shouldRefuseAMethodWhoseSitesAreOthersThroughAnotherClass() throws Exception {
        Object state = taken(compiled("first", MAIN, HELPER));
        Path other = compiled("calls", MAIN, HELPER.replace("return kept;", "return (int) mpj.Probe.Call(kept);"));
        assertThat(Files.mismatch(folder.resolve("first/Main.class"), other.resolve("Main.class")))
                .isEqualTo(-1);
        assertThatThrownBy(() -> giveTo(other, state))
                .isInstanceOf(OtherProgramException.class)
                .hasMessageContaining("the calls of Main.main([Ljava/lang/String;)V do not lead");
    }

    @Test
    void shouldRefuseAStaticFieldThatIsGoneOrOfAnotherType() throws Exception {
        Object state = taken(compiled("first", MAIN, HELPER));
        for (String kept : List.of("int other = 5; static int kept() { return other; }", "long kept = 5;")) {
            Path other = compiled(
                    kept.substring(0, 3),
                    MAIN,
                    HELPER.replace("int kept = 5;", kept).replace("return kept;", "return 5;"));
            assertThatThrownBy(() -> giveTo(other, state))
                    .isInstanceOf(OtherProgramException.class)
                    .hasMessageContaining("static fields of Helper");
        }
    }
}
