package org.gridmpj.capture.heap;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * An open file: reopened under its path and set to its position. The file of an output stream is cut to the length that it
 * had, since what came after belongs to a future that did not happen. That of a RandomAccessFile is not: ranks may have one
 * file together, and what is behind may be another one's. A closed one is made without asking for its file, which may be gone.
 *
 * @param kind one of those below
 * @param path as the program gave it
 * @param position in bytes; −1: it was closed
 * @param length of the file, in bytes; 0 where it is only read
 */
record FileForm(int kind, String path, long position, long length) {
    private static final int INPUT = 0;
    private static final int OUTPUT = 1;
    private static final int READ_ONLY = 2;
    private static final int READ_WRITE = 3;
    /** "rws", also for "rwd", which does less: the JDK does not keep which it was. */
    private static final int SYNCHRONOUS = 4;

    private static final int APPENDING = 5;

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** The form of an open file, or null if the object is none or has no path. */
    static @Nullable FileForm of(Object object) throws IOException {
        return switch (object) {
            case FileInputStream in
            when in.getClass() == FileInputStream.class -> {
                String path = path(FileInputStream.class, in);
                boolean open = in.getFD().valid();
                yield path == null
                        ? null
                        : new FileForm(INPUT, path, open ? in.getChannel().position() : -1, 0);
            }
            case FileOutputStream out
            when out.getClass() == FileOutputStream.class -> {
                String path = path(FileOutputStream.class, out);
                boolean open = out.getFD().valid();
                int kind = open && is(FileDescriptor.class, "append", out.getFD()) ? APPENDING : OUTPUT;
                yield path == null
                        ? null
                        : new FileForm(
                                kind,
                                path,
                                open ? out.getChannel().position() : -1,
                                open ? out.getChannel().size() : 0);
            }
            case RandomAccessFile file
            when file.getClass() == RandomAccessFile.class -> {
                String path = path(RandomAccessFile.class, file);
                boolean open = file.getFD().valid();
                int kind = !is(RandomAccessFile.class, "rw", file)
                        ? READ_ONLY
                        : is(RandomAccessFile.class, "sync", file) ? SYNCHRONOUS : READ_WRITE;
                yield path == null
                        ? null
                        : new FileForm(
                                kind,
                                path,
                                open ? file.getFilePointer() : -1,
                                open && kind != READ_ONLY ? file.length() : 0);
            }
            default -> null;
        };
    }

    private static @Nullable String path(Class<?> type, Object object) throws IOException {
        return (String) UNSAFE.getReference(object, offset(type, "path"));
    }

    private static boolean is(Class<?> type, String name, Object object) throws IOException {
        return UNSAFE.getBoolean(object, offset(type, name));
    }

    private static long offset(Class<?> type, String name) throws IOException {
        try {
            return UNSAFE.objectFieldOffset(type, name);
        } catch (InternalError e) {
            throw new IOException("this JDK's " + type.getName() + " has no field " + name, e);
        }
    }

    /** Why an open file cannot be captured, or null. */
    static @Nullable String obstacle(Object stream) throws IOException {
        Class<?> type = stream instanceof FileInputStream
                ? FileInputStream.class
                : stream instanceof FileOutputStream ? FileOutputStream.class : RandomAccessFile.class;
        return UNSAFE.getReferenceVolatile(stream, offset(type, "channel")) instanceof FileChannel channel
                ? ChannelForm.obstacle(channel)
                : null;
    }

    /** Opens it again. */
    Object open() throws IOException {
        return switch (kind) {
            case INPUT -> {
                if (position < 0) {
                    yield closed(FileInputStream.class);
                }
                FileInputStream in = new FileInputStream(path);
                in.getChannel().position(position);
                yield in;
            }
            case OUTPUT, APPENDING -> {
                if (position < 0) {
                    yield closed(FileOutputStream.class);
                }
                require(path, length);
                FileOutputStream out = kind == APPENDING ? new FileOutputStream(path, true) : notTruncating();
                out.getChannel().truncate(length).position(position);
                yield out;
            }
            case READ_ONLY, READ_WRITE, SYNCHRONOUS -> {
                if (position < 0) {
                    yield closed(RandomAccessFile.class);
                }
                if (!new File(path).exists()) {
                    require(path, length);
                }
                RandomAccessFile file =
                        new RandomAccessFile(path, kind == READ_ONLY ? "r" : kind == READ_WRITE ? "rw" : "rws");
                file.seek(position);
                yield file;
            }
            default -> throw new IOException("the image has a file of unknown kind " + kind);
        };
    }

    /** A stream that writes where its position is: FileOutputStream itself opens only to append or after it has cut all off. */
    private FileOutputStream notTruncating() throws IOException {
        FileChannel channel = FileChannel.open(Path.of(path), StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        FileDescriptor descriptor = (FileDescriptor) UNSAFE.getReference(channel, offset(channel.getClass(), "fd"));
        FileOutputStream out = new FileOutputStream(descriptor);
        UNSAFE.putReference(out, offset(FileOutputStream.class, "path"), path);
        // the descriptor is closed with the channel, which has to live as long as the stream
        UNSAFE.putReferenceVolatile(out, offset(FileOutputStream.class, "channel"), channel);
        ChannelForm.attach(channel, out);
        return out;
    }

    private Object closed(Class<?> type) throws IOException {
        try {
            Object made = UNSAFE.allocateInstance(type);
            UNSAFE.putReference(made, offset(type, "fd"), new FileDescriptor());
            UNSAFE.putReference(made, offset(type, "path"), path);
            UNSAFE.putReference(made, offset(type, "closeLock"), new Object());
            if (type == RandomAccessFile.class) {
                UNSAFE.putReference(made, offset(type, "buffer"), new byte[Long.BYTES]);
                UNSAFE.putBoolean(made, offset(type, "rw"), kind != READ_ONLY);
                UNSAFE.putBoolean(made, offset(type, "sync"), kind == SYNCHRONOUS);
            }
            UNSAFE.putBooleanVolatile(made, offset(type, "closed"), true);
            return made;
        } catch (InstantiationException e) {
            throw new IOException("this JDK's " + type.getName() + " cannot be made", e);
        }
    }

    /** That a file has as many bytes as it had. */
    static void require(String path, long length) throws IOException {
        long sizeBytes = new File(path).length();
        if (sizeBytes < length) {
            throw new IOException("file " + path + " has " + sizeBytes + " bytes, and had " + length
                    + " when the snapshot was taken: put back what was there, or start without --resume");
        }
    }
}
