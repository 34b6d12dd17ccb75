package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A class file names each member by its type: programs compiled against MPJ Express' types run here as they are. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PrecompiledProgramTest {
    /** What the program is compiled against: the types of MPJ Express 0.44 where they differ, nothing that runs. */
    private static final String[][] PEER = {
        {"MPI", """
            package mpi;
            public class MPI {
                public static Intracomm COMM_WORLD;
                public static Comm COMM_SELF;
                public static Datatype INT;
                public static String[] Init(String[] args) throws MPIException { return null; }
                public static void Finalize() throws MPIException {}
                public static void Buffer_attach(java.nio.ByteBuffer buffer) throws MPIException {}
                public static void Buffer_detach() throws MPIException {}
            }
            """},
        {"Comm", """
            package mpi;
            public class Comm {
                public int Size() throws MPIException { return 0; }
                public void Bsend(Object b, int o, int n, Datatype t, int dest, int tag) throws MPIException {}
                public Status Recv(Object b, int o, int n, Datatype t, int from, int tag) throws MPIException {
                    return null;
                }
                public Object clone() { return null; }
            }
            """},
        {"Intracomm", "package mpi; public class Intracomm extends Comm { public Object clone() { return null; } }"},
        {"Datatype", "package mpi; public abstract class Datatype {}"},
        {"Status", "package mpi; public class Status { public int source; }"},
        {"MPIException", "package mpi; public class MPIException extends Exception {}"}
    };

    private static final String PROGRAM = """
            import mpi.*;
            public class Old implements java.util.concurrent.Callable<String> {
                public String call() throws MPIException {
                    MPI.Init(new String[0]);
                    Comm self = MPI.COMM_SELF;
                    Comm copy = (Comm) self.clone();
                    Comm world = (Comm) MPI.COMM_WORLD.clone();
                    MPI.Buffer_attach(java.nio.ByteBuffer.allocate(4096));
                    copy.Bsend(new int[] {42}, 0, 1, MPI.INT, 0, 7);
                    int[] got = new int[1];
                    Status status = copy.Recv(got, 0, 1, MPI.INT, 0, 7);
                    MPI.Buffer_detach();
                    String result = got[0] + " from " + status.source + " of " + self.Size() + ", " + world.Size();
                    MPI.Finalize();
                    return result;
                }
            }
            """;

    private static final String NEW_PROGRAM = """
            import mpi.*;
            public class New implements java.util.concurrent.Callable<String> {
                public String call() throws Exception {
                    MPI.Init(new String[0]);
                    Intracomm self = MPI.COMM_SELF.Split(0, 0);
                    byte[] room = new byte[4096];
                    MPI.Buffer_attach(room);
                    byte[] back = MPI.Buffer_detach();
                    MPI.Finalize();
                    return self == null ? "none" : String.valueOf(back == room);
                }
            }
            """;

    @TempDir
    Path folder;

    @Test
    void shouldRunAProgramThatWasCompiledAgainstTheTypesOfMpjExpress() throws Exception {
        Path stubs = compile("stubs", null, PEER);
        Path program = compile("program", stubs, new String[][] {{"Old", PROGRAM}});
        assertThat(run(program, "Old")).isEqualTo("42 from 0 of 1, 1");
    }

    @Test
    void shouldShowACompilerNothingOfTheMembersForClassFiles() throws Exception {
        Path here = Path.of(
                MPI.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Path program = compile("program", here, new String[][] {{"New", NEW_PROGRAM}});
        assertThat(run(program, "New")).isEqualTo("true");
    }

    @Test
    void shouldHaveOneCommSelfUnderBothTypes() {
        assertThat(Arrays.stream(MPI.class.getFields())
                        .filter(field -> field.getName().equals("COMM_SELF"))
                        .map(PrecompiledProgramTest::value))
                .containsExactly(MPI.COMM_SELF, MPI.COMM_SELF);
    }

    private static Object value(Field constant) {
        try {
            return constant.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String run(Path classes, String name) throws Exception {
        URL[] path = {classes.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(path, PrecompiledProgramTest.class.getClassLoader())) {
            Object program = loader.loadClass(name).getConstructor().newInstance();
            return String.valueOf(((Callable<?>) program).call());
        }
    }

    /** Compiles {simple name, source} against a folder of classes; returns the folder of the new ones. */
    private Path compile(String into, @Nullable Path against, String[][] types) throws IOException {
        Path target = Files.createDirectories(folder.resolve(into));
        Path sources = Files.createDirectories(folder.resolve(into + "-sources"));
        List<String> arguments = new ArrayList<>(List.of(
                "-proc:none", "-d", target.toString(), "-cp", String.valueOf(against == null ? target : against)));
        for (String[] type : types) {
            Path file = sources.resolve(type[0] + ".java");
            Files.writeString(file, type[1]);
            arguments.add(file.toString());
        }
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler().run(null, errors, errors, arguments.toArray(String[]::new));
        assertThat(code).as(errors.toString(StandardCharsets.UTF_8)).isZero();
        return target;
    }
}
