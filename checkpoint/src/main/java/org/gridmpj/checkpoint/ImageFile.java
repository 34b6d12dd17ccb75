package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** An image's file, wherever it lies. */
public final class ImageFile {
    private ImageFile() {}

    /**
     * Reads an image, every byte.
     *
     * @param bytes length that it must have
     * @param crc32c checksum that it must have, as in {@link RankImage}
     * @throws ImageCorruptException if it is damaged or another one
     */
    public static void check(Path file, long bytes, int crc32c) throws IOException {
        try (ImageReader reader = ImageReader.open(FileChannel.open(file, StandardOpenOption.READ))) {
            if (!reader.summary().equals(new ImageSummary(bytes, crc32c))) {
                throw new ImageCorruptException(file + " is not the image that was committed");
            }
            reader.verify();
        }
    }
}
