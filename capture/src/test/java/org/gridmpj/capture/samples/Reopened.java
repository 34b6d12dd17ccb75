package org.gridmpj.capture.samples;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Scanner;
import java.util.stream.Stream;
import mpj.Probe;

/** Files that are read and written by java.nio.file.Files, Scanner and channels while calls are made. */
public final class Reopened {
    static final StringBuilder OUT = new StringBuilder();

    private static final int ROUNDS = 4;
    /** Longer than what readers read ahead. */
    private static final int LINES_A_ROUND = 500;

    private Reopened() {}

    public static void main(String[] args) throws IOException {
        Path folder = Files.createTempDirectory("reopened");
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < ROUNDS * LINES_A_ROUND; i++) {
            lines.add(i + " größer:" + i * 31);
        }
        Path text = Files.write(folder.resolve("in.txt"), lines);
        Files.writeString(folder.resolve("log"), "before\n");
        read(text);
        write(folder.resolve("out"), folder.resolve("log"));
        channels(folder.resolve("data"), folder.resolve("stream"));
        for (String name : List.of("out", "log", "data", "stream")) {
            OUT.append(name)
                    .append(' ')
                    .append(Files.readString(folder.resolve(name)))
                    .append('\n');
            Files.delete(folder.resolve(name));
        }
        Files.delete(text);
        Files.delete(folder);
    }

    private static void read(Path text) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(text);
                Scanner byPath = new Scanner(text, StandardCharsets.UTF_8);
                Scanner byFile = new Scanner(text.toFile(), StandardCharsets.UTF_8);
                Stream<String> stream = Files.lines(text);
                InputStream bytes = Files.newInputStream(text)) {
            Iterator<String> lines = stream.iterator();
            for (int round = 0; round < ROUNDS; round++) {
                int sum = 0;
                for (int i = 0; i < LINES_A_ROUND; i++) {
                    sum = sum * 31 + reader.readLine().hashCode() + byPath.nextInt() + bytes.read();
                    sum = sum * 31
                            + byPath.nextLine().hashCode()
                            + byFile.nextLine().hashCode();
                    sum += lines.next().hashCode();
                }
                OUT.append(sum).append(' ').append(Probe.Call(round)).append('\n');
            }
            OUT.append(reader.readLine()).append(byFile.hasNext()).append(lines.hasNext());
        }
        OUT.append(Probe.Call(4)).append('\n');
    }

    private static void write(Path file, Path log) throws IOException {
        BufferedWriter closed;
        try (BufferedWriter writer = Files.newBufferedWriter(file);
                BufferedWriter appending = Files.newBufferedWriter(log, StandardOpenOption.APPEND)) {
            for (int round = 0; round < ROUNDS; round++) {
                writer.write("round " + round);
                writer.flush();
                writer.write(" größer " + Probe.Call(round) + ";");
                appending.write("line " + round + " ");
                appending.flush();
                appending.write(Probe.Call(round) + ";");
            }
            closed = writer;
        }
        try {
            closed.write("x" + Probe.Call(1));
        } catch (IOException e) {
            OUT.append(e.getMessage()).append(Probe.Call(2)).append('\n');
        }
    }

    private static void channels(Path data, Path stream) throws IOException {
        try (FileChannel channel = FileChannel.open(
                        data, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileOutputStream out = new FileOutputStream(stream.toFile());
                RandomAccessFile access = new RandomAccessFile(stream.toFile(), "rw")) {
            FileChannel ofOut = out.getChannel();
            FileChannel ofAccess = access.getChannel();
            for (int round = 0; round < ROUNDS; round++) {
                write(channel, "data " + round + Probe.Call(round) + ";");
                OUT.append(channel.position()).append(' ');
                ByteBuffer first = ByteBuffer.allocate(6);
                channel.read(first, 0);
                OUT.append(new String(first.array(), 0, 6, StandardCharsets.UTF_8));
                out.write('0' + round);
                write(ofOut, "stream " + Probe.Call(round) + ";");
                access.seek(round);
                write(ofAccess, String.valueOf((char) ('a' + round)) + Probe.Call(7) % 10);
                OUT.append(ofOut.position()).append(' ').append(access.getFilePointer());
                OUT.append(ofOut.equals(out.getChannel()) && ofAccess.equals(access.getChannel()))
                        .append(Probe.Call(1))
                        .append('\n');
            }
            ofOut.close();
            OUT.append(out.getFD().valid()).append(Probe.Call(2)).append(ofOut.isOpen());
            OUT.append(out.getFD().valid()).append(ofAccess.isOpen()).append('\n');
        }
    }

    private static void write(FileChannel channel, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
