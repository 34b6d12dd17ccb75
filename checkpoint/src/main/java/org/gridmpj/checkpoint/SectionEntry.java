package org.gridmpj.checkpoint;

import java.util.List;

/**
 * A section of an image.
 *
 * @param lengthBytes of what it holds, however that is stored
 * @param blocks each {@link ImageFormat#BLOCK_BYTES} of it, the last one what is left
 */
record SectionEntry(String name, long lengthBytes, List<Block> blocks) {
    SectionEntry {
        blocks = List.copyOf(blocks);
    }

    /** Length of a block as the program had it. */
    int rawBytes(int block) {
        return (int) Math.min(ImageFormat.BLOCK_BYTES, lengthBytes - (long) block * ImageFormat.BLOCK_BYTES);
    }

    /** Number of blocks of a section of that length. */
    static long blockCount(long lengthBytes) {
        return (lengthBytes + ImageFormat.BLOCK_BYTES - 1) / ImageFormat.BLOCK_BYTES;
    }
}
