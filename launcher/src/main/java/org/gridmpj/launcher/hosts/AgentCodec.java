package org.gridmpj.launcher.hosts;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link AgentMessage} ↔ bytes: a type (one byte), then the components in their order. Numbers are big-endian; texts and
 * bytes have their length (int) before them; lists their size. Type numbers are never reused. {@link AgentLink} adds
 * length, encryption and authentication.
 */
final class AgentCodec {
    private static final int OPEN = 1;
    private static final int WANTED = 2;
    private static final int PART = 3;
    private static final int START = 4;
    private static final int STARTED = 5;
    private static final int CONTROL = 6;
    private static final int OUTPUT = 7;
    private static final int INPUT = 8;
    private static final int CONSUMED = 9;
    private static final int KILL = 10;
    private static final int EXITED = 11;
    private static final int BEAT = 12;
    private static final int COPY = 13;
    private static final int CHECK = 14;
    private static final int PUT = 15;
    private static final int REMOVE = 16;
    private static final int FORGET = 17;
    private static final int STORE = 18;
    private static final int DONE = 19;
    private static final int SHIP = 20;
    private static final int DISCARD = 21;
    private static final int DELIVER = 22;
    private static final int KEEP = 23;
    private static final int DRILL = 24;
    private static final int DROP = 25;

    private AgentCodec() {}

    static byte[] encode(AgentMessage message) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            write(message, new DataOutputStream(bytes));
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot encode " + message, e);
        }
        return bytes.toByteArray();
    }

    static AgentMessage decode(byte[] bytes) throws IOException {
        ByteArrayInputStream rest = new ByteArrayInputStream(bytes);
        AgentMessage message = read(new DataInputStream(rest));
        if (rest.available() > 0) {
            throw new ProtocolException("a message of type " + bytes[0] + " is too long");
        }
        return message;
    }

    private static void write(AgentMessage message, DataOutputStream out) throws IOException {
        switch (message) {
            case AgentMessage.Open m -> {
                out.writeByte(OPEN);
                text(out, m.job());
                text(out, m.secret());
                text(out, m.request());
                out.writeBoolean(m.draftNames());
                texts(out, m.parts());
                out.writeInt(m.leaseMillis());
            }
            case AgentMessage.Wanted m -> {
                out.writeByte(WANTED);
                texts(out, m.parts());
            }
            case AgentMessage.Part m -> {
                out.writeByte(PART);
                text(out, m.name());
                out.writeBoolean(m.last());
                bytes(out, m.bytes());
            }
            case AgentMessage.Start m -> process(out, START, m.of());
            case AgentMessage.Started m -> {
                process(out, STARTED, m.of());
                out.writeLong(m.pid());
            }
            case AgentMessage.Control m -> {
                process(out, CONTROL, m.of());
                bytes(out, m.frame());
            }
            case AgentMessage.Output m -> {
                process(out, OUTPUT, m.of());
                out.writeByte(m.stream());
                bytes(out, m.bytes());
            }
            case AgentMessage.Input m -> {
                process(out, INPUT, m.of());
                bytes(out, m.bytes());
            }
            case AgentMessage.Consumed m -> {
                process(out, CONSUMED, m.of());
                out.writeByte(m.stream());
                out.writeInt(m.bytes());
            }
            case AgentMessage.Kill m -> process(out, KILL, m.of());
            case AgentMessage.Exited m -> {
                process(out, EXITED, m.of());
                out.writeInt(m.status());
                text(out, m.problem());
            }
            case AgentMessage.Beat m -> out.writeByte(BEAT);
            case AgentMessage.Copy m -> {
                out.writeByte(COPY);
                out.writeInt(m.request());
                image(out, m.file(), m.bytes(), m.crc32c());
                text(out, m.host());
                out.writeInt(m.port());
            }
            case AgentMessage.Check m -> {
                out.writeByte(CHECK);
                out.writeInt(m.request());
                image(out, m.file(), m.bytes(), m.crc32c());
            }
            case AgentMessage.Put m -> {
                out.writeByte(PUT);
                out.writeInt(m.request());
                text(out, m.file());
                bytes(out, m.content());
            }
            case AgentMessage.Drill m -> {
                out.writeByte(DRILL);
                out.writeInt(m.request());
                out.writeInt(m.worldRank());
                text(out, m.file());
                bytes(out, m.content());
            }
            case AgentMessage.Remove m -> {
                out.writeByte(REMOVE);
                text(out, m.epochFolder());
            }
            case AgentMessage.Keep m -> {
                out.writeByte(KEEP);
                out.writeInt(m.generation());
                texts(out, m.epochFolders());
            }
            case AgentMessage.Forget m -> out.writeByte(FORGET);
            case AgentMessage.Drop m -> {
                out.writeByte(DROP);
                text(out, m.job());
            }
            case AgentMessage.Store m -> {
                out.writeByte(STORE);
                text(out, m.job());
                image(out, m.file(), m.bytes(), m.crc32c());
            }
            case AgentMessage.Ship m -> {
                out.writeByte(SHIP);
                out.writeInt(m.request());
                text(out, m.file());
                text(out, m.host());
                out.writeInt(m.port());
            }
            case AgentMessage.Discard m -> {
                out.writeByte(DISCARD);
                text(out, m.file());
            }
            case AgentMessage.Deliver m -> {
                out.writeByte(DELIVER);
                text(out, m.job());
                text(out, m.file());
            }
            case AgentMessage.Done m -> {
                out.writeByte(DONE);
                out.writeInt(m.request());
                text(out, m.error());
            }
        }
    }

    private static AgentMessage read(DataInputStream in) throws IOException {
        int type = in.readByte();
        return switch (type) {
            case OPEN -> new AgentMessage.Open(text(in), text(in), text(in), in.readBoolean(), texts(in), in.readInt());
            case WANTED -> new AgentMessage.Wanted(texts(in));
            case PART -> new AgentMessage.Part(text(in), in.readBoolean(), bytes(in));
            case START -> new AgentMessage.Start(process(in));
            case STARTED -> new AgentMessage.Started(process(in), in.readLong());
            case CONTROL -> new AgentMessage.Control(process(in), bytes(in));
            case OUTPUT -> new AgentMessage.Output(process(in), in.readByte(), bytes(in));
            case INPUT -> new AgentMessage.Input(process(in), bytes(in));
            case CONSUMED -> new AgentMessage.Consumed(process(in), in.readByte(), in.readInt());
            case KILL -> new AgentMessage.Kill(process(in));
            case EXITED -> new AgentMessage.Exited(process(in), in.readInt(), text(in));
            case BEAT -> new AgentMessage.Beat();
            case COPY ->
                new AgentMessage.Copy(in.readInt(), text(in), in.readLong(), in.readInt(), text(in), in.readInt());
            case CHECK -> new AgentMessage.Check(in.readInt(), text(in), in.readLong(), in.readInt());
            case PUT -> new AgentMessage.Put(in.readInt(), text(in), bytes(in));
            case DRILL -> new AgentMessage.Drill(in.readInt(), in.readInt(), text(in), bytes(in));
            case REMOVE -> new AgentMessage.Remove(text(in));
            case KEEP -> new AgentMessage.Keep(in.readInt(), texts(in));
            case FORGET -> new AgentMessage.Forget();
            case DROP -> new AgentMessage.Drop(text(in));
            case STORE -> new AgentMessage.Store(text(in), text(in), in.readLong(), in.readInt());
            case SHIP -> new AgentMessage.Ship(in.readInt(), text(in), text(in), in.readInt());
            case DISCARD -> new AgentMessage.Discard(text(in));
            case DELIVER -> new AgentMessage.Deliver(text(in), text(in));
            case DONE -> new AgentMessage.Done(in.readInt(), text(in));
            default -> throw new ProtocolException("a message of the unknown type " + type);
        };
    }

    private static void process(DataOutputStream out, int type, RankProcess of) throws IOException {
        out.writeByte(type);
        out.writeInt(of.life());
        out.writeInt(of.worldRank());
        out.writeInt(of.incarnation());
    }

    private static RankProcess process(DataInputStream in) throws IOException {
        return new RankProcess(in.readInt(), in.readInt(), in.readInt());
    }

    private static void image(DataOutputStream out, String file, long bytes, int crc32c) throws IOException {
        text(out, file);
        out.writeLong(bytes);
        out.writeInt(crc32c);
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(array(in), StandardCharsets.UTF_8);
    }

    private static void texts(DataOutputStream out, List<String> texts) throws IOException {
        out.writeInt(texts.size());
        for (String text : texts) {
            text(out, text);
        }
    }

    private static List<String> texts(DataInputStream in) throws IOException {
        int size = in.readInt();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            texts.add(text(in));
        }
        return texts;
    }

    private static void bytes(DataOutputStream out, ByteBuffer bytes) throws IOException {
        byte[] copy = new byte[bytes.remaining()];
        bytes.duplicate().get(copy);
        out.writeInt(copy.length);
        out.write(copy);
    }

    private static ByteBuffer bytes(DataInputStream in) throws IOException {
        return ByteBuffer.wrap(array(in)).asReadOnlyBuffer();
    }

    private static byte[] array(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new ProtocolException("a part of " + length + " bytes");
        }
        return in.readNBytes(length);
    }
}
