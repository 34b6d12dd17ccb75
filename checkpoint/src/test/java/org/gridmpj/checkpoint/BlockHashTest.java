package org.gridmpj.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockHashTest {
    private static final BlockHash.Key KEY = new BlockHash.Key(17, 23);
    private static final BigInteger WORD = BigInteger.TWO.pow(64);

    private final BlockHash.Hasher hasher = new BlockHash.Hasher(KEY);
    private final Random random = new Random(5);

    private BlockHash hash(byte[] bytes) {
        return hasher.of(ByteBuffer.wrap(bytes));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The sum of products of pairs of words, each with a word of the key added, modulo 2¹²⁸. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 15, 16, 17, 4096, 65521, 65536})
    void shouldBeTheSumOfNh(int length) {
        byte[] bytes = bytes(length);
        SplittableRandom first = new SplittableRandom(KEY.high());
        SplittableRandom second = new SplittableRandom(KEY.low());
        long[] key = new long[ImageFormat.BLOCK_BYTES / Long.BYTES + 2];
        Arrays.setAll(key, i -> first.nextLong() ^ second.nextLong());
        byte[] padded = Arrays.copyOf(bytes, (length + 15) / 16 * 16);
        BigInteger sum = product(length, key[key.length - 2], 0, key[key.length - 1]);
        ByteBuffer words = ByteBuffer.wrap(padded).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < padded.length / Long.BYTES; i += 2) {
            sum = sum.add(product(words.getLong(), key[i], words.getLong(), key[i + 1]));
        }
        BlockHash hash = hash(bytes);
        assertThat(unsigned(hash.high()).multiply(WORD).add(unsigned(hash.low())))
                .isEqualTo(sum.mod(WORD.multiply(WORD)));
    }

    private static BigInteger product(long a, long keyOfA, long b, long keyOfB) {
        return unsigned(a + keyOfA).multiply(unsigned(b + keyOfB));
    }

    private static BigInteger unsigned(long word) {
        return new BigInteger(Long.toUnsignedString(word));
    }

    @Test
    void shouldDifferWhenAnyBitDoes() {
        byte[] bytes = new byte[200];
        Set<BlockHash> hashes = new HashSet<>(Set.of(hash(bytes)));
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(hashes.add(hash(bytes))).as("bit %d", bit).isTrue();
            bytes[bit / 8] ^= (byte) (1 << bit % 8);
        }
    }

    @Test
    void shouldDifferWhenOnlyTheLengthDoes() {
        Set<BlockHash> hashes = new HashSet<>();
        for (int length = 0; length <= 100; length++) {
            assertThat(hashes.add(hash(new byte[length])))
                    .as("%d zeros", length)
                    .isTrue();
        }
    }

    @Test
    void shouldDifferWhenWordsChangePlaces() {
        byte[] bytes = bytes(64);
        byte[] swapped = bytes.clone();
        System.arraycopy(bytes, 0, swapped, 8, 8);
        System.arraycopy(bytes, 8, swapped, 0, 8);
        assertThat(hash(swapped)).isNotEqualTo(hash(bytes));
    }

    @Test
    void shouldDependOnTheKey() {
        byte[] bytes = bytes(1000);
        assertThat(new BlockHash.Hasher(new BlockHash.Key(17, 24)).of(ByteBuffer.wrap(bytes)))
                .isNotEqualTo(hash(bytes));
        assertThat(new BlockHash.Hasher(KEY).of(ByteBuffer.wrap(bytes))).isEqualTo(hash(bytes));
        assertThat(BlockHash.Key.random()).isNotEqualTo(BlockHash.Key.random());
    }

    @Test
    void shouldTakeWhatRemainsOfABuffer() {
        byte[] bytes = bytes(300);
        ByteBuffer part = ByteBuffer.wrap(bytes, 30, 100).slice().position(5);
        assertThat(hasher.of(part)).isEqualTo(hash(Arrays.copyOfRange(bytes, 35, 130)));
        assertThat(part.hasRemaining()).isFalse();
    }
}
