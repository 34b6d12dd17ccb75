package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Writes an image in one pass: header, blocks of the sections one after the other, directory, trailer. Confined to one
 * thread.
 *
 * <p>Nothing is ever as large as a section in memory. A block that the image before has at the same place of the same
 * section is not written again.
 */
final class ImageWriter implements Closeable {
    private final WritableByteChannel channel;
    private final @Nullable ImageLineage before;
    private final ByteBuffer gathered =
            ByteBuffer.allocateDirect(ImageFormat.CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final byte[] raw = new byte[ImageFormat.BLOCK_BYTES];
    private final @Nullable BlockCodec codec;
    private final BlockHash.Key key;
    private final BlockHash.Hasher hasher;
    private final CRC32C whole = new CRC32C();
    private final CRC32C piece = new CRC32C();
    private final List<SectionEntry> directory = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Map<ImageBase, Integer> bases = new LinkedHashMap<>();
    private List<Block> blocks = new ArrayList<>();
    private int rawBytes;
    private long position;
    private long sectionBytes;
    private String sectionName = "";

    /** Begins a full image. */
    ImageWriter(WritableByteChannel channel, ImageHeader header) throws IOException {
        this(channel, header, null);
    }

    /**
     * Begins an image.
     *
     * @param before what it is an increment to; null for a full one
     */
    ImageWriter(WritableByteChannel channel, ImageHeader header, @Nullable ImageLineage before) throws IOException {
        this(channel, header, before, keyOf(before), new BlockCodec());
    }

    /** Begins a full image with a given key: the same bytes again for the same content. */
    static ImageWriter withKey(WritableByteChannel channel, ImageHeader header, BlockHash.Key key) throws IOException {
        return new ImageWriter(channel, header, null, key, new BlockCodec());
    }

    private ImageWriter(
            WritableByteChannel channel,
            ImageHeader header,
            @Nullable ImageLineage before,
            BlockHash.Key key,
            @Nullable BlockCodec codec)
            throws IOException {
        this.channel = channel;
        this.before = before;
        this.key = key;
        this.hasher = new BlockHash.Hasher(key);
        this.codec = codec;
        put(header.encode());
    }

    /**
     * Begins an image that is read once and soon, by somebody who waits for it: its blocks are not compressed. In a process
     * that has taken no snapshot yet, the first compression takes longer than megabytes do.
     *
     * @param before what it is an increment to; null for a full one
     */
    static ImageWriter ofPassage(WritableByteChannel channel, ImageHeader header, @Nullable ImageLineage before)
            throws IOException {
        return new ImageWriter(channel, header, before, keyOf(before), null);
    }

    private static BlockHash.Key keyOf(@Nullable ImageLineage before) {
        return before == null ? BlockHash.Key.random() : before.key();
    }

    /** Begins a section; the one before is complete. */
    ImageWriter section(String name) throws IOException {
        endSection();
        if (name.isEmpty() || name.getBytes(UTF_8).length > ImageFormat.MAX_NAME_BYTES || !names.add(name)) {
            throw new IllegalArgumentException("section name \"" + name + "\" is empty, too long or there already");
        }
        sectionName = name;
        return this;
    }

    /** Appends all remaining bytes to the section. */
    void write(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            int length = Math.min(bytes.remaining(), raw.length - rawBytes);
            bytes.get(raw, rawBytes, length);
            rawBytes += length;
            sectionBytes += length;
            if (rawBytes == raw.length) {
                endBlock();
            }
        }
    }

    /** Appends bytes to the section. */
    void write(byte[] bytes) throws IOException {
        write(ByteBuffer.wrap(bytes));
    }

    /** Ends the image: directory and trailer. The channel stays open. */
    ImageSummary finish() throws IOException {
        endSection();
        long directoryOffset = position;
        CRC32C directoryCrc = new CRC32C();
        for (ImageBase base : bases.keySet()) {
            byte[] name = base.file().getBytes(UTF_8);
            ByteBuffer line = line(14 + name.length);
            line.putShort((short) name.length).put(name);
            line.putLong(base.summary().bytes()).putInt(base.summary().crc32c());
            putLine(line, directoryCrc);
        }
        for (SectionEntry entry : directory) {
            byte[] name = entry.name().getBytes(UTF_8);
            ByteBuffer line = line(10 + name.length);
            line.putShort((short) name.length).put(name).putLong(entry.lengthBytes());
            putLine(line, directoryCrc);
            for (Block block : entry.blocks()) {
                putLine(blockLine(block), directoryCrc);
            }
        }
        int wholeCrc = (int) whole.getValue();
        long fileBytes = position + ImageFormat.TRAILER_BYTES;
        ByteBuffer trailer = line(ImageFormat.TRAILER_BYTES);
        trailer.putLong(ImageFormat.DIRECTORY_OFFSET_OFFSET, directoryOffset);
        trailer.putInt(ImageFormat.DIRECTORY_LENGTH_OFFSET, Math.toIntExact(position - directoryOffset));
        trailer.putInt(ImageFormat.SECTION_COUNT_OFFSET, directory.size());
        trailer.putInt(ImageFormat.BASE_COUNT_OFFSET, bases.size());
        trailer.putInt(ImageFormat.DIRECTORY_CRC_OFFSET, (int) directoryCrc.getValue());
        trailer.putInt(ImageFormat.WHOLE_CRC_OFFSET, wholeCrc);
        trailer.putLong(ImageFormat.FILE_LENGTH_OFFSET, fileBytes);
        trailer.putLong(ImageFormat.HASH_KEY_OFFSET, key.high());
        trailer.putLong(ImageFormat.HASH_KEY_OFFSET + Long.BYTES, key.low());
        CRC32C crc = new CRC32C();
        crc.update(trailer.slice(0, ImageFormat.TRAILER_CRC_OFFSET));
        trailer.putInt(ImageFormat.TRAILER_CRC_OFFSET, (int) crc.getValue());
        trailer.put(ImageFormat.END_MAGIC_OFFSET, ImageFormat.END_MAGIC);
        put(trailer);
        flush();
        return new ImageSummary(fileBytes, wholeCrc);
    }

    /** What was written, for the next increment. */
    ImageLineage.WrittenBlocks blocks() {
        return new ImageLineage.WrittenBlocks(before, key, directory);
    }

    /** Lets go of native memory; what is not finished stays so. */
    @Override
    public void close() {
        if (codec != null) {
            codec.close();
        }
    }

    private ByteBuffer blockLine(Block block) {
        ByteBuffer line = line(ImageFormat.BLOCK_LINE_BYTES);
        line.putLong(ImageFormat.BLOCK_OFFSET_OFFSET, block.offset());
        line.putInt(
                ImageFormat.BLOCK_STORED_OFFSET,
                block.storedBytes() | (block.isCompressed() ? ImageFormat.COMPRESSED_BIT : 0));
        ImageBase base = block.base();
        line.putInt(ImageFormat.BLOCK_FILE_OFFSET, base == null ? 0 : bases.getOrDefault(base, 0));
        line.putInt(ImageFormat.BLOCK_CRC_OFFSET, block.crc32c());
        line.putLong(ImageFormat.BLOCK_HASH_OFFSET, block.hash().high());
        line.putLong(ImageFormat.BLOCK_HASH_OFFSET + Long.BYTES, block.hash().low());
        return line;
    }

    private void endBlock() throws IOException {
        BlockHash hash = hasher.of(ByteBuffer.wrap(raw, 0, rawBytes));
        Block same = before == null ? null : before.block(sectionName, blocks.size());
        ImageBase base = same == null ? null : same.base();
        if (same != null && base != null && same.hash().equals(hash)) {
            bases.putIfAbsent(base, bases.size() + 1);
            blocks.add(same);
        } else {
            int frameBytes = codec == null ? 0 : codec.compress(raw, rawBytes);
            byte[] stored = codec != null && frameBytes > 0 ? codec.frame() : raw;
            int storedBytes = frameBytes > 0 ? frameBytes : rawBytes;
            piece.reset();
            piece.update(stored, 0, storedBytes);
            blocks.add(new Block(null, position, storedBytes, frameBytes > 0, (int) piece.getValue(), hash));
            put(ByteBuffer.wrap(stored, 0, storedBytes));
        }
        rawBytes = 0;
    }

    private void endSection() throws IOException {
        if (sectionName.isEmpty()) {
            return;
        }
        if (rawBytes > 0) {
            endBlock();
        }
        directory.add(new SectionEntry(sectionName, sectionBytes, blocks));
        blocks = new ArrayList<>();
        sectionBytes = 0;
        sectionName = "";
    }

    private static ByteBuffer line(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void putLine(ByteBuffer line, CRC32C directoryCrc) throws IOException {
        line.rewind();
        directoryCrc.update(line.duplicate());
        put(line);
    }

    private void put(ByteBuffer bytes) throws IOException {
        position += bytes.remaining();
        whole.update(bytes.duplicate());
        while (bytes.hasRemaining()) {
            if (!gathered.hasRemaining()) {
                flush();
            }
            int length = Math.min(bytes.remaining(), gathered.remaining());
            gathered.put(gathered.position(), bytes, bytes.position(), length);
            gathered.position(gathered.position() + length);
            bytes.position(bytes.position() + length);
        }
    }

    private void flush() throws IOException {
        gathered.flip();
        while (gathered.hasRemaining()) {
            channel.write(gathered);
        }
        gathered.clear();
    }
}
