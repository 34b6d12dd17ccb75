package org.gridmpj.checkpoint;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The first 128 bits of a block's SHA-256. A block with the same hash is taken to be the same one, so the function must
 * have no known collisions, whatever bytes a program holds; the JDK has it with the processor's own instructions.
 */
record BlockHash(long high, long low) {
    /** Computes hashes. Confined to one thread. */
    static final class Hasher {
        private final MessageDigest sha256;

        Hasher() {
            try {
                sha256 = MessageDigest.getInstance("SHA-256");
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every JDK has SHA-256", e);
            }
        }

        /** Of all remaining bytes, which are consumed. */
        BlockHash of(ByteBuffer bytes) {
            sha256.update(bytes);
            byte[] digest = sha256.digest();
            return new BlockHash(word(digest, 0), word(digest, 8));
        }

        private static long word(byte[] bytes, int offset) {
            long word = 0;
            for (int i = 7; i >= 0; i--) {
                word = (word << 8) | (bytes[offset + i] & 0xff);
            }
            return word;
        }
    }
}
