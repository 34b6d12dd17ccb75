package org.gridmpj.checkpoint;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;

/**
 * Writes an image in one pass: header, sections one after the other, directory, trailer. Confined to one thread.
 *
 * <p>Small pieces are gathered; nothing is ever as large as a section in memory.
 */
final class ImageWriter {
    private final WritableByteChannel channel;
    private final ByteBuffer gathered =
            ByteBuffer.allocateDirect(ImageFormat.CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final CRC32C whole = new CRC32C();
    private final CRC32C section = new CRC32C();
    private final List<SectionEntry> directory = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private long position;
    private long sectionStart;
    private String sectionName = "";

    ImageWriter(WritableByteChannel channel, ImageHeader header) throws IOException {
        this.channel = channel;
        put(header.encode());
    }

    /** Begins a section; the one before is complete. */
    ImageWriter section(String name) throws IOException {
        endSection();
        if (name.isEmpty() || name.getBytes(UTF_8).length > ImageFormat.MAX_NAME_BYTES || !names.add(name)) {
            throw new IllegalArgumentException("section name \"" + name + "\" is empty, too long or there already");
        }
        sectionName = name;
        sectionStart = position;
        section.reset();
        return this;
    }

    /** Appends all remaining bytes to the section. */
    void write(ByteBuffer bytes) throws IOException {
        section.update(bytes.duplicate());
        put(bytes);
    }

    /** Appends bytes to the section. */
    void write(byte[] bytes) throws IOException {
        write(ByteBuffer.wrap(bytes));
    }

    /** Ends the image: directory and trailer. The channel stays open. */
    ImageSummary finish() throws IOException {
        endSection();
        long directoryOffset = position;
        for (SectionEntry entry : directory) {
            byte[] name = entry.name().getBytes(UTF_8);
            ByteBuffer line = ByteBuffer.allocate(22 + name.length).order(ByteOrder.LITTLE_ENDIAN);
            line.putShort((short) name.length).put(name);
            line.putLong(entry.offset()).putLong(entry.lengthBytes()).putInt(entry.crc32c());
            put(line.flip());
        }
        int wholeCrc = (int) whole.getValue();
        long fileBytes = position + ImageFormat.TRAILER_BYTES;
        ByteBuffer trailer = ByteBuffer.allocate(ImageFormat.TRAILER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        trailer.putLong(ImageFormat.DIRECTORY_OFFSET_OFFSET, directoryOffset);
        trailer.putInt(ImageFormat.DIRECTORY_LENGTH_OFFSET, Math.toIntExact(position - directoryOffset));
        trailer.putInt(ImageFormat.SECTION_COUNT_OFFSET, directory.size());
        trailer.putInt(ImageFormat.WHOLE_CRC_OFFSET, wholeCrc);
        trailer.putLong(ImageFormat.FILE_LENGTH_OFFSET, fileBytes);
        CRC32C crc = new CRC32C();
        crc.update(trailer.array(), 0, ImageFormat.TRAILER_CRC_OFFSET);
        trailer.putInt(ImageFormat.TRAILER_CRC_OFFSET, (int) crc.getValue());
        trailer.put(ImageFormat.END_MAGIC_OFFSET, ImageFormat.END_MAGIC);
        put(trailer);
        flush();
        return new ImageSummary(fileBytes, wholeCrc);
    }

    private void endSection() {
        if (!sectionName.isEmpty()) {
            directory.add(
                    new SectionEntry(sectionName, sectionStart, position - sectionStart, (int) section.getValue()));
            sectionName = "";
        }
    }

    private void put(ByteBuffer bytes) throws IOException {
        position += bytes.remaining();
        whole.update(bytes.duplicate());
        if (bytes.remaining() > gathered.remaining()) {
            flush();
        }
        if (bytes.remaining() > gathered.remaining()) {
            writeFully(bytes);
        } else {
            gathered.put(bytes);
        }
    }

    private void flush() throws IOException {
        gathered.flip();
        writeFully(gathered);
        gathered.clear();
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
