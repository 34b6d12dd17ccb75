package org.gridmpj.capture.heap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That it reads each kind of object to its end is seen to by GraphImageTest and by the programs of GraphTransfer. */
class GraphRehearsalTest {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final int HASH = 0x1234;

    private final TokenRegistry tokens = new TokenRegistry();

    /** A process of its own, as far as {@link ClassOfAProgram} goes; or one without it. */
    private static final class OtherProcess extends ClassLoader {
        private final boolean hasIt;
        private @Nullable Class<?> made;

        OtherProcess(boolean hasIt) {
            super(GraphRehearsalTest.class.getClassLoader());
            this.hasIt = hasIt;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(ClassOfAProgram.class.getName())) {
                return super.loadClass(name, resolve);
            }
            if (!hasIt) {
                throw new ClassNotFoundException(name);
            }
            Class<?> known = made;
            if (known == null) {
                try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                    byte[] bytes = Objects.requireNonNull(in).readAllBytes();
                    known = defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
                made = known;
            }
            return known;
        }
    }

    /** Demands that the image is read to its very end. */
    static void rehearse(byte[] image) throws IOException {
        for (boolean makesArrays : new boolean[] {true, false}) {
            GraphRehearsal rehearsal = new GraphRehearsal(GraphRehearsalTest.class.getClassLoader(), makesArrays);
            rehearsal.read(new ByteArrayInputStream(image));
            byte[] cut = Arrays.copyOf(image, image.length - 1);
            assertThatThrownBy(() -> rehearsal.read(new ByteArrayInputStream(cut)))
                    .isInstanceOf(EOFException.class);
        }
    }

    @Test
    void shouldLoadClassesAndNotInitializeThem() throws Exception {
        byte[] image = GraphImageTest.image(new Object[] {new ClassOfAProgram()}, tokens);
        OtherProcess other = new OtherProcess(true);

        new GraphRehearsal(other).read(new ByteArrayInputStream(image));

        Class<?> type = Objects.requireNonNull(other.made);
        assertThat(UNSAFE.shouldBeInitialized(type)).isTrue();
        Object[] root = (Object[]) new GraphReader(tokens, other).read(new ByteArrayInputStream(image));
        assertThat(root[0].getClass()).isEqualTo(type);
        assertThat(UNSAFE.shouldBeInitialized(type)).isFalse();
    }

    @Test
    void shouldAskNobodyForAHashCode() throws Exception {
        byte[] image = GraphImageTest.image(new Object[] {ClassOfAProgram.class}, tokens);
        OtherProcess other = new OtherProcess(true);

        new GraphRehearsal(other).read(new ByteArrayInputStream(image));

        assertThat(IdentityHashes.install(Objects.requireNonNull(other.made), HASH))
                .as("that of the image can be given yet")
                .isTrue();
    }

    @Test
    void shouldSayWhatIsMissingWhenTheProgramIsAnotherOne() throws Exception {
        byte[] image = GraphImageTest.image(new Object[] {new ClassOfAProgram()}, tokens);
        GraphRehearsal rehearsal = new GraphRehearsal(new OtherProcess(false));
        assertThatThrownBy(() -> rehearsal.read(new ByteArrayInputStream(image)))
                .isInstanceOfSatisfying(
                        ImageMismatchException.class,
                        e -> assertThat(e.isOfAnotherProgram()).isTrue())
                .hasMessageContaining(
                        ClassOfAProgram.class.getName() + " of the image is not on this program's class path");
    }

    @Test
    void shouldLeaveFilesAloneInWhichTheOriginalStillWrites(@TempDir Path folder) throws Exception {
        File file = folder.resolve("file").toFile();
        try (FileOutputStream out = new FileOutputStream(file)) {
            out.write(new byte[3]);
            byte[] image = GraphImageTest.image(out, tokens);
            out.write(new byte[4]);
            rehearse(image);
            assertThat(file).hasSize(7);
            Files.delete(file.toPath());
            rehearse(image);
            assertThat(file).doesNotExist();
        }
    }
}
