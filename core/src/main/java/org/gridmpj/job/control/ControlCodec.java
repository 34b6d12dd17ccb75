package org.gridmpj.job.control;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.gridmpj.job.JobSpec;
import org.gridmpj.job.OutOfReach;
import org.gridmpj.job.RankTable;
import org.jspecify.annotations.Nullable;

/**
 * Control messages ↔ bytes. All numbers are big-endian; a text is its length in UTF-8 bytes (int) and those bytes.
 *
 * <pre>
 *   0      4         5      6          8             12          12 + n
 *   ├──────┼─────────┼──────┼──────────┼─────────────┼───────────┼──────────┤
 *   │magic │ version │ type │ reserved │ bodyBytes n │ body …    │ CRC32C   │
 * </pre>
 *
 * The checksum covers everything before it. A frame of another version, of an unknown type, longer than {@link
 * #MAX_BODY_BYTES} or with bytes left over is a {@link ProtocolException}: the connection that it came from is closed,
 * nothing else happens. Type numbers are never reused.
 */
public final class ControlCodec {
    /** "GMJC". */
    static final int MAGIC = 0x474D4A43;

    /** Version of the frames and of every body. */
    static final byte VERSION = 8;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = 4;
    static final int TYPE_OFFSET = 5;
    static final int RESERVED_OFFSET = 6;
    static final int BODY_BYTES_OFFSET = 8;
    static final int HEADER_BYTES = 12;
    static final int CHECKSUM_BYTES = 4;

    /** Room for the IP table of some 40 000 ranks. */
    public static final int MAX_BODY_BYTES = 4 << 20;

    private static final byte HELLO = 1;
    private static final byte WELCOME = 2;
    private static final byte BOUND = 3;
    private static final byte TABLE = 4;
    private static final byte HEARTBEAT = 5;
    private static final byte CHECKPOINT_NOW = 6;
    private static final byte SNAPSHOT_WRITTEN = 7;
    private static final byte SNAPSHOT_FAILED = 8;
    private static final byte EPOCH_COMMITTED = 9;
    private static final byte RESTORE_FAILED = 10;
    private static final byte ENDING = 11;
    private static final byte FINALIZED = 12;
    private static final byte SHUTDOWN = 13;
    private static final byte RESTORED = 14;
    private static final byte UNASKED = 15;
    private static final byte MOVE = 20;
    private static final byte MOVED = 21;
    private static final byte PREPARED = 22;
    private static final byte DEPART = 23;
    private static final byte DEPARTED = 24;
    private static final byte NOT_MOVED = 25;
    private static final byte STAY = 26;
    private static final byte ARRIVE = 27;
    private static final byte ARRIVED = 28;
    private static final byte GO = 29;
    private static final byte GO_BACK = 30;
    private static final byte PEER_GOES_BACK = 31;
    private static final byte CAUGHT_UP = 32;
    private static final byte NOT_ALONE = 33;
    private static final byte DIVERGED = 34;
    private static final byte HEARD = 35;
    private static final byte FAREWELL = 36;
    private static final byte COPY_AHEAD = 40;
    private static final byte COPIED_AHEAD = 41;
    private static final byte REHEARSE = 42;
    private static final byte LIVED = 43;
    private static final byte PACE = 44;
    private static final byte KNOCK = 50;
    private static final byte GOODBYE = 51;

    private static final byte END_EXIT = 0;
    private static final byte END_ABORT = 1;
    private static final byte END_UNCAUGHT = 2;

    private ControlCodec() {}

    /** One whole frame. */
    public static byte[] encode(ControlMessage message) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
            DataOutputStream body = new DataOutputStream(bytes);
            byte type = writeBody(message, body);
            if (bytes.size() > MAX_BODY_BYTES) {
                throw new ProtocolException("a control message of " + bytes.size() + " bytes is longer than the "
                        + MAX_BODY_BYTES + " allowed");
            }
            ByteBuffer frame = ByteBuffer.allocate(HEADER_BYTES + bytes.size() + CHECKSUM_BYTES);
            frame.putInt(MAGIC).put(VERSION).put(type).putShort((short) 0).putInt(bytes.size());
            frame.put(bytes.toByteArray());
            frame.putInt(checksum(frame.array(), frame.position()));
            return frame.array();
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot encode " + message, e);
        }
    }

    /**
     * Reads one frame.
     *
     * @return the message, or null at an orderly end of the stream (between two frames)
     * @throws ProtocolException if the bytes are no frame of this version
     */
    public static @Nullable ControlMessage read(InputStream in) throws IOException {
        int first = in.read();
        if (first < 0) {
            return null;
        }
        byte[] header = new byte[HEADER_BYTES];
        header[0] = (byte) first;
        readFully(in, header, 1);
        ByteBuffer fields = ByteBuffer.wrap(header);
        if (fields.getInt(MAGIC_OFFSET) != MAGIC) {
            throw new ProtocolException("not a control frame");
        }
        if (fields.get(VERSION_OFFSET) != VERSION) {
            throw new ProtocolException("control frame of version " + fields.get(VERSION_OFFSET) + ", not " + VERSION);
        }
        int bodyBytes = fields.getInt(BODY_BYTES_OFFSET);
        if (bodyBytes < 0 || bodyBytes > MAX_BODY_BYTES || fields.getShort(RESERVED_OFFSET) != 0) {
            throw new ProtocolException("control frame with a body of " + bodyBytes + " bytes");
        }
        byte[] frame = Arrays.copyOf(header, HEADER_BYTES + bodyBytes);
        readFully(in, frame, HEADER_BYTES);
        byte[] stated = new byte[CHECKSUM_BYTES];
        readFully(in, stated, 0);
        if (ByteBuffer.wrap(stated).getInt() != checksum(frame, frame.length)) {
            throw new ProtocolException("control frame with a wrong checksum");
        }
        ByteArrayInputStream bytes = new ByteArrayInputStream(frame, HEADER_BYTES, bodyBytes);
        ControlMessage message;
        try {
            message = readBody(header[TYPE_OFFSET], new DataInputStream(bytes));
        } catch (EOFException e) {
            throw malformed("control frame of type " + header[TYPE_OFFSET] + " is too short", e);
        }
        if (bytes.available() > 0) {
            throw new ProtocolException("control frame of type " + header[TYPE_OFFSET] + " is too long");
        }
        return message;
    }

    private static ProtocolException malformed(String what, Exception cause) {
        ProtocolException failure = new ProtocolException(what);
        failure.initCause(cause);
        return failure;
    }

    private static void readFully(InputStream in, byte[] target, int from) throws IOException {
        int wanted = target.length - from;
        if (in.readNBytes(target, from, wanted) < wanted) {
            throw new EOFException("the connection ended within a control frame");
        }
    }

    private static int checksum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private static byte writeBody(ControlMessage message, DataOutputStream out) throws IOException {
        switch (message) {
            case ControlMessage.Hello m -> {
                out.writeInt(m.worldRank());
                out.writeInt(m.incarnation());
                out.writeLong(m.pid());
                return HELLO;
            }
            case ControlMessage.Welcome m -> {
                text(out, m.job().jobName());
                out.writeInt(m.job().generation());
                out.writeInt(m.job().size());
                for (String host : m.job().hosts()) {
                    text(out, host);
                }
                out.writeInt(m.resumeEpoch());
                return WELCOME;
            }
            case ControlMessage.Bound m -> {
                text(out, m.host());
                out.writeInt(m.port());
                text(out, m.hostId());
                return BOUND;
            }
            case ControlMessage.Table m -> {
                out.writeInt(m.table().epoch());
                out.writeInt(m.table().size());
                for (RankTable.Entry entry : m.table().entries()) {
                    text(out, entry.host());
                    out.writeInt(entry.port());
                    out.writeInt(entry.incarnation());
                    text(out, entry.hostId());
                }
                return TABLE;
            }
            case ControlMessage.Heartbeat m -> {
                out.writeLong(m.mpiCalls());
                text(out, m.state());
                text(out, m.where());
                out.writeLong(m.heldDeterminants());
                out.writeInt(m.outOfReach().size());
                for (OutOfReach peer : m.outOfReach()) {
                    out.writeInt(peer.worldRank());
                    text(out, peer.at());
                    out.writeInt(peer.seconds());
                    text(out, peer.obstacle());
                }
                return HEARTBEAT;
            }
            case ControlMessage.Knock m -> {
                out.writeInt(m.fromRank());
                out.writeInt(m.toRank());
                return KNOCK;
            }
            case ControlMessage.Goodbye m -> {
                out.writeInt(m.fromRank());
                out.writeInt(m.toRanks().size());
                for (int rank : m.toRanks()) {
                    out.writeInt(rank);
                }
                return GOODBYE;
            }
            case ControlMessage.CheckpointNow m -> {
                text(out, m.reason());
                return CHECKPOINT_NOW;
            }
            case ControlMessage.Move m -> {
                out.writeInt(m.worldRank());
                text(out, m.host());
                return MOVE;
            }
            case ControlMessage.Moved m -> {
                text(out, m.host());
                text(out, m.text());
                return MOVED;
            }
            case ControlMessage.SnapshotWritten m -> {
                out.writeInt(m.epoch());
                text(out, m.file());
                out.writeLong(m.bytes());
                out.writeInt(m.crc32c());
                out.writeInt(m.fullEpoch());
                out.writeLong(m.stallNanos());
                out.writeLong(m.stdoutBytes());
                out.writeLong(m.stderrBytes());
                out.writeLong(m.stdinBytes());
                return SNAPSHOT_WRITTEN;
            }
            case ControlMessage.SnapshotFailed m -> {
                out.writeInt(m.epoch());
                text(out, m.reason());
                return SNAPSHOT_FAILED;
            }
            case ControlMessage.EpochCommitted m -> {
                out.writeInt(m.epoch());
                return EPOCH_COMMITTED;
            }
            case ControlMessage.RestoreFailed m -> {
                out.writeInt(m.epoch());
                out.writeBoolean(m.isOtherProgram());
                text(out, m.reason());
                return RESTORE_FAILED;
            }
            case ControlMessage.Restored m -> {
                out.writeInt(m.epoch());
                out.writeLong(m.stdoutBytes());
                out.writeLong(m.stderrBytes());
                out.writeLong(m.stdinBytes());
                return RESTORED;
            }
            case ControlMessage.Unasked m -> {
                out.writeInt(m.epoch());
                out.writeLong(m.stdoutBytes());
                out.writeLong(m.stderrBytes());
                out.writeLong(m.stdinBytes());
                return UNASKED;
            }
            case ControlMessage.Prepared m -> {
                return PREPARED;
            }
            case ControlMessage.CopyAhead m -> {
                text(out, m.file());
                return COPY_AHEAD;
            }
            case ControlMessage.CopiedAhead m -> {
                text(out, m.file());
                out.writeLong(m.bytes());
                out.writeLong(m.stallNanos());
                return COPIED_AHEAD;
            }
            case ControlMessage.Rehearse m -> {
                text(out, m.file());
                return REHEARSE;
            }
            case ControlMessage.Lived m -> {
                out.writeLong(m.nanos());
                out.writeInt(m.failures());
                return LIVED;
            }
            case ControlMessage.Pace m -> {
                out.writeLong(m.intervalNanos());
                out.writeDouble(m.waste());
                return PACE;
            }
            case ControlMessage.Depart m -> {
                text(out, m.file());
                return DEPART;
            }
            case ControlMessage.Departed m -> {
                text(out, m.file());
                out.writeLong(m.bytes());
                out.writeLong(m.stallNanos());
                out.writeLong(m.stdoutBytes());
                out.writeLong(m.stderrBytes());
                out.writeLong(m.stdinBytes());
                return DEPARTED;
            }
            case ControlMessage.NotMoved m -> {
                text(out, m.file());
                text(out, m.reason());
                return NOT_MOVED;
            }
            case ControlMessage.Stay m -> {
                text(out, m.reason());
                return STAY;
            }
            case ControlMessage.Arrive m -> {
                text(out, m.file());
                return ARRIVE;
            }
            case ControlMessage.Arrived m -> {
                return ARRIVED;
            }
            case ControlMessage.Go m -> {
                return GO;
            }
            case ControlMessage.GoBack m -> {
                out.writeInt(m.epoch());
                return GO_BACK;
            }
            case ControlMessage.PeerGoesBack m -> {
                out.writeInt(m.worldRank());
                out.writeInt(m.incarnation());
                out.writeInt(m.epoch());
                return PEER_GOES_BACK;
            }
            case ControlMessage.CaughtUp m -> {
                out.writeInt(m.worldRank());
                out.writeInt(m.nextEpoch());
                return CAUGHT_UP;
            }
            case ControlMessage.NotAlone m -> {
                out.writeInt(m.cutEpoch());
                out.writeBoolean(m.any());
                text(out, m.reason());
                return NOT_ALONE;
            }
            case ControlMessage.Heard m -> {
                return HEARD;
            }
            case ControlMessage.Diverged m -> {
                text(out, m.what());
                return DIVERGED;
            }
            case ControlMessage.Ending m -> {
                out.writeByte(
                        switch (m.kind()) {
                            case EXIT -> END_EXIT;
                            case ABORT -> END_ABORT;
                            case UNCAUGHT -> END_UNCAUGHT;
                        });
                out.writeInt(m.exitCode());
                text(out, m.text());
                return ENDING;
            }
            case ControlMessage.Farewell m -> {
                return FAREWELL;
            }
            case ControlMessage.Finalized m -> {
                return FINALIZED;
            }
            case ControlMessage.Shutdown m -> {
                out.writeInt(m.exitCode());
                text(out, m.reason());
                return SHUTDOWN;
            }
        }
    }

    private static ControlMessage readBody(byte type, DataInputStream in) throws IOException {
        return switch (type) {
            case HELLO -> new ControlMessage.Hello(in.readInt(), in.readInt(), in.readLong());
            case WELCOME -> new ControlMessage.Welcome(job(in), in.readInt());
            case BOUND -> new ControlMessage.Bound(text(in), in.readInt(), text(in));
            case TABLE -> new ControlMessage.Table(table(in));
            case HEARTBEAT ->
                new ControlMessage.Heartbeat(in.readLong(), text(in), text(in), in.readLong(), outOfReach(in));
            case KNOCK -> new ControlMessage.Knock(in.readInt(), in.readInt());
            case GOODBYE -> new ControlMessage.Goodbye(in.readInt(), ranks(in));
            case CHECKPOINT_NOW -> new ControlMessage.CheckpointNow(text(in));
            case SNAPSHOT_WRITTEN ->
                new ControlMessage.SnapshotWritten(
                        in.readInt(),
                        text(in),
                        in.readLong(),
                        in.readInt(),
                        in.readInt(),
                        in.readLong(),
                        in.readLong(),
                        in.readLong(),
                        in.readLong());
            case SNAPSHOT_FAILED -> new ControlMessage.SnapshotFailed(in.readInt(), text(in));
            case EPOCH_COMMITTED -> new ControlMessage.EpochCommitted(in.readInt());
            case RESTORE_FAILED -> new ControlMessage.RestoreFailed(in.readInt(), in.readBoolean(), text(in));
            case RESTORED -> new ControlMessage.Restored(in.readInt(), in.readLong(), in.readLong(), in.readLong());
            case UNASKED -> new ControlMessage.Unasked(in.readInt(), in.readLong(), in.readLong(), in.readLong());
            case ENDING -> new ControlMessage.Ending(endKind(in.readByte()), in.readInt(), text(in));
            case FAREWELL -> new ControlMessage.Farewell();
            case FINALIZED -> new ControlMessage.Finalized();
            case MOVE -> new ControlMessage.Move(in.readInt(), text(in));
            case MOVED -> new ControlMessage.Moved(text(in), text(in));
            case PREPARED -> new ControlMessage.Prepared();
            case COPY_AHEAD -> new ControlMessage.CopyAhead(text(in));
            case COPIED_AHEAD -> new ControlMessage.CopiedAhead(text(in), in.readLong(), in.readLong());
            case REHEARSE -> new ControlMessage.Rehearse(text(in));
            case LIVED -> new ControlMessage.Lived(in.readLong(), in.readInt());
            case PACE -> new ControlMessage.Pace(in.readLong(), in.readDouble());
            case DEPART -> new ControlMessage.Depart(text(in));
            case DEPARTED ->
                new ControlMessage.Departed(
                        text(in), in.readLong(), in.readLong(), in.readLong(), in.readLong(), in.readLong());
            case NOT_MOVED -> new ControlMessage.NotMoved(text(in), text(in));
            case STAY -> new ControlMessage.Stay(text(in));
            case ARRIVE -> new ControlMessage.Arrive(text(in));
            case ARRIVED -> new ControlMessage.Arrived();
            case GO -> new ControlMessage.Go();
            case GO_BACK -> new ControlMessage.GoBack(in.readInt());
            case PEER_GOES_BACK -> new ControlMessage.PeerGoesBack(in.readInt(), in.readInt(), in.readInt());
            case CAUGHT_UP -> new ControlMessage.CaughtUp(in.readInt(), in.readInt());
            case NOT_ALONE -> new ControlMessage.NotAlone(in.readInt(), in.readBoolean(), text(in));
            case HEARD -> new ControlMessage.Heard();
            case DIVERGED -> new ControlMessage.Diverged(text(in));
            case SHUTDOWN -> new ControlMessage.Shutdown(in.readInt(), text(in));
            default -> throw new ProtocolException("control frame of the unknown type " + type);
        };
    }

    private static ControlMessage.EndKind endKind(byte number) throws ProtocolException {
        return switch (number) {
            case END_EXIT -> ControlMessage.EndKind.EXIT;
            case END_ABORT -> ControlMessage.EndKind.ABORT;
            case END_UNCAUGHT -> ControlMessage.EndKind.UNCAUGHT;
            default -> throw new ProtocolException("unknown kind of ending " + number);
        };
    }

    private static JobSpec job(DataInputStream in) throws IOException {
        String name = text(in);
        int generation = in.readInt();
        int size = size(in);
        List<String> hosts = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            hosts.add(text(in));
        }
        return new JobSpec(name, generation, hosts);
    }

    private static RankTable table(DataInputStream in) throws IOException {
        int epoch = in.readInt();
        int size = size(in);
        List<RankTable.Entry> entries = new ArrayList<>();
        for (int rank = 0; rank < size; rank++) {
            entries.add(new RankTable.Entry(rank, text(in), in.readInt(), in.readInt(), text(in)));
        }
        return new RankTable(epoch, entries);
    }

    private static List<OutOfReach> outOfReach(DataInputStream in) throws IOException {
        int size = size(in);
        List<OutOfReach> peers = new ArrayList<>();
        for (int each = 0; each < size; each++) {
            peers.add(new OutOfReach(in.readInt(), text(in), in.readInt(), text(in)));
        }
        return peers;
    }

    private static List<Integer> ranks(DataInputStream in) throws IOException {
        int size = size(in);
        List<Integer> ranks = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            ranks.add(in.readInt());
        }
        return ranks;
    }

    private static int size(DataInputStream in) throws IOException {
        int size = in.readInt();
        if (size < 0 || size > MAX_BODY_BYTES) {
            throw new ProtocolException("a job of " + size + " ranks");
        }
        return size;
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }

    private static String text(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new ProtocolException("a text of " + length + " bytes");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
