package org.gridmpj.pt2pt;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.snapshot.InFlightFrames;
import org.gridmpj.transport.FrameHeader;
import org.jspecify.annotations.Nullable;

/**
 * The frames that were in flight at a cut, in the order of their arrival, and their section of the image:
 *
 * <pre>
 *   magic GMPJFLOW (8 bytes ASCII) · version (int) · order (byte, 1 = little-endian machine) · number of frames (int)
 *   each frame   peer (int) · continuation (byte) · header ({@value FrameHeader#BYTES} bytes) · first position (long)
 *                · length (int) · bytes
 *   CRC-32C of all before it (int)
 * </pre>
 *
 * Integers are big-endian; headers and payloads are as the machine has them. Guarded by the progress lock while it grows.
 */
final class InFlightLog implements InFlightFrames {
    static final int VERSION = 1;
    private static final String MAGIC = "GMPJFLOW";
    private static final int HEAD_BYTES = 8 + 4 + 1 + 4;
    private static final int FRAME_BYTES = 4 + 1 + FrameHeader.BYTES + 8 + 4;
    private static final int CRC_BYTES = 4;

    /** A frame of a section. */
    @SuppressWarnings("ArrayRecordComponent") // handed over once, compared by nobody
    record Saved(int peerRank, boolean continuation, FrameHeader header, long fromBytes, byte[] payload) {}

    private final List<LoggedFrame> frames = new ArrayList<>();
    private long payloadBytes;

    void add(LoggedFrame frame) {
        frames.add(frame);
        payloadBytes += frame.header.payloadBytes;
    }

    /** Payload of all frames, in bytes; an upper bound where only a rest is logged. */
    long payloadBytes() {
        return payloadBytes;
    }

    @Override
    public int count() {
        return frames.size();
    }

    @Override
    public long lengthBytes() {
        long length = HEAD_BYTES + CRC_BYTES;
        for (LoggedFrame frame : frames) {
            length += FRAME_BYTES + frame.payload().length;
        }
        return length;
    }

    @Override
    public void writeTo(OutputStream target) throws IOException {
        CheckedOutputStream checked = new CheckedOutputStream(target, new CRC32C());
        DataOutputStream out = new DataOutputStream(checked);
        out.writeBytes(MAGIC);
        out.writeInt(VERSION);
        out.writeByte(nativeOrder());
        out.writeInt(frames.size());
        byte[] header = new byte[FrameHeader.BYTES];
        for (LoggedFrame frame : frames) {
            out.writeInt(frame.peerRank);
            out.writeBoolean(frame.continuation);
            frame.header.write(MemorySegment.ofArray(header), 0);
            out.write(header);
            out.writeLong(frame.fromBytes());
            out.writeInt(frame.payload().length);
            out.write(frame.payload());
        }
        out.flush();
        out.writeInt((int) checked.getChecksum().getValue());
        out.flush();
    }

    /**
     * Reads a section.
     *
     * @throws MpiFailure if it is damaged, or of a machine of the other byte order
     */
    static List<Saved> read(byte[] section) {
        try {
            return readChecked(section);
        } catch (IOException e) {
            throw corrupt("it ends too early", e);
        }
    }

    private static List<Saved> readChecked(byte[] section) throws IOException {
        int end = section.length - CRC_BYTES;
        if (end < HEAD_BYTES) {
            throw corrupt("it has only " + section.length + " bytes", null);
        }
        CRC32C crc = new CRC32C();
        crc.update(section, 0, end);
        DataInputStream trailer = new DataInputStream(new ByteArrayInputStream(section, end, CRC_BYTES));
        if (trailer.readInt() != (int) crc.getValue()) {
            throw corrupt("its checksum is wrong", null);
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(section, 0, end));
        String magic = new String(in.readNBytes(MAGIC.length()), StandardCharsets.US_ASCII);
        int version = in.readInt();
        if (!magic.equals(MAGIC) || version != VERSION) {
            throw corrupt("it is " + magic + " version " + version + ", not " + MAGIC + " " + VERSION, null);
        }
        int order = in.readByte();
        int count = in.readInt();
        if (order != nativeOrder() && count > 0) {
            throw corrupt(
                    "its messages are of a machine of the other byte order: resume on one of the first kind", null);
        }
        List<Saved> saved = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int peer = in.readInt();
            boolean continuation = in.readBoolean();
            FrameHeader header = new FrameHeader();
            header.read(MemorySegment.ofArray(in.readNBytes(FrameHeader.BYTES)), 0);
            long from = in.readLong();
            saved.add(new Saved(peer, continuation, header, from, in.readNBytes(in.readInt())));
        }
        return saved;
    }

    private static MpiFailure corrupt(String what, @Nullable Throwable cause) {
        return new MpiFailure(
                ErrorClass.OTHER, "the snapshot's messages in flight cannot be delivered: " + what, cause);
    }

    private static int nativeOrder() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 0;
    }
}
