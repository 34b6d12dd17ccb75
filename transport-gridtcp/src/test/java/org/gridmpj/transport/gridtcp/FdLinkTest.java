package org.gridmpj.transport.gridtcp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.gridmpj.testkit.AllocationMeter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.parallel.Isolated;

/** Bytes of a socket into arrays. */
@EnabledOnOs(OS.LINUX)
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@Isolated
class FdLinkTest {
    private static final byte[] EARLY = {1, 2, 3};

    private Socket peer;
    private EpollDoorbell doorbell;
    private FdLink link;
    private int came;

    @BeforeEach
    void connect() throws IOException {
        LoopbackPair pair = LoopbackPair.open();
        peer = pair.dialled();
        Socket socket = pair.accepted();
        doorbell = new EpollDoorbell(false);
        assertThat(doorbell.watch(socket)).isTrue();
        link = new FdLink(socket, EARLY, doorbell, "peer");
    }

    @AfterEach
    void close() throws IOException {
        link.close();
        doorbell.close();
        peer.close();
    }

    private void send(ByteBuffer bytes) throws IOException {
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.remaining()).put(bytes);
        assertThat(peer.write(direct, 0, direct.capacity())).isEqualTo(direct.capacity());
    }

    private void read(Object array, int offset, int length) {
        int got = 0;
        while (got < length) {
            int bytes = link.readArray(array, offset + got, length - got);
            assertThat(bytes).isNotNegative();
            got += bytes;
        }
    }

    @Test
    void shouldFillTheArrayWithEarlyBytesAndThoseOfTheSocket() throws Exception {
        byte[] array = new byte[10];
        send(ByteBuffer.wrap(new byte[] {4, 5, 6, 7}));

        read(array, 1, 7);

        assertThat(array).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 0, 0);
    }

    @Test
    void shouldFillAnArrayOfEachType() throws Exception {
        read(new byte[3], 0, 3);
        ByteBuffer bytes = ByteBuffer.allocate(40).order(ByteOrder.nativeOrder());
        bytes.putDouble(1.5)
                .putInt(-2)
                .putFloat(3.5f)
                .putLong(4L << 40)
                .putShort((short) 5)
                .putChar('6')
                .flip();
        send(bytes);
        double[] doubles = new double[2];
        int[] ints = new int[2];
        float[] floats = new float[2];
        long[] longs = new long[2];
        short[] shorts = new short[2];
        char[] chars = new char[2];

        read(doubles, 8, 8);
        read(ints, 4, 4);
        read(floats, 4, 4);
        read(longs, 8, 8);
        read(shorts, 2, 2);
        read(chars, 2, 2);

        assertThat(doubles).containsExactly(0, 1.5);
        assertThat(ints).containsExactly(0, -2);
        assertThat(floats).containsExactly(0, 3.5f);
        assertThat(longs).containsExactly(0, 4L << 40);
        assertThat(shorts).containsExactly((short) 0, (short) 5);
        assertThat(chars).containsExactly((char) 0, '6');
    }

    @Test
    void shouldMakeNoObjectWhenItIsAskedAgainBeforeBytesHaveCome() {
        byte[] array = new byte[1 << 10];
        read(array, 0, EARLY.length);
        // a call makes some until the compiler sees through it
        double bytes = AllocationMeter.bytesPerRound(500_000, () -> came += link.readArray(array, 8, 16));

        assertThat(came).isZero();
        assertThat(bytes).isLessThan(1);
    }

    @Test
    void shouldAskForTheOtherPlaceWhenItIsAskedForOneAfterNothingHadCome() throws Exception {
        byte[] array = new byte[8];
        byte[] other = new byte[8];
        read(array, 0, EARLY.length);
        assertThat(link.readArray(array, 0, 4)).isZero();
        send(ByteBuffer.wrap(new byte[] {4, 5, 6, 7, 8}));

        read(other, 2, 2);
        read(other, 0, 1);
        read(array, 6, 2);

        assertThat(other).containsExactly(6, 0, 4, 5, 0, 0, 0, 0);
        assertThat(array).containsExactly(1, 2, 3, 0, 0, 0, 7, 8);
    }

    @Test
    void shouldSayThatNothingWillComeWhenThePeerHasClosed() throws Exception {
        byte[] array = new byte[8];
        read(array, 0, EARLY.length);
        peer.close();
        int bytes = 0;
        while (bytes == 0) {
            bytes = link.readArray(array, 0, 8);
        }
        assertThat(bytes).isEqualTo(-1);
    }
}
