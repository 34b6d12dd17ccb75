package org.gridmpj.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.gridmpj.error.MpiFailure;
import org.junit.jupiter.api.Test;

final class ObjectMessageTest {
    private static final TypeMap OBJECT = TypeMap.of(BaseType.OBJECT);

    private final MessageBuffer sender = new MessageBuffer();
    private final MessageBuffer receiver = new MessageBuffer();

    private Object[] send(Object[] elements, Object[] target, Random random) {
        sender.forSend(elements, 0, elements.length, OBJECT);
        receiver.forReceive(target, 0, elements.length, OBJECT);
        assertThat(receiver.expect(sender.messageBytes(), sender.elementCount(), sender.flags()))
                .isNull();
        MessageBufferTest.transfer(random, sender, receiver);
        assertThat(receiver.finish()).isEqualTo(elements.length);
        sender.clear();
        receiver.clear();
        return target;
    }

    @Test
    void shouldHaveATinyHeaderWhenRowsAreAlike() {
        float[][] matrix = new float[128][128];
        sender.forSend(matrix, 0, 128, OBJECT);
        assertThat(sender.messageBytes()).isLessThan(128 * 128 * 4 + 256);
        sender.clear();
    }

    @Test
    void shouldTellWhenTheBufferCannotHoldWhatCame() {
        assertThatThrownBy(() -> send(new Object[] {"text"}, new Integer[1], new Random(1)))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("java.lang.String");
    }

    @Test
    void shouldUnpackAnyNumberWhenObjectsWerePacked() {
        Object[] elements = {"one", new int[] {1, 2, 3}, null, 4.0, new double[100]};
        byte[] packed = new byte[Packer.packSize(elements, 0, 5, OBJECT) + 7];
        int end = Packer.pack(elements, 0, 5, OBJECT, packed, 7);
        assertThat(end).isEqualTo(packed.length);
        Object[] back = new Object[5];
        int at = Packer.unpack(packed, 7, back, 0, 2, OBJECT);
        at = Packer.unpack(packed, at, back, 2, 1, OBJECT);
        assertThat(Packer.unpack(packed, at, back, 3, 2, OBJECT)).isEqualTo(end);
        assertThat(Arrays.deepEquals(back, elements)).isTrue();
        assertThatThrownBy(() -> Packer.pack(elements, 0, 5, OBJECT, new byte[300], 0))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("300");
        assertThatThrownBy(() -> Packer.unpack(new byte[300], 0, back, 0, 1, OBJECT))
                .isInstanceOf(MpiFailure.class)
                .hasMessageContaining("no serialized object");
    }

    @Test
    void shouldReceiveAsObjectWhenSentPackedAndTheReverse() {
        Object[] elements = {"one", new int[] {1, 2, 3}, new float[50]};
        byte[] packed = new byte[Packer.packSize(elements, 0, 3, OBJECT)];
        Packer.pack(elements, 0, 3, OBJECT, packed, 0);
        sender.forSend(packed, 0, packed.length, TypeMap.of(BaseType.PACKED));
        Object[] back = new Object[4];
        receiver.forReceive(back, 0, 4, OBJECT);
        assertThat(receiver.expect(packed.length, packed.length, 0)).isNull();
        MessageBufferTest.transfer(new Random(2), sender, receiver);
        assertThat(receiver.finish()).isEqualTo(3);
        assertThat(Arrays.deepEquals(Arrays.copyOf(back, 3), elements)).isTrue();

        sender.forSend(elements, 0, 3, OBJECT);
        byte[] received = new byte[1000];
        receiver.forReceive(received, 0, 1000, TypeMap.of(BaseType.PACKED));
        assertThat(receiver.expect(sender.messageBytes(), 3, sender.flags())).isNull();
        MessageBufferTest.transfer(new Random(3), sender, receiver);
        int bytes = receiver.finish();
        Object[] again = new Object[3];
        assertThat(Packer.unpack(received, 0, again, 0, 3, OBJECT)).isEqualTo(bytes);
        assertThat(Arrays.deepEquals(again, elements)).isTrue();
    }

    @Test
    void shouldReceiveNothingWhenNoObjectsAreSent() {
        sender.forSend(new Object[1], 0, 0, OBJECT);
        assertThat(sender.messageBytes()).isZero();
        receiver.forReceive(new Object[1], 0, 1, OBJECT);
        assertThat(receiver.expect(0, 0, sender.flags())).isNull();
        assertThat(receiver.finish()).isZero();
    }
}
