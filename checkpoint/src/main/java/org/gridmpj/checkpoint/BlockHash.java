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

        private final byte[] last = new byte[PAIR_BYTES];

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
            int whole = lengthBytes & -PAIR_BYTES;
            int lengthAt = words.length - 2;
            long low = (lengthBytes + words[lengthAt]) * words[lengthAt + 1];
            long high = Math.unsignedMultiplyHigh(lengthBytes + words[lengthAt], words[lengthAt + 1]);
            for (int at = 0; at < whole; at += PAIR_BYTES) {
                int word = at / Long.BYTES;
                long a = (long) WORD.get(bytes, offset + at) + words[word];
                long b = (long) WORD.get(bytes, offset + at + Long.BYTES) + words[word + 1];
                long product = a * b;
                low += product;
                high += Math.unsignedMultiplyHigh(a, b) + (Long.compareUnsigned(low, product) < 0 ? 1 : 0);
            }
            if (whole < lengthBytes) {
                Arrays.fill(last, (byte) 0);
                System.arraycopy(bytes, offset + whole, last, 0, lengthBytes - whole);
                long a = (long) WORD.get(last, 0) + words[whole / Long.BYTES];
                long b = (long) WORD.get(last, Long.BYTES) + words[whole / Long.BYTES + 1];
                long product = a * b;
                low += product;
                high += Math.unsignedMultiplyHigh(a, b) + (Long.compareUnsigned(low, product) < 0 ? 1 : 0);
            }
            return new BlockHash(high, low);
        }
    }
}
