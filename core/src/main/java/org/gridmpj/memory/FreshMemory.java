package org.gridmpj.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Memory outside the heap for much that is written once from its beginning to its end, soon, while somebody waits.
 *
 * <p>An arena's own memory is filled with zeros first, and each 4 KiB of it cost a page fault: 100 MB take as long to get as
 * several copies of them. On Linux this comes by {@code mmap(2)}, which has zeroed it, and in pages of 2 MiB where the system
 * has such for who asks ({@code madvise(2)}, {@code MADV_HUGEPAGE}); elsewhere it is the arena's own.
 */
public final class FreshMemory {
    private static final long HUGE_PAGE_BYTES = 2L << 20;

    /** Whether there are the calls, and this process may make them. */
    private static final boolean CALLS = System.getProperty("os.name").equals("Linux")
            && FreshMemory.class.getModule().isNativeAccessEnabled();

    private FreshMemory() {}

    /**
     * Zeros, as many bytes, valid as long as the arena; at the beginning of a page of 2 MiB if they are as many.
     *
     * @throws OutOfMemoryError if there is not so much
     */
    public static MemorySegment of(long bytes, Arena arena) {
        if (!CALLS || bytes < HUGE_PAGE_BYTES) {
            return arena.allocate(bytes, Long.BYTES);
        }
        long length = bytes + HUGE_PAGE_BYTES;
        long address = SystemCall.map(length);
        if (address == SystemCall.FAILED) {
            return arena.allocate(bytes, Long.BYTES);
        }
        long aligned = (address + HUGE_PAGE_BYTES - 1) & -HUGE_PAGE_BYTES;
        SystemCall.advise(aligned, bytes, SystemCall.HUGE_PAGE);
        return reinterpreted(aligned, bytes, arena, address, length);
    }

    /** Gives its pages back to the system, where that is asked for; it is zeros again, and costs page faults again. */
    public static void release(MemorySegment memory) {
        if (CALLS && memory.byteSize() >= HUGE_PAGE_BYTES) {
            SystemCall.advise(memory.address(), memory.byteSize(), SystemCall.DONT_NEED);
        }
    }

    // Restricted: the address and the length are those that the system has given.
    @SuppressWarnings("restricted")
    private static MemorySegment reinterpreted(long address, long bytes, Arena arena, long mapped, long length) {
        return MemorySegment.ofAddress(address).reinterpret(bytes, arena, memory -> SystemCall.unmap(mapped, length));
    }

    /** Linux's calls, as its C libraries have them; a class of its own, since they are looked up when this is loaded. */
    private static final class SystemCall {
        static final long FAILED = -1;
        static final int DONT_NEED = 4;
        static final int HUGE_PAGE = 14;

        private static final int READ_WRITE = 3;
        private static final int PRIVATE_ANONYMOUS = 0x22;

        private static final MethodHandle MMAP = find(
                "mmap",
                FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
        private static final MethodHandle MUNMAP =
                find("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
        private static final MethodHandle MADVISE =
                find("madvise", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

        // Restricted: a wrong signature would harm the process. These are the C library's own.
        @SuppressWarnings("restricted")
        private static MethodHandle find(String name, FunctionDescriptor signature) {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
        }

        static long map(long bytes) {
            try {
                return (long) MMAP.invokeExact(0L, bytes, READ_WRITE, PRIVATE_ANONYMOUS, -1, 0L);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        static void unmap(long address, long bytes) {
            try {
                int ignored = (int) MUNMAP.invokeExact(address, bytes);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        /** A system that does not follow it leaves the memory as it is. */
        static void advise(long address, long bytes, int advice) {
            try {
                int ignored = (int) MADVISE.invokeExact(address, bytes, advice);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        /** The calls throw nothing: what comes here is an error of the JVM or of this class. */
        private static IllegalStateException unexpected(Throwable e) {
            if (e instanceof Error error) {
                throw error;
            }
            return new IllegalStateException(e);
        }
    }
}
