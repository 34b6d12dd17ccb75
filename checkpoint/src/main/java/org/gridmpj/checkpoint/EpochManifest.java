package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * What makes an epoch real: the list of its images. As text, one line each, fields separated by one space:
 *
 * <pre>
 *   gridmpj-manifest 2
 *   job amber-fox
 *   generation 0
 *   epoch 7
 *   size 2
 *   rank 0 BYTES CRC32C FULL-EPOCH STALL-NANOS STDOUT STDERR STDIN g0-e7/rank-0.image
 *   rank 1 …
 *   crc32c 1a2b3c4d
 * </pre>
 *
 * The last line is the checksum of all lines before; checksums are eight hexadecimal digits.
 *
 * @param images one per world rank, in rank order
 */
public record EpochManifest(String jobName, EpochId id, List<RankImage> images) {
    private static final String FIRST_LINE = "gridmpj-manifest 2";
    private static final int RANK_FIELDS = 10;

    public EpochManifest {
        images = List.copyOf(images);
        for (int rank = 0; rank < images.size(); rank++) {
            if (images.get(rank).worldRank() != rank) {
                throw new IllegalArgumentException(
                        "image of rank " + images.get(rank).worldRank() + " at " + rank);
            }
        }
    }

    /** Number of ranks. */
    public int size() {
        return images.size();
    }

    /** Sum of the images' lengths. */
    public long bytes() {
        return images.stream().mapToLong(RankImage::bytes).sum();
    }

    /** The longest stall of a rank. */
    public long stallNanos() {
        return images.stream().mapToLong(RankImage::stallNanos).max().orElse(0);
    }

    /** The oldest epoch that an image of this one refers to. An image never refers to another generation's. */
    EpochId oldestNeeded() {
        int oldest = id.epoch();
        for (RankImage image : images) {
            oldest = Math.min(oldest, image.fullEpoch());
        }
        return new EpochId(id.generation(), oldest);
    }

    /** Name of its file in a store's folder, whose images have theirs there by {@link RankImage#file()}. */
    public String file() {
        return "g" + id.generation() + "-e" + id.epoch() + "/manifest";
    }

    /** Content of that file. */
    public byte[] bytesOfFile() {
        return text().getBytes(UTF_8);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append(FIRST_LINE).append('\n');
        text.append("job ").append(jobName).append('\n');
        text.append("generation ").append(id.generation()).append('\n');
        text.append("epoch ").append(id.epoch()).append('\n');
        text.append("size ").append(size()).append('\n');
        for (RankImage image : images) {
            text.append("rank ").append(image.worldRank());
            text.append(' ').append(image.bytes());
            text.append(' ').append(HexFormat.of().toHexDigits(image.crc32c()));
            text.append(' ').append(image.fullEpoch());
            text.append(' ').append(image.stallNanos());
            text.append(' ').append(image.stdoutBytes());
            text.append(' ').append(image.stderrBytes());
            text.append(' ').append(image.stdinBytes());
            text.append(' ').append(image.file()).append('\n');
        }
        return text + "crc32c " + checksum(text.toString()) + "\n";
    }

    static EpochManifest parse(String text) throws ImageCorruptException {
        int lastLine = text.lastIndexOf("\ncrc32c ") + 1;
        if (lastLine == 0
                || !text.substring(lastLine).equals("crc32c " + checksum(text.substring(0, lastLine)) + "\n")) {
            throw new ImageCorruptException("the manifest's checksum is wrong or missing");
        }
        List<String> lines = text.substring(0, lastLine).lines().toList();
        if (!lines.getFirst().equals(FIRST_LINE)) {
            throw new ImageCorruptException(
                    "the manifest begins \"" + lines.getFirst() + "\", this program reads \"" + FIRST_LINE + "\"");
        }
        try {
            EpochId id = new EpochId(
                    Integer.parseInt(value(lines, 2, "generation")), Integer.parseInt(value(lines, 3, "epoch")));
            int size = Integer.parseInt(value(lines, 4, "size"));
            List<RankImage> images = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                images.add(parseRank(lines.get(5 + rank)));
            }
            return new EpochManifest(value(lines, 1, "job"), id, images);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new ImageCorruptException("the manifest cannot be read: " + e.getMessage());
        }
    }

    private static RankImage parseRank(String line) {
        String[] fields = line.split(" ", RANK_FIELDS);
        return new RankImage(
                Integer.parseInt(fields[1]),
                fields[9],
                Long.parseLong(fields[2]),
                HexFormat.fromHexDigits(fields[3]),
                Integer.parseInt(fields[4]),
                Long.parseLong(fields[5]),
                Long.parseLong(fields[6]),
                Long.parseLong(fields[7]),
                Long.parseLong(fields[8]));
    }

    private static String value(List<String> lines, int line, String key) {
        if (!lines.get(line).startsWith(key + " ")) {
            throw new IllegalArgumentException("line " + (line + 1) + " is not \"" + key + "\"");
        }
        return lines.get(line).substring(key.length() + 1);
    }

    private static String checksum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(UTF_8));
        return HexFormat.of().toHexDigits((int) crc.getValue());
    }
}
