package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads an image. Header, trailer and directory are checked when it is opened, the sections by {@link #verify}. Confined
 * to one thread at a time; owns the channel.
 */
final class ImageReader implements Closeable {
    private final SeekableByteChannel channel;
    private final ImageHeader header;
    private final ImageSummary summary;
    private final Map<String, SectionEntry> directory;

    private ImageReader(
            SeekableByteChannel channel,
            ImageHeader header,
            ImageSummary summary,
            Map<String, SectionEntry> directory) {
        this.channel = channel;
        this.header = header;
        this.summary = summary;
        this.directory = directory;
    }

    /** Opens an image; the channel is closed if it is none. */
    static ImageReader open(SeekableByteChannel channel) throws IOException {
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
            Map<String, SectionEntry> directory = readDirectory(
                    read(channel, directoryOffset, directoryBytes),
                    trailer.getInt(ImageFormat.SECTION_COUNT_OFFSET),
                    directoryOffset);
            ImageSummary summary = new ImageSummary(channel.size(), trailer.getInt(ImageFormat.WHOLE_CRC_OFFSET));
            return new ImageReader(channel, header, summary, directory);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
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

    /** Reads the whole file once and compares every checksum. */
    void verify() throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(ImageFormat.CHUNK_BYTES);
        CRC32C whole = new CRC32C();
        long position = 0;
        for (SectionEntry entry : directory.values()) {
            position = digest(position, entry.offset(), chunk, whole, null);
            CRC32C section = new CRC32C();
            position = digest(position, entry.offset() + entry.lengthBytes(), chunk, whole, section);
            if ((int) section.getValue() != entry.crc32c()) {
                throw new ImageCorruptException("the checksum of section \"" + entry.name() + "\" is wrong");
            }
        }
        digest(position, summary.bytes() - ImageFormat.TRAILER_BYTES, chunk, whole, null);
        if ((int) whole.getValue() != summary.crc32c()) {
            throw new ImageCorruptException("the checksum of the file is wrong");
        }
    }

    /** The bytes of one section, as a stream. */
    SectionInput section(String name) throws IOException {
        SectionEntry entry = directory.get(name);
        if (entry == null) {
            throw new ImageCorruptException("there is no section \"" + name + "\"; there are " + directory.keySet());
        }
        return new SectionInput(channel, entry);
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
        channel.close();
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

    private static Map<String, SectionEntry> readDirectory(ByteBuffer bytes, int count, long end)
            throws ImageCorruptException {
        Map<String, SectionEntry> directory = new LinkedHashMap<>();
        long position = 0;
        for (int i = 0; i < count; i++) {
            int nameBytes = bytes.remaining() < 2 ? Integer.MAX_VALUE : Short.toUnsignedInt(bytes.getShort());
            if (bytes.remaining() - 20 < nameBytes) {
                throw new ImageCorruptException("the directory is cut off");
            }
            byte[] name = new byte[nameBytes];
            bytes.get(name);
            SectionEntry entry =
                    new SectionEntry(new String(name, UTF_8), bytes.getLong(), bytes.getLong(), bytes.getInt());
            if (entry.lengthBytes() < 0 || entry.offset() < position || entry.lengthBytes() > end - entry.offset()) {
                throw new ImageCorruptException("the directory names bytes outside the file");
            }
            position = entry.offset() + entry.lengthBytes();
            directory.put(entry.name(), entry);
        }
        return directory;
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
