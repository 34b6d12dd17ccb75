package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is attached for Bsend, and what of it a snapshot has. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class BufferAttachTest {
    @BeforeEach
    void init() {
        MPI.Init(new String[0]);
    }

    @AfterEach
    void finish() {
        MPI.Finalize();
    }

    @Test
    void shouldKeepAnArrayUntilItIsDetached() {
        byte[] room = new byte[4096];
        MPI.Buffer_attach(room);
        assertThat(MPI.attached()).isSameAs(room);
        assertThat(MPI.Buffer_detach()).isSameAs(room);
        assertThat(MPI.attached()).isNull();
    }

    @Test
    void shouldGiveRoomButKeepNothingOfADirectBuffer() {
        MPI.Buffer_attach(ByteBuffer.allocateDirect(4096));
        // or no snapshot would succeed until it is detached
        assertThat(MPI.attached()).isNull();
        int[] got = new int[1];
        MPI.COMM_SELF.Bsend(new int[] {42}, 0, 1, MPI.INT, 0, 7);
        MPI.COMM_SELF.Recv(got, 0, 1, MPI.INT, 0, 7);
        assertThat(got).containsExactly(42);
        assertThat(MPI.Buffer_detach()).isEmpty();
    }
}
