package org.gridmpj.memory;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * A fence between a store and a later load for two threads, of one process or two, of which one passes it all the time and the
 * other hardly ever: the latter pays for both, by {@code membarrier(2)}, which makes every processor that runs a registered
 * process pass a full fence.
 *
 * <pre>
 *   often:   x = 1;  light();  read y
 *   seldom:  y = 1;  heavy();  read x            at least one of them sees what the other has written
 * </pre>
 *
 * <p>A full fence waits until all stores before it have reached the cache: with another core's cache line among them as long
 * as a short message takes. Only a process that {@link #isReady} may leave it out.
 */
public final class AsymmetricFence {
    /** Of the system call; 0 where there is none. */
    private static final long NUMBER = number();

    /** Written once, to true; who reads it late passes a fence too many. */
    private static volatile boolean ready;

    private AsymmetricFence() {}

    private static long number() {
        if (!System.getProperty("os.name").equals("Linux")) {
            return 0;
        }
        return switch (System.getProperty("os.arch")) {
            case "amd64" -> 324;
            case "aarch64" -> 283;
            default -> 0;
        };
    }

    /**
     * Registers this process, if the system and the JVM's options let it. Takes some 30 ms the first time, as long as the JDK
     * needs for its first call of the C library.
     *
     * @return whether it is ready
     */
    public static boolean prepare() {
        if (!ready && NUMBER != 0 && AsymmetricFence.class.getModule().isNativeAccessEnabled()) {
            ready = SystemCall.register();
        }
        return ready;
    }

    /** Whether {@link #heavy} of any ready process reaches this one. */
    public static boolean isReady() {
        return ready;
    }

    /**
     * Keeps the compiler from moving a load to before the stores; the processor may. (The virtual machine's compilers move
     * nothing over a fence of any kind, and this one is no instruction on x86.)
     */
    public static void light() {
        VarHandle.acquireFence();
    }

    /** A full fence of this thread and of all threads of processes that are ready. Microseconds. */
    public static void heavy() {
        VarHandle.fullFence();
        if (ready) {
            SystemCall.fence();
        }
    }

    /** Linux's system call; a class of its own, since it is looked up when this is loaded, which other systems must not do. */
    private static final class SystemCall {
        private static final int GLOBAL_EXPEDITED = 1 << 1;
        private static final int REGISTER_GLOBAL_EXPEDITED = 1 << 2;

        private static final MethodHandle SYSCALL = find();

        // Restricted: a wrong signature would harm the process. This is the C library's own.
        @SuppressWarnings("restricted")
        private static MethodHandle find() {
            Linker linker = Linker.nativeLinker();
            return linker.downcallHandle(
                    linker.defaultLookup().findOrThrow("syscall"),
                    FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT),
                    Linker.Option.firstVariadicArg(1));
        }

        static boolean register() {
            return call(REGISTER_GLOBAL_EXPEDITED) == 0;
        }

        static void fence() {
            if (call(GLOBAL_EXPEDITED) != 0) {
                throw new IllegalStateException("membarrier(2) has failed after it was registered");
            }
        }

        private static long call(int command) {
            try {
                return (long) SYSCALL.invokeExact(NUMBER, command, 0, 0);
            } catch (Error e) {
                throw e;
            } catch (Throwable e) {
                // The call throws nothing: what comes here is an error of the JVM or of this class.
                throw new IllegalStateException(e);
            }
        }
    }
}
