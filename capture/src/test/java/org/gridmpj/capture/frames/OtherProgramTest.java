package org.gridmpj.capture.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
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
        Javac.compile(
                List.of(),
                classes,
                Files.writeString(classes.resolve("Main.java"), main),
                Files.writeString(classes.resolve("Helper.java"), helper));
        return classes;
    }

    /** In the middle of main, at its own call. */
    private static Object taken(Path classes) throws ReflectiveOperationException {
        Object[] state = new Object[1];
        ProgramUnderTest program = new ProgramUnderTest("Main", classes);
        assertThat(program.run(1, copied -> state[0] = copied)).isEqualTo("5029");
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

    private static void refuses(Path classes, Object state, String reason) {
        assertThatThrownBy(() -> giveTo(classes, state))
                .isInstanceOf(OtherProgramException.class)
                .hasMessageContaining(reason);
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
        refuses(other, state, "class Main is not the one");
    }

    /** The same class file: but the second of its sites was the first. */
    @Test
    void shouldRefuseAMethodWhoseSitesAreOthersThroughAnotherClass() throws Exception {
        Object state = taken(compiled("first", MAIN, HELPER));
        Path other = compiled("calls", MAIN, HELPER.replace("return kept;", "return (int) mpj.Probe.Call(kept);"));
        assertThat(Files.mismatch(folder.resolve("first/Main.class"), other.resolve("Main.class")))
                .isEqualTo(-1);
        refuses(other, state, "the calls of Main.main([Ljava/lang/String;)V do not lead");
    }

    @Test
    void shouldRefuseAStaticFieldThatIsGoneOrOfAnotherType() throws Exception {
        Object state = taken(compiled("first", MAIN, HELPER));
        for (String kept : List.of("int other = 5; static int kept() { return other; }", "long kept = 5;")) {
            Path other = compiled(
                    kept.substring(0, 3),
                    MAIN,
                    HELPER.replace("int kept = 5;", kept).replace("return kept;", "return 5;"));
            refuses(other, state, "static fields of Helper");
        }
    }
}
