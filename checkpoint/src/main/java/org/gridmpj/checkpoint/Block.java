package org.gridmpj.checkpoint;

import org.jspecify.annotations.Nullable;

/**
 * Where a block of a section stands.
 *
 * @param base the earlier image that has it, null for the image itself
 * @param offset in that file
 * @param storedBytes in that file
 * @param isCompressed whether they are a zstd frame
 * @param crc32c of the bytes as stored
 * @param hash of the bytes as the program had them
 */
record Block(@Nullable ImageBase base, long offset, int storedBytes, boolean isCompressed, int crc32c, BlockHash hash) {
    /** As an image that comes after the one that has just got that name refers to it. */
    Block from(ImageBase written) {
        return base != null ? this : new Block(written, offset, storedBytes, isCompressed, crc32c, hash);
    }
}
