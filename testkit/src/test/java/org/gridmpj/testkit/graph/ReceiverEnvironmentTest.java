package org.gridmpj.testkit.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.Packer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.MpiFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the receiver's class loader and the filter of its JVM have to say about objects. */
@Timeout(60)
final class ReceiverEnvironmentTest {
    private static final TypeMap OBJECT = TypeMap.of(BaseType.OBJECT);

    /** Something that a loader can define anew. */
    public static final class Payload implements Serializable {
        private static final long serialVersionUID = 1L;

        final int[] values = new int[40];
    }

    /** Knows this test's classes by itself, as a web container's loader does. */
    private static final class ChildFirst extends ClassLoader {
        ChildFirst() {
            super(ReceiverEnvironmentTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Payload.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = file.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private static byte[] packed(Object object) {
        Object[] one = {object};
        byte[] bytes = new byte[Packer.packSize(one, 0, 1, OBJECT)];
        Packer.pack(one, 0, 1, OBJECT, bytes, 0);
        return bytes;
    }

    @Test
    void shouldUseTheContextClassLoaderWhenReceiving() {
        byte[] bytes = packed(new Payload());
        ClassLoader loader = new ChildFirst();
        Object[] back = new Object[1];
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            Packer.unpack(bytes, 0, back, 0, 1, OBJECT);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        assertThat(back[0].getClass().getClassLoader()).isSameAs(loader);
        Packer.unpack(bytes, 0, back, 0, 1, OBJECT);
        assertThat(back[0]).isInstanceOf(Payload.class);
    }

    @Test
    void shouldObeyTheFilterOfTheJvmWhenOneIsSet() throws IOException, InterruptedException {
        assertThat(runWithFilter("maxarray=100;java.base/*;org.gridmpj.testkit.graph.*;!*"))
                .contains("small fine", "large refused");
        assertThat(runWithFilter("java.base/*;!*")).contains("small refused", "large refused");
        assertThat(runWithFilter("maxarray=1000")).contains("small fine", "large fine");
    }

    private static String runWithFilter(String filter) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djdk.serialFilter=" + filter,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Filtered.class.getName()))
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return output;
    }

    /** Runs in a JVM of its own: a filter is set once and for all. */
    static final class Filtered {
        private Filtered() {}

        public static void main(String[] args) {
            attempt("small", new Payload());
            attempt("large", new Object[] {new Payload(), new int[200]});
        }

        private static void attempt(String name, Object object) {
            try {
                Packer.unpack(packed(object), 0, new Object[1], 0, 1, OBJECT);
                System.out.println(name + " fine");
            } catch (MpiFailure e) {
                System.out.println(name + " refused");
            }
        }
    }

    @Test
    void shouldNameTheClassWhenTheReceiverLacksIt() {
        byte[] bytes = packed(new Payload());
        String name = Payload.class.getName();
        // a class of the same length that does not exist
        byte[] renamed = new String(bytes, StandardCharsets.ISO_8859_1)
                .replace(name, name.replace("Payload", "Missing"))
                .getBytes(StandardCharsets.ISO_8859_1);
        assertThatThrownBy(() -> Packer.unpack(renamed, 0, new Object[1], 0, 1, OBJECT))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("Missing")
                .hasMessageContaining("class path");
    }
}
