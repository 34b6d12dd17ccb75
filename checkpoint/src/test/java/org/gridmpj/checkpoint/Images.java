package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gridmpj.job.control.ControlMessage.SnapshotWritten;

/** Small images for tests. */
final class Images {
    static final String JOB = "amber-fox";

    private static final BlockHash.Key KEY = new BlockHash.Key(0x0123456789abcdefL, 0xfedcba9876543210L);

    private Images() {}

    static ImageHeader header(int size, int worldRank, EpochId id) {
        return new ImageHeader(JOB, size, worldRank, id, ImageKind.COOPERATIVE, 42, 1_700_000_000_000L);
    }

    /** Sections of several lengths, an empty one among them. */
    static ImageSummary writeTo(WritableByteChannel channel, ImageHeader header) throws IOException {
        try (ImageWriter writer = ImageWriter.withKey(channel, header, KEY)) {
            return writeSections(writer, header);
        }
    }

    private static ImageSummary writeSections(ImageWriter writer, ImageHeader header) throws IOException {
        writer.section("engine/unexpected").write("two messages".getBytes(UTF_8));
        writer.section("engine/counters");
        writer.section("streams").write(new byte[24]);
        writer.section("program").write("state of rank ".getBytes(UTF_8));
        writer.write(new byte[] {(byte) header.worldRank()});
        return writer.finish();
    }

    static byte[] bytes(ImageHeader header) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        writeTo(Channels.newChannel(bytes), header);
        return bytes.toByteArray();
    }

    /** Opens bytes as an image and checks every checksum. */
    static void check(byte[] image) throws IOException {
        try (ImageReader reader = ImageReader.open(new BytesChannel(image))) {
            reader.verify();
        }
    }

    /** Writes and seals the image of a rank, as it does. */
    static SnapshotWritten store(SnapshotStore store, int size, int worldRank, EpochId id) throws IOException {
        try (SnapshotStore.PendingImage pending = store.create(id, worldRank)) {
            ImageSummary summary = writeTo(pending.channel(), header(size, worldRank, id));
            String file = pending.seal(summary);
            return new SnapshotWritten(
                    id.epoch(), file, summary.bytes(), summary.crc32c(), id.epoch(), 1000, 10, 20, 30);
        }
    }

    /** Writes the images of all ranks and commits the epoch. */
    static EpochManifest commit(SnapshotStore store, int size, EpochId id) throws IOException {
        RankImage[] images = new RankImage[size];
        for (int rank = 0; rank < size; rank++) {
            images[rank] = RankImage.of(rank, store(store, size, rank, id));
        }
        EpochManifest manifest = new EpochManifest(JOB, id, List.of(images));
        store.commit(manifest);
        return manifest;
    }

    static void flipBit(Path file, int offset, int bit) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[offset] ^= (byte) (1 << bit);
        Files.write(file, bytes);
    }

    /** Bytes as a file. */
    static final class BytesChannel implements SeekableByteChannel {
        private final ByteBuffer bytes;
        private boolean open = true;

        BytesChannel(byte[] bytes) {
            this.bytes = ByteBuffer.wrap(bytes);
        }

        @Override
        public int read(ByteBuffer target) {
            if (!bytes.hasRemaining()) {
                return -1;
            }
            // Short reads, as a network file system gives them.
            int length = Math.min(Math.min(7, target.remaining()), bytes.remaining());
            target.put(bytes.slice(bytes.position(), length));
            bytes.position(bytes.position() + length);
            return length;
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            throw new IOException("read only");
        }

        @Override
        public long position() {
            return bytes.position();
        }

        @Override
        public SeekableByteChannel position(long position) {
            bytes.position((int) position);
            return this;
        }

        @Override
        public long size() {
            return bytes.limit();
        }

        @Override
        public SeekableByteChannel truncate(long size) throws IOException {
            throw new IOException("read only");
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
        }
    }
}
