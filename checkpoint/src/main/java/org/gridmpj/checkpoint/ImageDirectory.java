package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The directory of an image, as {@link ImageFormat} draws it. Its checksum has been compared: what is refused here was
 * written so.
 */
final class ImageDirectory {
    private ImageDirectory() {}

    /**
     * Decodes a directory.
     *
     * @param end offset in the file behind the last block
     * @return the sections by name, in their order
     */
    static Map<String, SectionEntry> decode(ByteBuffer bytes, int baseCount, int sectionCount, long end)
            throws ImageCorruptException {
        List<ImageBase> bases = new ArrayList<>();
        for (int i = 0; i < baseCount; i++) {
            String file = name(bytes, 12);
            bases.add(new ImageBase(file, new ImageSummary(bytes.getLong(), bytes.getInt())));
        }
        Map<String, SectionEntry> directory = new LinkedHashMap<>();
        long position = 0;
        for (int i = 0; i < sectionCount; i++) {
            String name = name(bytes, 8);
            long length = bytes.getLong();
            long count = SectionEntry.blockCount(length);
            if (length < 0 || count > bytes.remaining() / ImageFormat.BLOCK_LINE_BYTES) {
                throw cutOff();
            }
            List<Block> blocks = new ArrayList<>((int) count);
            for (int number = 0; number < count; number++) {
                Block block = block(bytes, bases);
                if (block.base() == null) {
                    if (block.offset() < position || block.offset() + block.storedBytes() > end) {
                        throw new ImageCorruptException("the directory names bytes outside the file");
                    }
                    position = block.offset() + block.storedBytes();
                }
                blocks.add(block);
            }
            directory.put(name, new SectionEntry(name, length, blocks));
        }
        return directory;
    }

    private static Block block(ByteBuffer bytes, List<ImageBase> bases) throws ImageCorruptException {
        int start = bytes.position();
        bytes.position(start + ImageFormat.BLOCK_LINE_BYTES);
        int file = bytes.getInt(start + ImageFormat.BLOCK_FILE_OFFSET);
        int stored = bytes.getInt(start + ImageFormat.BLOCK_STORED_OFFSET);
        int storedBytes = stored & ~ImageFormat.COMPRESSED_BIT;
        if (file < 0 || file > bases.size() || storedBytes > ImageFormat.BLOCK_BYTES) {
            throw new ImageCorruptException("the directory names a file or a length that there is not");
        }
        @Nullable ImageBase base = file == 0 ? null : bases.get(file - 1);
        return new Block(
                base,
                bytes.getLong(start + ImageFormat.BLOCK_OFFSET_OFFSET),
                storedBytes,
                stored != storedBytes,
                bytes.getInt(start + ImageFormat.BLOCK_CRC_OFFSET),
                new BlockHash(
                        bytes.getLong(start + ImageFormat.BLOCK_HASH_OFFSET),
                        bytes.getLong(start + ImageFormat.BLOCK_HASH_OFFSET + Long.BYTES)));
    }

    /** @param following bytes that come at least behind the name */
    private static String name(ByteBuffer bytes, int following) throws ImageCorruptException {
        int length = bytes.remaining() < 2 ? Integer.MAX_VALUE : Short.toUnsignedInt(bytes.getShort());
        if (bytes.remaining() - following < length) {
            throw cutOff();
        }
        byte[] name = new byte[length];
        bytes.get(name);
        return new String(name, UTF_8);
    }

    private static ImageCorruptException cutOff() {
        return new ImageCorruptException("the directory is cut off");
    }
}
