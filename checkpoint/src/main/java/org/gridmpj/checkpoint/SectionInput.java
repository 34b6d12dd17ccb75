package org.gridmpj.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The bytes of one section, read through a buffer. Confined to one thread; several sections of one image are read one
 * after the other.
 */
final class SectionInput {
    private final BlockReader blocks;
    private final SectionEntry entry;
    /** Room for what is left of a block and the next one. */
    private final ByteBuffer buffer =
            ByteBuffer.allocate(2 * ImageFormat.BLOCK_BYTES).order(ByteOrder.LITTLE_ENDIAN);

    private int nextBlock;
    private long unread;

    SectionInput(BlockReader blocks, SectionEntry entry) {
        this.blocks = blocks;
        this.entry = entry;
        this.unread = entry.lengthBytes();
        buffer.flip();
    }

    /** Bytes not yet read. */
    long remaining() {
        return unread + buffer.remaining();
    }

    /** Fills the rest of a buffer. */
    void read(ByteBuffer target) throws IOException {
        while (target.hasRemaining()) {
            if (!buffer.hasRemaining()) {
                fill(0);
            }
            int length = Math.min(buffer.remaining(), target.remaining());
            target.put(target.position(), buffer, buffer.position(), length);
            target.position(target.position() + length);
            buffer.position(buffer.position() + length);
        }
    }

    /** The rest of the section as a stream. */
    InputStream stream() {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                byte[] one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                int part = (int) Math.min(length, remaining());
                if (part == 0 && length > 0) {
                    return -1;
                }
                SectionInput.this.read(ByteBuffer.wrap(target, offset, part));
                return part;
            }
        };
    }

    /** The buffer with at least that many bytes in it, little-endian. */
    private ByteBuffer require(int bytes) throws IOException {
        if (buffer.remaining() < bytes) {
            fill(bytes);
        }
        return buffer;
    }

    int readInt() throws IOException {
        return require(4).getInt();
    }

    long readLong() throws IOException {
        return require(8).getLong();
    }

    short readShort() throws IOException {
        return require(2).getShort();
    }

    /** A length of bytes that follow in this section. */
    long readLength() throws IOException {
        long length = readLong();
        if (length < 0 || length > remaining()) {
            throw tooShort();
        }
        return length;
    }

    byte[] readBytes(long length) throws IOException {
        if (length > remaining() || length > Integer.MAX_VALUE) {
            throw tooShort();
        }
        byte[] bytes = new byte[(int) length];
        read(ByteBuffer.wrap(bytes));
        return bytes;
    }

    private void fill(int atLeast) throws IOException {
        if (unread == 0 || atLeast > remaining()) {
            throw tooShort();
        }
        buffer.compact();
        ByteBuffer block = blocks.read(entry, nextBlock);
        nextBlock++;
        unread -= block.remaining();
        buffer.put(block);
        buffer.flip();
    }

    private ImageCorruptException tooShort() {
        return new ImageCorruptException("section \"" + entry.name() + "\" is too short for what it is to hold");
    }
}
