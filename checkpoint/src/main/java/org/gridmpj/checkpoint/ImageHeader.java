package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;
import org.gridmpj.job.JobSpec;
import org.gridmpj.snapshot.SnapshotEngine;

/**
 * Whose image of what this is.
 *
 * @param size number of ranks of the job
 * @param kind how the state was taken
 * @param snapshotId what the program called the snapshot
 * @param takenAtMillis wall clock of the cut at this rank, for people
 */
public record ImageHeader(
        String jobName, int size, int worldRank, EpochId id, ImageKind kind, int snapshotId, long takenAtMillis) {

    /** Of an image that this rank takes now of the generation that it runs in. */
    static ImageHeader of(SnapshotEngine engine, int epoch, ImageKind kind, int snapshotId, long takenAtMillis) {
        JobSpec job = engine.job();
        EpochId id = new EpochId(job.generation(), epoch);
        return new ImageHeader(job.jobName(), job.size(), engine.worldRank(), id, kind, snapshotId, takenAtMillis);
    }

    /** The header as it stands in the file. */
    ByteBuffer encode() {
        byte[] name = jobName.getBytes(UTF_8);
        if (name.length > ImageFormat.MAX_NAME_BYTES) {
            throw new IllegalArgumentException("job name of " + name.length + " bytes");
        }
        ByteBuffer header =
                ByteBuffer.allocate(ImageFormat.NAME_OFFSET + name.length + 4).order(ByteOrder.LITTLE_ENDIAN);
        header.put(0, ImageFormat.MAGIC);
        header.putInt(ImageFormat.VERSION_OFFSET, ImageFormat.VERSION);
        header.putInt(ImageFormat.RANK_OFFSET, worldRank);
        header.putInt(ImageFormat.SIZE_OFFSET, size);
        header.putInt(ImageFormat.GENERATION_OFFSET, id.generation());
        header.putInt(ImageFormat.EPOCH_OFFSET, id.epoch());
        header.putInt(ImageFormat.SNAPSHOT_ID_OFFSET, snapshotId);
        header.putLong(ImageFormat.TIME_OFFSET, takenAtMillis);
        header.putInt(ImageFormat.KIND_OFFSET, kind.code());
        header.putShort(ImageFormat.NAME_LENGTH_OFFSET, (short) name.length);
        header.put(ImageFormat.NAME_OFFSET, name);
        CRC32C crc = new CRC32C();
        crc.update(header.array(), 0, ImageFormat.NAME_OFFSET + name.length);
        header.putInt(ImageFormat.NAME_OFFSET + name.length, (int) crc.getValue());
        return header;
    }

    /** Bytes of the whole header, from its first {@link ImageFormat#NAME_OFFSET} bytes. */
    static int lengthBytes(ByteBuffer start) {
        return ImageFormat.NAME_OFFSET + Short.toUnsignedInt(start.getShort(ImageFormat.NAME_LENGTH_OFFSET)) + 4;
    }

    /** Reads a whole header. */
    static ImageHeader decode(ByteBuffer header) throws ImageCorruptException {
        int crcOffset = header.limit() - 4;
        CRC32C crc = new CRC32C();
        crc.update(header.slice(0, crcOffset));
        if ((int) crc.getValue() != header.getInt(crcOffset)) {
            throw new ImageCorruptException("the header's checksum is wrong");
        }
        byte[] name = new byte[crcOffset - ImageFormat.NAME_OFFSET];
        header.get(ImageFormat.NAME_OFFSET, name);
        return new ImageHeader(
                new String(name, UTF_8),
                header.getInt(ImageFormat.SIZE_OFFSET),
                header.getInt(ImageFormat.RANK_OFFSET),
                new EpochId(header.getInt(ImageFormat.GENERATION_OFFSET), header.getInt(ImageFormat.EPOCH_OFFSET)),
                ImageKind.of(header.getInt(ImageFormat.KIND_OFFSET)),
                header.getInt(ImageFormat.SNAPSHOT_ID_OFFSET),
                header.getLong(ImageFormat.TIME_OFFSET));
    }
}
