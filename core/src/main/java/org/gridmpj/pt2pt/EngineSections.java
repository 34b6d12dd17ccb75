package org.gridmpj.pt2pt;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameKind;
import org.jspecify.annotations.Nullable;

/**
 * The engine's sections of a snapshot, big-endian whatever the machine.
 *
 * <pre>
 *   every section   magic (8 bytes ASCII) · version (int) · body · CRC-32C of all before it (int)
 *
 *   GMPJUNEX        number of messages (int), then in order of arrival, each
 *                   type (int) flags (int) source (int) context (long) tag (int) count (int) message id (long)
 *                   length (int) · payload, in the byte order of the machine: see order (byte, first of the body,
 *                   1 = little-endian, 0 = big-endian)
 *   GMPJCNTR        number of counters (int), then each: peer (int) context (long) next message id (long)
 *   GMPJSERB        size that the permanent serialization buffers begin with, bytes (int); at a cut no message is being
 *                   serialized, so that they hold nothing
 * </pre>
 */
final class EngineSections {
    /** Name of the section of unexpected messages. */
    static final String UNEXPECTED = "engine/unexpected-messages";

    /** Name of the section of message counters. */
    static final String COUNTERS = "engine/message-counters";

    /** Name of the section of the permanent serialization buffers. */
    static final String SERIALIZATION_BUFFERS = "engine/serialization-buffers";

    static final int VERSION = 1;
    private static final String UNEXPECTED_MAGIC = "GMPJUNEX";
    private static final String COUNTERS_MAGIC = "GMPJCNTR";
    private static final String SERIALIZATION_BUFFERS_MAGIC = "GMPJSERB";
    private static final int CRC_BYTES = 4;

    /** A message of a section. */
    record Saved(FrameHeader header, MemorySegment payload) {}

    /** Writes a body. */
    private interface Body {
        void write(DataOutputStream out) throws IOException;
    }

    private EngineSections() {}

    static byte[] writeUnexpected(List<UnexpectedMessage> messages) {
        return section(UNEXPECTED_MAGIC, out -> {
            out.writeByte(nativeOrder());
            out.writeInt(messages.size());
            for (UnexpectedMessage message : messages) {
                FrameHeader header = message.header;
                out.writeInt(header.typeCode);
                out.writeInt(header.flags);
                out.writeInt(header.sourceRank);
                out.writeLong(header.contextId);
                out.writeInt(header.tag);
                out.writeInt(header.count);
                out.writeLong(header.messageId);
                int length = (int) header.messageBytes;
                out.writeInt(length);
                out.write(message.payload().asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
            }
        });
    }

    static List<Saved> readUnexpected(byte[] section) {
        try (DataInputStream in = open(section, UNEXPECTED_MAGIC, UNEXPECTED)) {
            int order = in.readByte();
            if (order != nativeOrder()) {
                throw new MpiFailure(
                        ErrorClass.OTHER,
                        "the snapshot was taken on a machine of the other byte order: its unexpected messages cannot be"
                                + " delivered here; resume the job on machines of the first kind");
            }
            int count = in.readInt();
            List<Saved> messages = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                FrameHeader header = new FrameHeader();
                header.kind = FrameKind.EAGER;
                header.typeCode = in.readInt();
                header.flags = in.readInt();
                header.sourceRank = in.readInt();
                header.contextId = in.readLong();
                header.tag = in.readInt();
                header.count = in.readInt();
                header.messageId = in.readLong();
                byte[] payload = in.readNBytes(in.readInt());
                header.messageBytes = payload.length;
                header.payloadBytes = payload.length;
                messages.add(new Saved(header, MemorySegment.ofArray(payload)));
            }
            return messages;
        } catch (IOException e) {
            throw corrupt(UNEXPECTED, "it ends too early", e);
        }
    }

    static byte[] writeCounters(Peer[] peers) {
        return section(COUNTERS_MAGIC, out -> {
            int count = 0;
            for (Peer peer : peers) {
                count += peer.counters.size();
            }
            out.writeInt(count);
            for (Peer peer : peers) {
                peer.counters.forEach((context, nextId) -> writeCounter(out, peer.worldRank, context, nextId));
            }
        });
    }

    private static void writeCounter(DataOutputStream out, int worldRank, long context, long nextId) {
        try {
            out.writeInt(worldRank);
            out.writeLong(context);
            out.writeLong(nextId);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void readCounters(byte[] section, Peer[] peers) {
        try (DataInputStream in = open(section, COUNTERS_MAGIC, COUNTERS)) {
            int count = in.readInt();
            for (int i = 0; i < count; i++) {
                int worldRank = in.readInt();
                if (worldRank < 0 || worldRank >= peers.length) {
                    throw corrupt(COUNTERS, "it names world rank " + worldRank + " of " + peers.length, null);
                }
                peers[worldRank].counters.set(in.readLong(), in.readLong());
            }
        } catch (IOException e) {
            throw corrupt(COUNTERS, "it ends too early", e);
        }
    }

    static byte[] writeSerializationBuffers(int sizeBytes) {
        return section(SERIALIZATION_BUFFERS_MAGIC, out -> out.writeInt(sizeBytes));
    }

    /** The size in bytes. */
    static int readSerializationBuffers(byte[] section) {
        try (DataInputStream in = open(section, SERIALIZATION_BUFFERS_MAGIC, SERIALIZATION_BUFFERS)) {
            int sizeBytes = in.readInt();
            if (sizeBytes < 0) {
                throw corrupt(SERIALIZATION_BUFFERS, "it names a size of " + sizeBytes + " bytes", null);
            }
            return sizeBytes;
        } catch (IOException e) {
            throw corrupt(SERIALIZATION_BUFFERS, "it ends too early", e);
        }
    }

    private static byte[] section(String magic, Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeBytes(magic);
            out.writeInt(VERSION);
            body.write(out);
            CRC32C crc = new CRC32C();
            crc.update(bytes.toByteArray());
            out.writeInt((int) crc.getValue());
        } catch (IOException e) {
            throw new UncheckedIOException("a byte array cannot be written", e);
        }
        return bytes.toByteArray();
    }

    private static DataInputStream open(byte[] section, String magic, String name) throws IOException {
        int bodyEnd = section.length - CRC_BYTES;
        if (bodyEnd < magic.length() + Integer.BYTES) {
            throw corrupt(name, "it has only " + section.length + " bytes", null);
        }
        CRC32C crc = new CRC32C();
        crc.update(section, 0, bodyEnd);
        int stored = MemorySegment.ofArray(section)
                .get(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), bodyEnd);
        if (stored != (int) crc.getValue()) {
            throw corrupt(name, "its checksum is wrong", null);
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(section, 0, bodyEnd));
        String found = new String(in.readNBytes(magic.length()), StandardCharsets.US_ASCII);
        int version = in.readInt();
        if (!found.equals(magic) || version != VERSION) {
            throw corrupt(name, "it is " + found + " version " + version + ", not " + magic + " " + VERSION, null);
        }
        return in;
    }

    private static MpiFailure corrupt(String name, String what, @Nullable Throwable cause) {
        return new MpiFailure(ErrorClass.OTHER, "the snapshot's section " + name + " cannot be used: " + what, cause);
    }

    private static int nativeOrder() {
        return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 1 : 0;
    }
}
