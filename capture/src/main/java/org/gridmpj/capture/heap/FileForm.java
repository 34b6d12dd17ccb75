package org.gridmpj.capture.heap;

import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * An open file: reopened under its path and set to its position; a file that is written is cut there, since what came after
 * belongs to a future that did not happen.
 *
 * @param kind 0 FileInputStream, 1 FileOutputStream, 2 RandomAccessFile for reading, 3 for reading and writing
 * @param path as the program gave it
 * @param position in bytes; −1: the stream was closed
 */
record FileForm(int kind, String path, long position) {
    private static final int INPUT = 0;
    private static final int OUTPUT = 1;
    private static final int READ_ONLY = 2;
    private static final int READ_WRITE = 3;

    /** The form of an open file, or null if the object is none or has no path. */
    static @Nullable FileForm of(Object object) throws IOException {
        return switch (object) {
            case FileInputStream in
            when in.getClass() == FileInputStream.class -> {
                String path = path(FileInputStream.class, in);
                yield path == null
                        ? null
                        : new FileForm(
                                INPUT,
                                path,
                                in.getFD().valid() ? in.getChannel().position() : -1);
            }
            case FileOutputStream out
            when out.getClass() == FileOutputStream.class -> {
                String path = path(FileOutputStream.class, out);
                yield path == null
                        ? null
                        : new FileForm(
                                OUTPUT,
                                path,
                                out.getFD().valid() ? out.getChannel().position() : -1);
            }
            case RandomAccessFile file
            when file.getClass() == RandomAccessFile.class -> {
                String path = path(RandomAccessFile.class, file);
                int kind = writable(file) ? READ_WRITE : READ_ONLY;
                yield path == null
                        ? null
                        : new FileForm(kind, path, file.getFD().valid() ? file.getFilePointer() : -1);
            }
            default -> null;
        };
    }

    private static @Nullable String path(Class<?> type, Object object) throws IOException {
        return (String) value(type, "path", object);
    }

    private static boolean writable(RandomAccessFile file) throws IOException {
        Object value = value(RandomAccessFile.class, "rw", file);
        if (value == null) {
            throw new IOException("this JDK does not say how a RandomAccessFile is open");
        }
        return (Boolean) value;
    }

    private static @Nullable Object value(Class<?> type, String name, Object object) throws IOException {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(object);
        } catch (ReflectiveOperationException e) {
            throw new IOException("this JDK's " + type.getName() + " has no field " + name, e);
        }
    }

    /** Opens it again. */
    Object open() throws IOException {
        return switch (kind) {
            case INPUT -> {
                FileInputStream in = new FileInputStream(path);
                if (position < 0) {
                    in.close();
                } else {
                    in.getChannel().position(position);
                }
                yield in;
            }
            case OUTPUT -> {
                FileOutputStream out = new FileOutputStream(path, true);
                if (position < 0) {
                    out.close();
                } else {
                    require(out.getChannel().size());
                    out.getChannel().truncate(position).position(position);
                }
                yield out;
            }
            case READ_ONLY, READ_WRITE -> {
                RandomAccessFile file = new RandomAccessFile(path, kind == READ_ONLY ? "r" : "rw");
                if (position < 0) {
                    file.close();
                } else {
                    file.seek(position);
                }
                yield file;
            }
            default -> throw new IOException("the image has a file of unknown kind " + kind);
        };
    }

    private void require(long sizeBytes) throws IOException {
        if (sizeBytes < position) {
            throw new IOException("file " + path + " has " + sizeBytes + " bytes, and had " + position
                    + " when the snapshot was taken: put back what was there, or start without --resume");
        }
    }
}
