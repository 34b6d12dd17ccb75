package org.gridmpj.launcher.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import mpi.MPI;
import org.gridmpj.runtime.ArgsLayout;
import org.junit.jupiter.api.Test;

class ProgramTraitsTest {
    static final class Capitalised {
        public static void main(String[] args) {
            MPI.Init(args);
            System.out.println(MPI.COMM_WORLD.Rank());
            MPI.Finalize();
        }
    }

    static final class Reader {
        public static void main(String[] args) {
            MPI.Init(args);
            System.out.println(args[0]);
            MPI.Finalize();
        }
    }

    static final class NoMpi {
        public static void main(String[] args) {
            System.out.println(args.length);
        }
    }

    private static byte[] bytes(Class<?> type) throws IOException {
        String file = type.getName().replace('.', '/') + ".class";
        try (InputStream in = Objects.requireNonNull(type.getClassLoader().getResourceAsStream(file))) {
            return in.readAllBytes();
        }
    }

    @Test
    void shouldTakeTheCapitalisedInterfaceAsMpjExpressHasIt() throws IOException {
        assertThat(ProgramTraits.of(bytes(Capitalised.class)).layout()).isEqualTo(ArgsLayout.MPJEXPRESS);
        assertThat(ProgramTraits.of(bytes(Capitalised.class)).usesDraftNames()).isFalse();
    }

    @Test
    void shouldLeaveOtherProgramsTheirOwnArguments() throws IOException {
        assertThat(ProgramTraits.of(bytes(NoMpi.class)).layout()).isEqualTo(ArgsLayout.CLEAN);
        assertThat(ProgramTraits.of(new byte[] {1, 2, 3, 4, 5}).layout()).isEqualTo(ArgsLayout.CLEAN);
    }

    @Test
    void shouldSeeWhetherMainReadsItsArguments() throws IOException {
        assertThat(ProgramTraits.mainReadsArguments(bytes(Capitalised.class))).isFalse();
        assertThat(ProgramTraits.mainReadsArguments(bytes(Reader.class))).isTrue();
        assertThat(ProgramTraits.mainReadsArguments(bytes(NoMpi.class))).isTrue();
    }
}
