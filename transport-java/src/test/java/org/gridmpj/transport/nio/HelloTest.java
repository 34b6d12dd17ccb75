package org.gridmpj.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HelloTest {
    private static final Hello HELLO = new Hello(Hello.VERSION, 3, 9, 2, 1, 4);

    /** The format of version 1: whoever changes these bytes changes the version. */
    private static final String GOLDEN = "475249444d504a00" + "04030201" + "01000000" + "03000000" + "09000000"
            + "02000000" + "01000000" + "04000000" + "00000000" + "0ba7260d" + "00000000";

    @Test
    void shouldKeepItsFormatWhenEncoded() {
        assumeTrue(ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN, "the golden bytes are little-endian");
        assertThat(HexFormat.of().formatHex(HELLO.encode())).isEqualTo(GOLDEN);
    }

    @Test
    void shouldComeBackEqualWhenDecoded() throws HandshakeRefusal {
        assertThat(Hello.decode(HELLO.encode())).isEqualTo(HELLO);
    }

    @Test
    void shouldRefuseForGoodWhenTheByteOrderIsTheOther() {
        byte[] bytes = HELLO.encode();
        nativeOrder(bytes).putInt(8, Integer.reverseBytes(Hello.ORDER_MARK));
        assertThatThrownBy(() -> Hello.decode(bytes))
                .isInstanceOfSatisfying(
                        HandshakeRefusal.class, e -> assertThat(e.forGood()).isTrue())
                .hasMessageContaining("byte order");
    }

    @Test
    void shouldRefuseForGoodAndNameBothWhenTheVersionIsAnother() {
        byte[] bytes = new Hello(Hello.VERSION + 6, 3, 9, 2, 1, 4).encode();
        assertThatThrownBy(() -> Hello.decode(bytes))
                .isInstanceOfSatisfying(
                        HandshakeRefusal.class, e -> assertThat(e.forGood()).isTrue())
                .hasMessageContaining("version 7")
                .hasMessageContaining("version 1");
    }

    @Test
    void shouldRefuseWhenAnyByteOfTheBodyIsDamaged() {
        for (int at = 16; at < 44; at++) {
            byte[] bytes = HELLO.encode();
            bytes[at] ^= 0x10;
            assertThatThrownBy(() -> Hello.decode(bytes)).as("byte %d", at).hasMessageContaining("damaged");
        }
    }

    @Test
    void shouldRefuseWhenItIsSomethingElse() {
        assertThatThrownBy(() -> Hello.decode(new byte[Hello.BYTES])).hasMessageContaining("does not greet");
    }

    private static ByteBuffer nativeOrder(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }
}
