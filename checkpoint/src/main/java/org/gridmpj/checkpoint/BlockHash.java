package org.gridmpj.checkpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * 128 bits of a block's bytes, by NH (the universal hash of UMAC; Black, Halevi, Krawczyk, Krovetz, Rogaway, CRYPTO '99), here of
 * words of 64 bits. A block with the same hash is taken to be the same one: of two that are not, with probability 2⁻⁶⁴ at most,
 * whatever bytes a program holds, for it does not know the key, which is drawn anew for each full image.
 */
record BlockHash(long high, long low) {
    /** What the hashes of an image and its increments depend on; stands in each of them. */
    record Key(long high, long low) {
        private static final SecureRandom RANDOM = new SecureRandom();

        static Key random() {
            return new Key(RANDOM.nextLong(), RANDOM.nextLong());
        }
    }

    /** Computes hashes. Confined to one thread. */
    static final class Hasher {
        private static final int PAIR_BYTES = 2 * Long.BYTES;
        private static final VarHandle WORD =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

        /** A word for each of a block, and a pair for its length. */
        private final long[] words = new long[ImageFormat.BLOCK_BYTES / Long.BYTES + 2];

        /** What is no whole pair of the block's: its end, and its length. */
        private final byte[] pair = new byte[PAIR_BYTES];

        private long low;
        private long high;

        Hasher(Key key) {
            SplittableRandom first = new SplittableRandom(key.high);
            SplittableRandom second = new SplittableRandom(key.low);
            for (int i = 0; i < words.length; i++) {
                words[i] = first.nextLong() ^ second.nextLong();
            }
        }

        /** Of all remaining bytes, which are consumed: those of a block, in an array. */
        BlockHash of(ByteBuffer bytes) {
            BlockHash hash = of(bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
            bytes.position(bytes.limit());
            return hash;
        }

        private BlockHash of(byte[] bytes, int offset, int lengthBytes) {
            low = 0;
            high = 0;
            int whole = lengthBytes & -PAIR_BYTES;
            add(bytes, offset, whole, 0);
            if (whole < lengthBytes) {
                Arrays.fill(pair, (byte) 0);
                System.arraycopy(bytes, offset + whole, pair, 0, lengthBytes - whole);
                add(pair, 0, PAIR_BYTES, whole / Long.BYTES);
            }
            WORD.set(pair, 0, (long) lengthBytes);
            WORD.set(pair, Long.BYTES, 0L);
            add(pair, 0, PAIR_BYTES, words.length - 2);
            return new BlockHash(high, low);
        }

        /** The products of whole pairs; the first of their words has the word of the key of this number. */
        private void add(byte[] bytes, int offset, int lengthBytes, int firstWord) {
            long sumLow = low;
            long sumHigh = high;
            for (int at = 0; at < lengthBytes; at += PAIR_BYTES) {
                int word = firstWord + at / Long.BYTES;
                long a = (long) WORD.get(bytes, offset + at) + words[word];
                long b = (long) WORD.get(bytes, offset + at + Long.BYTES) + words[word + 1];
                long product = a * b;
                sumLow += product;
                sumHigh += Math.unsignedMultiplyHigh(a, b) + (Long.compareUnsigned(sumLow, product) < 0 ? 1 : 0);
            }
            low = sumLow;
            high = sumHigh;
        }
    }
}
