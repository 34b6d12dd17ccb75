package org.gridmpj.checkpoint;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.util.Collection;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads an image. Header, trailer and directory are checked when it is opened, the blocks by {@link #verify} and again
 * when they are read. Confined to one thread at a time; owns the channel.
 */
final class ImageReader implements Closeable {
    private final SeekableByteChannel channel;
    private final ImageHeader header;
    private final ImageSummary summary;
    private final BlockHash.Key key;
    private final Map<String, SectionEntry> directory;
    private final BlockReader blocks;

    private ImageReader(
            SeekableByteChannel channel,
            ImageHeader header,
            ImageSummary summary,
            BlockHash.Key key,
            Map<String, SectionEntry> directory,
            BlockReader blocks) {
        this.channel = channel;
        this.header = header;
        this.summary = summary;
        this.key = key;
        this.directory = directory;
        this.blocks = blocks;
    }

    /** Opens an image that stands alone; the channel is closed if it is none. */
    static ImageReader open(SeekableByteChannel channel) throws IOException {
        return open(channel, file -> {
            throw new NoSuchFileException(file);
        });
    }

    /**
     * Opens an image; the channel is closed if it is none.
     *
     * @param bases where the images are that it may refer to
     */
    static ImageReader open(SeekableByteChannel channel, BlockReader.BaseImages bases) throws IOException {
        try {
            ImageHeader header = readHeader(channel);
            ByteBuffer trailer = readTrailer(channel);
            long directoryOffset = trailer.getLong(ImageFormat.DIRECTORY_OFFSET_OFFSET);
            int directoryBytes = trailer.getInt(ImageFormat.DIRECTORY_LENGTH_OFFSET);
            if (directoryBytes < 0
                    || directoryOffset < 0
                    || directoryOffset + directoryBytes + ImageFormat.TRAILER_BYTES != channel.size()) {
                throw new ImageCorruptException("the directory is not where the trailer says");
            }
            ByteBuffer bytes = read(channel, directoryOffset, directoryBytes);
            CRC32C crc = new CRC32C();
            crc.update(bytes.duplicate());
            if ((int) crc.getValue() != trailer.getInt(ImageFormat.DIRECTORY_CRC_OFFSET)) {
                throw new ImageCorruptException("the directory's checksum is wrong");
            }
            Map<String, SectionEntry> directory = ImageDirectory.decode(
                    bytes,
                    trailer.getInt(ImageFormat.BASE_COUNT_OFFSET),
                    trailer.getInt(ImageFormat.SECTION_COUNT_OFFSET),
                    directoryOffset);
            ImageSummary summary = new ImageSummary(channel.size(), trailer.getInt(ImageFormat.WHOLE_CRC_OFFSET));
            BlockHash.Key key = new BlockHash.Key(
                    trailer.getLong(ImageFormat.HASH_KEY_OFFSET),
                    trailer.getLong(ImageFormat.HASH_KEY_OFFSET + Long.BYTES));
            return new ImageReader(channel, header, summary, key, directory, new BlockReader(channel, bases));
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** What the trailer of an image says of it. */
    static ImageSummary summary(SeekableByteChannel channel) throws IOException {
        ImageHeader _ = readHeader(channel);
        return new ImageSummary(channel.size(), readTrailer(channel).getInt(ImageFormat.WHOLE_CRC_OFFSET));
    }

    ImageHeader header() {
        return header;
    }

    ImageSummary summary() {
        return summary;
    }

    /** The sections, in the order of the file. */
    Collection<SectionEntry> sections() {
        return directory.values();
    }

    /** Reads every byte that the image consists of, here and in earlier ones, once, and compares every checksum. */
    void verify() throws IOException {
        verifyFile();
        verifyBases();
    }

    /** Reads what the image refers to in earlier ones, and compares the checksums. */
    void verifyBases() throws IOException {
        blocks.checkBases(directory.values());
    }

    /** Reads the whole file, but not those that it refers to, and compares every checksum. */
    void verifyFile() throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(ImageFormat.CHUNK_BYTES);
        CRC32C whole = new CRC32C();
        long position = 0;
        for (SectionEntry entry : directory.values()) {
            for (Block block : entry.blocks()) {
                if (block.base() == null) {
                    position = digest(position, block.offset(), chunk, whole, null);
                    CRC32C own = new CRC32C();
                    position = digest(position, block.offset() + block.storedBytes(), chunk, whole, own);
                    if ((int) own.getValue() != block.crc32c()) {
                        throw new ImageCorruptException(
                                "the checksum of a block of section \"" + entry.name() + "\" is wrong");
                    }
                }
            }
        }
        digest(position, summary.bytes() - ImageFormat.TRAILER_BYTES, chunk, whole, null);
        if ((int) whole.getValue() != summary.crc32c()) {
            throw new ImageCorruptException("the checksum of the file is wrong");
        }
    }

    /** Reads every section as a restore does and compares what comes out with what the program had at the cut. */
    void verifyContent() throws IOException {
        verify();
        BlockHash.Hasher hasher = new BlockHash.Hasher(key);
        for (SectionEntry entry : directory.values()) {
            for (int number = 0; number < entry.blocks().size(); number++) {
                BlockHash written = entry.blocks().get(number).hash();
                BlockHash found = hasher.of(blocks.read(entry, number));
                if (!found.equals(written)) {
                    throw new ImageCorruptException("block " + number + " of section \"" + entry.name()
                            + "\" is not what the program had at the cut");
                }
            }
        }
    }

    /** The bytes of one section, as a stream. */
    SectionInput section(String name) throws IOException {
        SectionEntry entry = directory.get(name);
        if (entry == null) {
            throw new ImageCorruptException("there is no section \"" + name + "\"; there are " + directory.keySet());
        }
        return new SectionInput(blocks, entry);
    }

    /** A whole section, for the small ones. */
    byte[] bytes(String name) throws IOException {
        SectionInput input = section(name);
        byte[] bytes = new byte[Math.toIntExact(input.remaining())];
        input.read(ByteBuffer.wrap(bytes));
        return bytes;
    }

    @Override
    public void close() throws IOException {
        blocks.close();
    }

    private long digest(long from, long to, ByteBuffer chunk, CRC32C whole, @Nullable CRC32C section)
            throws IOException {
        channel.position(from);
        long left = to - from;
        while (left > 0) {
            chunk.clear().limit((int) Math.min(left, chunk.capacity()));
            readFully(channel, chunk);
            left -= chunk.flip().remaining();
            whole.update(chunk.duplicate());
            if (section != null) {
                section.update(chunk);
            }
        }
        return to;
    }

    private static ImageHeader readHeader(SeekableByteChannel channel) throws IOException {
        if (channel.size() < ImageFormat.NAME_OFFSET + 4L + ImageFormat.TRAILER_BYTES) {
            throw new ImageCorruptException("only " + channel.size() + " bytes long");
        }
        ByteBuffer start = read(channel, 0, ImageFormat.NAME_OFFSET);
        if (!ImageFormat.hasMagic(start, 0, ImageFormat.MAGIC)) {
            throw new ImageCorruptException("it does not begin as an image");
        }
        int version = start.getInt(ImageFormat.VERSION_OFFSET);
        if (version != ImageFormat.VERSION) {
            throw new ImageCorruptException(
                    "it has version " + version + " of the format, this program reads version " + ImageFormat.VERSION);
        }
        int length = ImageHeader.lengthBytes(start);
        if (length > channel.size()) {
            throw new ImageCorruptException("the header is cut off");
        }
        return ImageHeader.decode(read(channel, 0, length));
    }

    private static ByteBuffer readTrailer(SeekableByteChannel channel) throws IOException {
        ByteBuffer trailer = read(channel, channel.size() - ImageFormat.TRAILER_BYTES, ImageFormat.TRAILER_BYTES);
        if (!ImageFormat.hasMagic(trailer, ImageFormat.END_MAGIC_OFFSET, ImageFormat.END_MAGIC)) {
            throw new ImageCorruptException("the end is missing: it was not written to its end, or was cut off");
        }
        CRC32C crc = new CRC32C();
        crc.update(trailer.slice(0, ImageFormat.TRAILER_CRC_OFFSET));
        if ((int) crc.getValue() != trailer.getInt(ImageFormat.TRAILER_CRC_OFFSET)) {
            throw new ImageCorruptException("the trailer's checksum is wrong");
        }
        long length = trailer.getLong(ImageFormat.FILE_LENGTH_OFFSET);
        if (length != channel.size()) {
            throw new ImageCorruptException("it is " + channel.size() + " bytes long instead of " + length);
        }
        return trailer;
    }

    private static ByteBuffer read(SeekableByteChannel channel, long offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        readFully(channel.position(offset), buffer);
        return buffer.flip();
    }

    static void readFully(SeekableByteChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new ImageCorruptException("it ends too early");
            }
        }
    }
}
