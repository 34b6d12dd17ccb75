package org.gridmpj.capture.heap;

import java.io.FileDescriptor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.Cleaner;
import java.net.DatagramSocket;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.Buffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.SelectableChannel;
import java.nio.channels.Selector;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import java.util.zip.ZipFile;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/** What no image can hold, why, and what a program can do about it. */
final class Refusals {
    private record Refusal(Class<?> type, String reason) {}

    private static final String REMEDY_LOCAL =
            "; hold it in a local variable of a method that makes no MPI call, or make it anew after each MPI call";

    private static final List<Refusal> REFUSALS = List.of(
            new Refusal(
                    Thread.class,
                    "a running thread that the program has not started itself by Thread.start cannot be captured; end it before"
                            + " the MPI call, or make its pool anew when it is used"),
            new Refusal(ThreadGroup.class, "a thread group belongs to this process"),
            new Refusal(
                    ClassLoader.class, "a class loader belongs to this process; load the classes by the class path"),
            new Refusal(Module.class, "a module belongs to this process"),
            new Refusal(Socket.class, "an open socket ends with its process" + REMEDY_LOCAL),
            new Refusal(ServerSocket.class, "an open socket ends with its process" + REMEDY_LOCAL),
            new Refusal(DatagramSocket.class, "an open socket ends with its process" + REMEDY_LOCAL),
            new Refusal(SelectableChannel.class, "a socket or pipe ends with its process" + REMEDY_LOCAL),
            new Refusal(
                    AsynchronousChannel.class,
                    "an asynchronous channel ends with its process; a FileChannel is opened again where it stood"),
            new Refusal(
                    FileChannel.class,
                    "a channel that is not the JDK's own cannot be captured; FileChannel.open makes one that is opened again"
                            + " where it stood"),
            new Refusal(
                    Deflater.class,
                    "what a Deflater has not given out yet is in native memory and ends with its process; close the stream that"
                            + " compresses (GZIPOutputStream, ZipOutputStream) before the MPI call, or write plain data"
                            + " across MPI calls and compress it in a method that makes none"),
            new Refusal(
                    Inflater.class,
                    "what an Inflater has read ahead is in native memory and ends with its process; read the data to the end"
                            + " (GZIPInputStream.readAllBytes) and close the stream before the MPI call"),
            new Refusal(
                    ZipFile.class,
                    "an open zip or jar file ends with its process; read the entries that are needed and close it before the"
                            + " MPI call, or open it anew after each MPI call"),
            new Refusal(Selector.class, "a selector ends with its process" + REMEDY_LOCAL),
            new Refusal(Process.class, "a child process cannot be captured" + REMEDY_LOCAL),
            new Refusal(ProcessHandle.class, "a process handle names a process of this host" + REMEDY_LOCAL),
            new Refusal(FileDescriptor.class, "a file descriptor belongs to this process" + REMEDY_LOCAL),
            new Refusal(
                    MethodHandle.class,
                    "a method handle that was made of others cannot be captured; make it where it is used"),
            new Refusal(
                    VarHandle.class,
                    "a variable handle of something else than a field or an array's elements cannot be captured; make it"
                            + " where it is used"),
            new Refusal(MethodHandles.Lookup.class, "a lookup object cannot be captured; make it on use"),
            new Refusal(Arena.class, "native memory ends with its process; use arrays"),
            new Refusal(Cleaner.class, "a cleaner belongs to this process" + REMEDY_LOCAL));

    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long MAPPED_FILE = UNSAFE.objectFieldOffset(MappedByteBuffer.class, "fd");

    private Refusals() {}

    /** Every direct buffer is of that class, too. */
    private static boolean isMapped(MappedByteBuffer buffer) {
        return UNSAFE.getReference(buffer, MAPPED_FILE) != null;
    }

    /** Why an object cannot be captured, or null. */
    static @Nullable String reason(Object object) {
        for (Refusal refusal : REFUSALS) {
            if (refusal.type().isInstance(object)) {
                return refusal.reason();
            }
        }
        if (object instanceof FileLock lock && lock.isValid()) {
            return "a lock of a file ends with its process; release it before the MPI call";
        }
        if (object instanceof MappedByteBuffer buffer && isMapped(buffer)) {
            return "a file's mapped memory ends with its process; read and write the file by a FileChannel, or map it anew after"
                    + " each MPI call";
        }
        if (object instanceof Buffer buffer && buffer.isDirect()) {
            return "a view of a direct buffer has the address of this process's memory; make it anew after each MPI call, or use"
                    + " ByteBuffer.allocate";
        }
        if (object instanceof MemorySegment segment && segment.isNative()) {
            return "native memory ends with its process; use arrays";
        }
        Class<?> type = object.getClass();
        if (object instanceof java.lang.ref.Reference<?>) {
            return "a reference object of class " + type.getName() + " is known to this process's garbage collector"
                    + REMEDY_LOCAL;
        }
        if (type.isHidden()) {
            return "class " + type.getName() + " was made at run time and has no name in another process; where it is a"
                    + " lambda of a library, write it as one of the program";
        }
        return null;
    }
}
