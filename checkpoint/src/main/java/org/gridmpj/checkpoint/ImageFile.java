package org.gridmpj.checkpoint;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/** An image's file, wherever it lies. */
public final class ImageFile {
    private ImageFile() {}

    /**
     * Names of the images that an image is an increment to, in the store whose folder is that of its epoch's folder.
     *
     * @throws ImageCorruptException if it is damaged
     */
    public static List<String> bases(Path file) throws IOException {
        try (ImageReader reader = open(file)) {
            return reader.sections().stream()
                    .flatMap(section -> section.blocks().stream())
                    .map(Block::base)
                    .filter(Objects::nonNull)
                    .map(ImageBase::file)
                    .distinct()
                    .toList();
        }
    }

    private static ImageReader open(Path file) throws IOException {
        FileSnapshotStore store =
                FileSnapshotStore.at(file.toAbsolutePath().resolve("../..").normalize());
        return ImageReader.open(FileChannel.open(file, StandardOpenOption.READ), store::openFile);
    }

    /**
     * Reads an image, every byte, and what it refers to in earlier ones.
     *
     * @param bytes length that it must have
     * @param crc32c checksum that it must have, as in {@link RankImage}
     * @throws ImageCorruptException if it is damaged or another one
     */
    public static void check(Path file, long bytes, int crc32c) throws IOException {
        try (ImageReader reader = open(file, bytes, crc32c)) {
            reader.verify();
        }
    }

    /**
     * As {@link #check}, but damage of earlier images is told apart from the image's own.
     *
     * @return what is wrong with earlier images that it refers to; an empty text if nothing is
     * @throws ImageCorruptException if its own bytes are damaged, or it is another image
     */
    public static String checkApart(Path file, long bytes, int crc32c) throws IOException {
        try (ImageReader reader = open(file, bytes, crc32c)) {
            reader.verifyFile();
            try {
                reader.verifyBases();
                return "";
            } catch (ImageCorruptException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    private static ImageReader open(Path file, long bytes, int crc32c) throws IOException {
        ImageReader reader = open(file);
        if (!reader.summary().equals(new ImageSummary(bytes, crc32c))) {
            reader.close();
            throw new ImageCorruptException(file + " is not the image that was committed");
        }
        return reader;
    }

    /** What an image's end says of it. */
    public static ImageSummary summary(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return ImageReader.summary(channel);
        }
    }
}
