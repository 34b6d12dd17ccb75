package org.gridmpj.testkit.transport;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.gridmpj.transport.PayloadSource;

/**
 * A payload whose bytes follow from a seed, so that the receiver can tell what should have come. Spoils its bytes when it is
 * released: a transport that reads later sends rubbish.
 */
public final class PatternPayload implements PayloadSource {
    private final byte[] bytes;
    private int releases;

    /** The payload of a seed. */
    public PatternPayload(long seed, int lengthBytes) {
        bytes = pattern(seed, lengthBytes);
    }

    /** The bytes of a seed. */
    public static byte[] pattern(long seed, int lengthBytes) {
        byte[] pattern = new byte[lengthBytes];
        new SplittableRandom(seed).nextBytes(pattern);
        return pattern;
    }

    @Override
    public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
        if (positionBytes % Long.BYTES != 0) {
            throw new AssertionError("payload read from position " + positionBytes + ", no multiple of 8");
        }
        if (releases > 0) {
            throw new AssertionError("payload read after it was released");
        }
        MemorySegment.copy(bytes, (int) positionBytes, target, ValueLayout.JAVA_BYTE, targetOffset, lengthBytes);
    }

    @Override
    public void released() {
        releases++;
        Arrays.fill(bytes, (byte) 0xEE);
    }

    /** How often the transport has released this payload: at the end once. */
    public int releases() {
        return releases;
    }
}
