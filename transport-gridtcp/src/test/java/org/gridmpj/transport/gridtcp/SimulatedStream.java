package org.gridmpj.transport.gridtcp;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/** One direction of a simulated connection: bytes in order, of which a cut loses the end. */
final class SimulatedStream {
    private byte[] bytes = new byte[1024];
    private int from;
    private int to;
    /** Whole frames written so far, for ghosts that appear on the next connection. */
    private byte[] log = new byte[1024];

    private int logged;
    private int nextHead;
    private int wholeFrames;

    int available() {
        return to - from;
    }

    /** Whether the writer is at the first byte of a frame. */
    boolean atHead() {
        return logged == nextHead;
    }

    void write(byte[] source, int length) {
        bytes = append(bytes, to, source, length);
        to += length;
        log = append(log, logged, source, length);
        logged += length;
        while (nextHead + LinkPrefix.BYTES <= logged) {
            long body =
                    ByteBuffer.wrap(log).order(ByteOrder.nativeOrder()).getLong(nextHead + LinkPrefix.LENGTH_OFFSET);
            if (nextHead + LinkPrefix.BYTES + body > logged) {
                nextHead += (int) (LinkPrefix.BYTES + body);
                break;
            }
            nextHead += (int) (LinkPrefix.BYTES + body);
            wholeFrames = nextHead;
        }
    }

    /** A bit of the last written bytes turns. */
    void turnBit(SplittableRandom random, int lastBytes) {
        bytes[to - 1 - random.nextInt(lastBytes)] ^= (byte) (1 << random.nextInt(8));
    }

    private static byte[] append(byte[] array, int at, byte[] source, int length) {
        byte[] target = at + length > array.length ? Arrays.copyOf(array, 2 * (at + length)) : array;
        System.arraycopy(source, 0, target, at, length);
        return target;
    }

    int read(byte[] target, int length) {
        int taken = Math.min(length, available());
        System.arraycopy(bytes, from, target, 0, taken);
        from += taken;
        if (from == to) {
            from = 0;
            to = 0;
        }
        return taken;
    }

    /** The connection breaks: what was in flight is lost from some byte on. */
    void cut(SplittableRandom random) {
        to = from + random.nextInt(available() + 1);
    }

    /** Whole frames that this stream has carried, from one of them on. */
    byte[] ghosts(SplittableRandom random) {
        int start = 0;
        ByteBuffer view = ByteBuffer.wrap(log).order(ByteOrder.nativeOrder());
        while (start < wholeFrames && random.nextInt(4) != 0) {
            start += (int) (LinkPrefix.BYTES + view.getLong(start + LinkPrefix.LENGTH_OFFSET));
        }
        return start < wholeFrames ? Arrays.copyOfRange(log, start, wholeFrames) : new byte[0];
    }
}
