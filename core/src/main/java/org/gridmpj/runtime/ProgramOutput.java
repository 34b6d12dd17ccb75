package org.gridmpj.runtime;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The program's three streams, counted: a snapshot records how far each had come at its cut, so that output which the
 * launcher has already passed on is not shown twice after a resumption.
 *
 * <p>The streams behave as the JVM's own: each print reaches the descriptor at once.
 */
public final class ProgramOutput {
    private static final int BUFFER_BYTES = 8192;

    private static final AtomicLong STDOUT_BYTES = new AtomicLong();
    private static final AtomicLong STDERR_BYTES = new AtomicLong();
    private static final AtomicLong STDIN_BYTES = new AtomicLong();

    private static volatile @Nullable Runnable certain;

    private ProgramOutput() {}

    /** Before anything leaves this process this is run: it waits until what is shown is certain. */
    static void showOnlyAfter(Runnable isCertain) {
        certain = isCertain;
    }

    /** Puts counting streams in the place of System.out, System.err and System.in. */
    static void install() {
        System.setOut(counted(FileDescriptor.out, STDOUT_BYTES, System.out));
        System.setErr(counted(FileDescriptor.err, STDERR_BYTES, System.err));
        System.setIn(new CountedInput(new FileInputStream(FileDescriptor.in)));
    }

    private static PrintStream counted(FileDescriptor descriptor, AtomicLong count, PrintStream replaced) {
        OutputStream raw = new CountedOutput(new FileOutputStream(descriptor), count);
        return new PrintStream(new BufferedOutputStream(raw, BUFFER_BYTES), true, replaced.charset());
    }

    /** Bytes that have left this process through System.out. */
    public static long stdoutBytes() {
        System.out.flush();
        return STDOUT_BYTES.get();
    }

    /** Bytes that have left this process through System.err. */
    public static long stderrBytes() {
        System.err.flush();
        return STDERR_BYTES.get();
    }

    /** Bytes that the program has taken from System.in. */
    public static long stdinBytes() {
        return STDIN_BYTES.get();
    }

    /** Everything printed so far is with the launcher. */
    static void flush() {
        System.out.flush();
        System.err.flush();
    }

    private static final class CountedOutput extends OutputStream {
        private final OutputStream out;
        private final AtomicLong count;

        CountedOutput(OutputStream out, AtomicLong count) {
            this.out = out;
            this.count = count;
        }

        private static void awaitCertainty() {
            Runnable wait = certain;
            if (wait != null) {
                wait.run();
            }
        }

        @Override
        public void write(int b) throws IOException {
            awaitCertainty();
            out.write(b);
            count.incrementAndGet();
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            awaitCertainty();
            out.write(bytes, offset, length);
            count.addAndGet(length);
        }
    }

    /** Unbuffered: what the count says is what the program itself asked for (a reader above may buffer further). */
    private static final class CountedInput extends InputStream {
        private final InputStream in;

        CountedInput(InputStream in) {
            this.in = in;
        }

        @Override
        public int read() throws IOException {
            int b = in.read();
            if (b >= 0) {
                STDIN_BYTES.incrementAndGet();
            }
            return b;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int read = in.read(bytes, offset, length);
            if (read > 0) {
                STDIN_BYTES.addAndGet(read);
            }
            return read;
        }

        @Override
        public int available() throws IOException {
            return in.available();
        }
    }
}
