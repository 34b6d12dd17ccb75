package org.gridmpj.checkpoint;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Reads blocks of an image, wherever they stand. Confined to one thread at a time; owns the channels. */
final class BlockReader implements Closeable {
    private final SeekableByteChannel own;
    private final BaseImages baseImages;
    private final Map<ImageBase, SeekableByteChannel> bases = new HashMap<>();
    private final byte[] stored = new byte[2 * ImageFormat.BLOCK_BYTES];
    private final byte[] raw = new byte[ImageFormat.BLOCK_BYTES];
    private final BlockCodec codec = new BlockCodec();
    private final CRC32C crc = new CRC32C();

    /** Opens the files of earlier images. */
    @FunctionalInterface
    interface BaseImages {
        /** @param file name in the store */
        SeekableByteChannel open(String file) throws IOException;
    }

    BlockReader(SeekableByteChannel own, BaseImages baseImages) {
        this.own = own;
        this.baseImages = baseImages;
    }

    /**
     * Reads a block.
     *
     * @return the bytes as the program had them; valid until the next call
     */
    ByteBuffer read(SectionEntry section, int number) throws IOException {
        Block block = section.blocks().get(number);
        int rawBytes = section.rawBytes(number);
        readStored(section, block);
        if (!block.isCompressed()) {
            if (block.storedBytes() != rawBytes) {
                throw new ImageCorruptException("a block of section \"" + section.name() + "\" has "
                        + block.storedBytes() + " bytes instead of " + rawBytes);
            }
            return ByteBuffer.wrap(stored, 0, rawBytes);
        }
        codec.decompress(stored, block.storedBytes(), raw, rawBytes);
        return ByteBuffer.wrap(raw, 0, rawBytes);
    }

    /** Reads a block's bytes as they are stored, and compares their checksum. */
    private void readStored(SectionEntry section, Block block) throws IOException {
        SeekableByteChannel channel = channel(block.base());
        channel.position(block.offset());
        ImageReader.readFully(channel, ByteBuffer.wrap(stored, 0, block.storedBytes()));
        crc.reset();
        crc.update(stored, 0, block.storedBytes());
        if ((int) crc.getValue() != block.crc32c()) {
            ImageBase base = block.base();
            throw new ImageCorruptException("the checksum of a block of section \"" + section.name() + "\" is wrong"
                    + (base == null ? "" : ", which is in " + base.file()));
        }
    }

    /** Reads all blocks that stand in other files. */
    void checkBases(Iterable<SectionEntry> sections) throws IOException {
        for (SectionEntry section : sections) {
            for (Block block : section.blocks()) {
                if (block.base() != null) {
                    readStored(section, block);
                }
            }
        }
    }

    private SeekableByteChannel channel(@Nullable ImageBase base) throws IOException {
        if (base == null) {
            return own;
        }
        SeekableByteChannel open = bases.get(base);
        if (open == null) {
            open = open(base);
            bases.put(base, open);
        }
        return open;
    }

    private SeekableByteChannel open(ImageBase base) throws IOException {
        SeekableByteChannel channel;
        try {
            channel = baseImages.open(base.file());
        } catch (NoSuchFileException e) {
            throw new ImageCorruptException("it is an increment to " + base.file() + ", which is missing");
        }
        try {
            ImageSummary found = ImageReader.summary(channel);
            if (!found.equals(base.summary())) {
                throw new ImageCorruptException("it is another image");
            }
            return channel;
        } catch (IOException e) {
            channel.close();
            throw new ImageCorruptException(
                    "it is an increment to " + base.file() + ", which is damaged: " + e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        codec.close();
        IOException failure = null;
        for (SeekableByteChannel base : bases.values()) {
            try {
                base.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        own.close();
        if (failure != null) {
            throw failure;
        }
    }
}
