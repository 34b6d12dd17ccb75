package org.gridmpj.capture.heap;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Set;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * An open file channel that is not that of a stream: reopened under its path, with the options that it had, and set to its
 * position. The file is cut to the length that it had where it is written from one end to the other, by a stream of
 * {@code java.nio.file.Files} or by appending. Any other channel may be one by which ranks write into a file together, each at
 * its places, as by a RandomAccessFile: see {@link FileForm}.
 *
 * @param options sum of those below
 * @param path as the program gave it
 * @param position in bytes; −1: it was closed
 * @param length of the file that is to be cut, in bytes; else 0
 */
record ChannelForm(int options, String path, long position, long length) {
    private static final int READABLE = 1;
    private static final int WRITABLE = 2;
    private static final int APPENDING = 4;
    /** SYNC, also for DSYNC, which does less: the JDK does not keep which it was. */
    private static final int SYNCHRONOUS = 8;
    /** Not closed by an interrupt: that of a stream which Files has made. */
    private static final int UNINTERRUPTIBLE = 16;

    private static final String TYPE = "sun.nio.ch.FileChannelImpl";
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** Whether it is a channel of the JDK's to a file. */
    static boolean isOne(Object object) {
        return object instanceof FileChannel && object.getClass().getName().equals(TYPE);
    }

    /** The stream whose channel it is, or null. */
    static @Nullable Object stream(Object channel) {
        return reference(channel, "parent");
    }

    /** The channel of a stream. */
    static FileChannel of(@Nullable Object stream) throws IOException {
        return switch (stream) {
            case FileInputStream in -> in.getChannel();
            case FileOutputStream out -> out.getChannel();
            case RandomAccessFile file -> file.getChannel();
            case null, default ->
                throw new ImageMismatchException("the image has a channel of no stream: it is corrupt");
        };
    }

    /** Why a channel cannot be opened again, or null; whether it is the channel of a stream or not. */
    static @Nullable String obstacle(FileChannel channel) {
        if (!channel.isOpen()) {
            return null;
        }
        if (isLocked(channel)) {
            return "a lock of file " + path(channel) + " ends with its process; release it before the MPI call";
        }
        if (stream(channel) != null) {
            return null;
        }
        String path = path(channel);
        if (path == null) {
            return "an open channel without a path cannot be opened again; open it by its path";
        }
        if (is(channel, "direct")) {
            return "a channel with the option DIRECT needs direct buffers, which no image can hold; open it without";
        }
        try {
            if (isStillThere(channel, Path.of(path))) {
                return null;
            }
        } catch (IOException e) {
            return "file " + path + " cannot be looked at (" + e + ")";
        }
        return "file " + path
                + " is not there any more under its name, so that it cannot be opened again; close the channel"
                + " before the file is deleted or renamed (DELETE_ON_CLOSE deletes at once), or open it without that option";
    }

    private static boolean isLocked(FileChannel channel) {
        Object table = reference(channel, "fileLockTable");
        return table != null && reference(table, "locks") instanceof Set<?> locks && !locks.isEmpty();
    }

    /** Where the system shows what is open (Linux), it must be the very file. */
    private static boolean isStillThere(FileChannel channel, Path path) throws IOException {
        Object descriptor = reference(channel, "fd");
        if (descriptor == null) {
            return false;
        }
        Path open =
                Path.of("/proc/self/fd/" + UNSAFE.getInt(descriptor, Shape.offset(descriptor, "FileDescriptor.fd")));
        try {
            return Files.exists(open) ? Files.isSameFile(open, path) : Files.exists(path);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    /** The form of a channel without an obstacle which is not that of a stream. */
    static ChannelForm of(FileChannel channel) throws IOException {
        String path = path(channel);
        boolean open = channel.isOpen();
        boolean appending = open
                && reference(channel, "fd") instanceof FileDescriptor descriptor
                && UNSAFE.getBoolean(descriptor, Shape.offset(descriptor, "FileDescriptor.append"));
        int options = option(READABLE, is(channel, "readable"))
                | option(WRITABLE, is(channel, "writable"))
                | option(APPENDING, appending)
                | option(SYNCHRONOUS, is(channel, "sync"))
                | option(UNINTERRUPTIBLE, is(channel, "uninterruptible"));
        return new ChannelForm(
                options,
                path == null ? "" : path,
                open ? channel.position() : -1,
                open && isCut(options) ? channel.size() : 0);
    }

    private static int option(int option, boolean has) {
        return has ? option : 0;
    }

    private boolean has(int option) {
        return (options & option) != 0;
    }

    private static boolean isCut(int options) {
        return (options & (READABLE | WRITABLE)) == WRITABLE && (options & (APPENDING | UNINTERRUPTIBLE)) != 0;
    }

    /** Opens it again. */
    FileChannel open() throws IOException {
        if (position < 0) {
            return closed();
        }
        Set<OpenOption> open = new HashSet<>();
        if (has(READABLE)) {
            open.add(StandardOpenOption.READ);
        }
        if (has(WRITABLE)) {
            open.add(has(APPENDING) ? StandardOpenOption.APPEND : StandardOpenOption.WRITE);
        }
        if (has(SYNCHRONOUS)) {
            open.add(StandardOpenOption.SYNC);
        }
        if (isCut(options)) {
            FileForm.require(path, length);
            open.add(StandardOpenOption.CREATE);
        }
        FileChannel channel = FileChannel.open(Path.of(path), open);
        if (isCut(options)) {
            channel.truncate(length);
        }
        channel.position(position);
        UNSAFE.putBooleanVolatile(channel, offset(channel, "uninterruptible"), has(UNINTERRUPTIBLE));
        return channel;
    }

    private FileChannel closed() throws IOException {
        try {
            FileChannel made = (FileChannel) UNSAFE.allocateInstance(Class.forName(TYPE));
            UNSAFE.putReference(made, offset(made, "fd"), new FileDescriptor());
            UNSAFE.putReference(made, offset(made, "path"), path);
            UNSAFE.putReference(made, offset(made, "positionLock"), new Object());
            UNSAFE.putBoolean(made, offset(made, "readable"), has(READABLE));
            UNSAFE.putBoolean(made, offset(made, "writable"), has(WRITABLE));
            UNSAFE.putBoolean(made, offset(made, "sync"), has(SYNCHRONOUS));
            UNSAFE.putBoolean(made, offset(made, "uninterruptible"), has(UNINTERRUPTIBLE));
            UNSAFE.putReference(made, Shape.offset(made, "AbstractInterruptibleChannel.closeLock"), new Object());
            UNSAFE.putBooleanVolatile(made, Shape.offset(made, "AbstractInterruptibleChannel.closed"), true);
            return made;
        } catch (ReflectiveOperationException e) {
            throw new IOException("this JDK's " + TYPE + " cannot be made", e);
        }
    }

    /** Makes a channel that of a stream, which closes it and is closed by it. */
    static void attach(FileChannel channel, Object stream) {
        UNSAFE.putReferenceVolatile(channel, offset(channel, "parent"), stream);
    }

    private static @Nullable String path(FileChannel channel) {
        return (String) reference(channel, "path");
    }

    private static boolean is(FileChannel channel, String name) {
        return UNSAFE.getBooleanVolatile(channel, offset(channel, name));
    }

    private static @Nullable Object reference(Object object, String name) {
        return UNSAFE.getReferenceVolatile(object, offset(object, name));
    }

    private static long offset(Object object, String name) {
        return Shape.offset(object, object.getClass().getSimpleName() + "." + name);
    }
}
