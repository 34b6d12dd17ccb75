package org.gridmpj.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.Random;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class MessageBufferTest {
    private final MessageBuffer sender = new MessageBuffer();
    private final MessageBuffer receiver = new MessageBuffer();

    @ParameterizedTest
    @EnumSource(BaseType.class)
    void shouldEqualTheElementLoopWhenLayoutsDiffer(BaseType base) {
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            RandomTypes.Naive from = RandomTypes.random(random, base, random.nextInt(4));
            int count = 1 + random.nextInt(5);
            int elements = count * from.map().size();
            int offset = random.nextInt(3) + Math.max(0, -from.lower());
            Object source = RandomTypes.array(
                    random, base, offset + count * from.extent() + from.map().endElement());
            // the receiver's layout is its own: the same elements, other places
            RandomTypes.Naive to = RandomTypes.random(random, base, random.nextInt(4));
            int toCount = (elements + to.map().size() - 1) / to.map().size() + random.nextInt(2);
            Object target = RandomTypes.array(
                    random, base, offset + toCount * to.extent() + to.map().endElement());
            Object expected = copyOf(target);
            for (int i = 0; i < elements; i++) {
                Array.set(expected, place(to, offset, i), Array.get(source, place(from, offset, i)));
            }
            sender.forSend(source, offset, count, from.map());
            receiver.forReceive(target, offset, toCount, to.map());
            assertThat(sender.elementCount()).isEqualTo(elements);
            assertThat(receiver.capacityElements()).isEqualTo(toCount * to.map().size());
            assertThat(receiver.expect(sender.messageBytes(), sender.elementCount(), sender.flags()))
                    .isNull();
            transfer(random, sender, receiver);
            assertThat(receiver.finish()).isEqualTo(elements);
            assertThat(target)
                    .as("seed %d: %s to %s", seed, from.map(), to.map())
                    .isEqualTo(expected);
            sender.clear();
            receiver.clear();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = BaseType.class,
            names = {"OBJECT", "PACKED"},
            mode = EnumSource.Mode.EXCLUDE)
    void shouldTouchNoByteBesideItsOwnWhenAMessageIsShort(BaseType base) {
        Random random = new Random(7);
        TypeMap type = TypeMap.of(base);
        for (int count = 1; count <= 40; count++) {
            for (int offset = 0; offset < 9; offset++) {
                Object source = RandomTypes.array(random, base, offset + count + 3);
                Object target = RandomTypes.array(random, base, offset + count + 3);
                Object expected = copyOf(target);
                System.arraycopy(source, offset, expected, offset, count);
                int bytes = count * base.sizeBytes();
                MemorySegment wire =
                        MemorySegment.ofArray(new byte[16 + bytes + 16]).fill((byte) 0x55);
                sender.forSend(source, offset, count, type);
                receiver.forReceive(target, offset, count, type);
                assertThat(receiver.expect(bytes, count, sender.flags())).isNull();
                sender.read(0, wire, 16, bytes);
                receiver.write(0, wire, 16, bytes);
                assertThat(receiver.finish()).isEqualTo(count);
                assertThat(target).as("%d from %d", count, offset).isEqualTo(expected);
                for (int i = 0; i < 16; i++) {
                    assertThat(wire.get(ValueLayout.JAVA_BYTE, i)).isEqualTo((byte) 0x55);
                    assertThat(wire.get(ValueLayout.JAVA_BYTE, 16L + bytes + i)).isEqualTo((byte) 0x55);
                }
                sender.clear();
                receiver.clear();
            }
        }
    }

    private static int place(RandomTypes.Naive type, int offset, int element) {
        int size = type.displacements().size();
        return offset + element / size * type.extent() + type.displacements().get(element % size);
    }

    /** Pieces that begin at multiples of 8, sometimes again from the start as after a reconnect. */
    static void transfer(Random random, MessageBuffer from, MessageBuffer to) {
        long length = from.messageBytes();
        int shift = random.nextInt(9);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment wire = random.nextBoolean()
                    ? arena.allocate(length + 64)
                    : MemorySegment.ofArray(new byte[(int) length + 64]);
            long position = 0;
            int restarts = random.nextInt(3);
            while (position < length) {
                int piece =
                        (int) Math.min(length - position, 8L * (1 + random.nextInt(random.nextBoolean() ? 3 : 4000)));
                from.read(position, wire, shift, piece);
                to.write(position, wire, shift, piece);
                wire.fill((byte) 0x55);
                position += piece;
                if (restarts > 0 && random.nextInt(10) == 0) {
                    restarts--;
                    position = 0;
                }
            }
        }
    }

    private static Object copyOf(Object array) {
        int length = Array.getLength(array);
        Object copy = Array.newInstance(array.getClass().getComponentType(), length);
        System.arraycopy(array, 0, copy, 0, length);
        return copy;
    }

    @Test
    void shouldNameBothSizesWhenTruncated() {
        receiver.forReceive(new int[3], 0, 3, TypeMap.of(BaseType.INT));
        MpiFailure failure = receiver.expect(16, 4, 0);
        assertThat(failure).isNotNull().hasMessageContaining("16 bytes").hasMessageContaining("12");
        assertThat(errorClassOf(failure)).isEqualTo(ErrorClass.TRUNCATE);
        receiver.write(0, MemorySegment.ofArray(new byte[16]), 0, 16);
        assertThat(receiver.finish()).isZero();
        receiver.forReceive(new Object[1], 0, 1, TypeMap.of(BaseType.OBJECT));
        failure = receiver.expect(100, 2, FrameHeader.FLAG_OBJECTS);
        assertThat(failure).isNotNull().hasMessageContaining("2 objects").hasMessageContaining("room for 1");
    }

    @Test
    void shouldRefuseObjectsWhenPrimitivesAreAskedFor() {
        receiver.forReceive(new int[30], 0, 30, TypeMap.of(BaseType.INT));
        assertThat(errorClassOf(receiver.expect(40, 1, FrameHeader.FLAG_OBJECTS)))
                .isEqualTo(ErrorClass.TYPE);
    }

    @Test
    void shouldReceiveAsPackedWhenSentAsAnything() {
        int[] sent = {1, -2, 3};
        byte[] packed = new byte[20];
        sender.forSend(sent, 0, 3, TypeMap.of(BaseType.INT));
        receiver.forReceive(packed, 0, 20, TypeMap.of(BaseType.PACKED));
        assertThat(receiver.expect(sender.messageBytes(), 3, 0)).isNull();
        transfer(new Random(1), sender, receiver);
        assertThat(receiver.finish()).isEqualTo(12);
        int[] back = new int[3];
        assertThat(Packer.unpack(packed, 0, back, 0, 3, TypeMap.of(BaseType.INT)))
                .isEqualTo(12);
        assertThat(back).isEqualTo(sent);
    }

    @Test
    void shouldCheckArgumentsWhenTheyDoNotFit() {
        TypeMap type = TypeMap.of(BaseType.INT);
        assertFailure(ErrorClass.COUNT, "-1", () -> sender.forSend(new int[3], 0, -1, type));
        assertFailure(ErrorClass.ARG, "-2", () -> sender.forSend(new int[3], -2, 1, type));
        assertFailure(ErrorClass.TYPE, "float[]", () -> sender.forSend(new float[3], 0, 1, type));
        assertFailure(ErrorClass.TYPE, "int[]", () -> sender.forSend(new int[3], 0, 1, TypeMap.of(BaseType.OBJECT)));
        assertFailure(ErrorClass.BUFFER, "null", () -> sender.forSend(null, 0, 1, type));
        assertFailure(ErrorClass.BUFFER, "has 3 elements", () -> sender.forSend(new int[3], 2, 2, type));
        assertFailure(
                ErrorClass.BUFFER, "index 2147483647", () -> sender.forSend(new int[3], Integer.MAX_VALUE, 1, type));
        TypeMap column = TypeMap.vector(3, 1, 4, type);
        assertFailure(ErrorClass.BUFFER, "index 1 to 9", () -> sender.forSend(new int[9], 1, 1, column));
        sender.forSend(null, 0, 0, type);
        assertThat(sender.messageBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource(BaseType.class)
    void shouldTakeAnyArrayForNoElements(BaseType base) {
        for (Object array : new Object[] {new byte[0], new int[1], new Object[1], "no array"}) {
            sender.forSend(array, -7, 0, TypeMap.of(base));
            receiver.forReceive(array, 9, 0, TypeMap.of(base));
            assertThat(sender.messageBytes()).isZero();
            assertThat(sender.typeCode()).isEqualTo(base.code());
            assertThat(receiver.expect(0, 0, sender.flags())).isNull();
            assertThat(receiver.finish()).isZero();
            assertThat(receiver.expect(100, 1, sender.flags()))
                    .isNotNull()
                    .extracting(MpiFailure::errorClass)
                    .isEqualTo(ErrorClass.TRUNCATE);
        }
    }

    @Test
    void shouldTellItsOwnerWhenReleased() {
        int[] calls = new int[1];
        MessageBuffer owned = new MessageBuffer(() -> calls[0]++);
        owned.released();
        assertThat(calls[0]).isEqualTo(1);
    }

    private static void assertFailure(ErrorClass errorClass, String words, Runnable call) {
        assertThatThrownBy(call::run)
                .hasMessageContaining(words)
                .isInstanceOfSatisfying(
                        MpiFailure.class, e -> assertThat(e.errorClass()).isEqualTo(errorClass));
    }

    private static ErrorClass errorClassOf(@Nullable MpiFailure failure) {
        return failure == null ? ErrorClass.SUCCESS : failure.errorClass();
    }
}
