package org.gridmpj.launcher.job;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * One output stream of one rank, over all its incarnations: passes whole lines on, each byte once. A line in which the
 * rank falls silent is passed on unfinished where the output allows that ({@link #showUnfinished}).
 *
 * <p>Offsets of the program's stream, after a rollback to a cut at S when P bytes had been passed on:
 *
 * <pre>
 *   first life      0 ─────────── S ═══════════ P           passed on, kept in the log
 *   next life   0 ── R ═ ═ ═ ═ ═ ═ ═ ═ ═ ═ ═ ═ ───────▶
 *                  run-up  as first life's S…P   new
 *                  dropped  compared, dropped     passed on
 * </pre>
 *
 * R is what the program writes before it has its state back; until that is known ({@link #restored}) its output is held.
 * Where the next life differs, the log goes on with what that one writes, and as many lines of it are not shown as had been passed
 * on behind that place: no line is shown in part.
 *
 * <p>A pump thread hands bytes in, the job's thread begins lives, {@link PromptWatch} looks. What they ask for is done in
 * turn on the thread that writes ({@link OpenLine}), and only a pump waits for that, as long as its process is the rank: a
 * reader who has stopped reading holds up neither the job nor the end of a process that was replaced.
 */
final class OutputChannel implements AutoCloseable {
    /** Where a line without end is passed on in pieces after all. */
    private static final int MAX_LINE_BYTES = 64 << 20;

    /** What is kept for {@code mpjctl logs} when no resumption needs it. */
    private static final long LOG_BYTES_WITHOUT_CHECKPOINTS = 16L << 20;

    private static final int COMPARED_BYTES = 1 << 16;

    /** So much is kept for another try at a stream that the job does not end with. */
    static final int KEPT_UNWRITTEN_BYTES = 1 << 20;

    /** A line that gets no more for so long is a prompt. */
    static final long SILENCE_NANOS = 100_000_000L;

    /** How the program of a resumed rank begins. */
    enum Resumption {
        /** The job has no checkpoints. */
        NONE,
        /** It asks for its state, or runs from the beginning. */
        COOPERATIVE,
        /** It has its state back before it runs. */
        CAPTURED
    }

    private final SharedOutput out;
    private final SharedOutput err;
    private final FileChannel log;
    private final byte[] tag;
    private final Resumption resumption;
    /** Whether the job may be resumed, so that the log must be complete. */
    private final boolean keepsAll;

    private final LongConsumer whenDifferent;
    private final LongSupplier nanoTime;
    private volatile long lastNanos;

    // where the streams stand: guarded by the monitor, which nobody holds while reading or writing

    /** Which process's output this is. */
    private int life;
    /** Bytes of this life, the run-up among them. */
    private long come;

    private boolean awaitsRestore;
    private long cut;
    private long runUp;
    /** Pieces that pumps have handed over, and how many of them are dealt with. */
    private long handedOver;

    private long done;

    // what is shown of it: confined to the thread that writes

    private final ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    private long passedOn;
    /** Of a line in which a cut is, the part before the cut: behind the offset at which it begins. For a later launcher. */
    private final Path begunFile;
    /** Where the latest cut is that may be resumed from. */
    private long latestCut;
    /** Length of what is kept in {@link #begunFile}, and where it begins. */
    private int keptBegun;

    private long keptBegunAt;
    private boolean holding;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream(0);
    private long toSkip;
    private long toDrop;
    /** Lines that stand for others, which an earlier life wrote in their place and which were shown. */
    private long linesShownBefore;

    /** Whether there is something for {@link #showUnfinished}, and whether that is in the queue already. */
    private volatile boolean unfinished;

    private final AtomicBoolean looking = new AtomicBoolean();

    /**
     * @param err where what a process has written before its program had its state back is shown, when it never will
     * @param logFile appended to; what is in it has been passed on by an earlier launcher of the job
     * @param tag put before each line, may be empty
     * @param whenDifferent told the offset at which a resumed life differs from what was passed on, at most once a life
     * @param nanoTime as System.nanoTime
     */
    OutputChannel(
            SharedOutput out,
            SharedOutput err,
            Path logFile,
            String tag,
            Resumption resumption,
            LongConsumer whenDifferent,
            LongSupplier nanoTime)
            throws IOException {
        this.out = out;
        this.err = err;
        this.log =
                FileChannel.open(logFile, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        this.passedOn = log.size();
        this.begunFile = logFile.resolveSibling(logFile.getFileName() + ".begun");
        this.tag = tag.getBytes(StandardCharsets.UTF_8);
        this.resumption = resumption;
        this.keepsAll = resumption != Resumption.NONE;
        this.whenDifferent = whenDifferent;
        this.nanoTime = nanoTime;
        if (keepsAll && Files.exists(begunFile)) {
            ByteBuffer kept = ByteBuffer.wrap(Files.readAllBytes(begunFile));
            if (kept.remaining() > Long.BYTES && kept.getLong() == passedOn) {
                line.write(kept.array(), Long.BYTES, kept.remaining());
            }
        }
    }

    /** The job may be resumed from there: a later launcher will need what the line before has then. */
    void cutAt(long offset) {
        out.inTurn(() -> {
            latestCut = offset;
            saveBegun();
        });
    }

    private void saveBegun() {
        int length = (int) Math.min(line.size(), latestCut - passedOn);
        if (length <= 0 || !keepsAll || (length == keptBegun && passedOn == keptBegunAt)) {
            return;
        }
        ByteBuffer kept = ByteBuffer.allocate(Long.BYTES + length).putLong(passedOn);
        kept.put(line.toByteArray(), 0, length);
        try {
            JobFolder.writeWhole(begunFile, kept.array(), false);
            keptBegun = length;
            keptBegunAt = passedOn;
        } catch (IOException e) {
            // a full disk ends logs and later snapshots, not the job
        }
    }

    /**
     * A new life of the rank.
     *
     * @param cutBytes offset of the cut that it goes back to, 0 for a fresh start
     * @param awaitsRestore whether the program first has to get its state back
     */
    synchronized void begin(long cutBytes, boolean awaitsRestore) {
        this.awaitsRestore = awaitsRestore;
        cut = awaitsRestore ? cutBytes : 0;
        long from = cut;
        nextLife();
        out.inTurn(() -> {
            keepBegun(from);
            held.reset();
            holding = awaitsRestore;
            toSkip = 0;
            toDrop = passedOn + line.size() - from;
        });
    }

    /** Of a line that is not passed on yet, what was written before the cut stays: nobody writes that again. */
    private void keepBegun(long cutBytes) {
        byte[] begun = line.toByteArray();
        line.reset();
        if (cutBytes > passedOn) {
            line.write(begun, 0, (int) Math.min(begun.length, cutBytes - passedOn));
            // where the beginning is gone, with a launcher that died before it came, all that follows has its place
            // nevertheless
            passedOn = cutBytes - line.size();
        }
        unfinished = line.size() > 0;
    }

    /**
     * The rank goes on in another process, all of this one's output being here: what that one writes before it is the rank
     * is dropped, what comes then continues the stream, even in mid-line.
     *
     * @param cutBytes offset at which the program stood still
     */
    synchronized void moved(long cutBytes) {
        awaitsRestore = true;
        cut = cutBytes;
        nextLife();
        out.inTurn(() -> {
            // what is still to be dropped, since the rank has not come again to where it was, the next process writes
            held.reset();
            holding = true;
            toSkip = 0;
        });
    }

    private synchronized void nextLife() {
        life++;
        come = 0;
        runUp = 0;
        notifyAll();
    }

    /** The program has its state back, having written this many bytes since its JVM began. */
    synchronized void restored(long rawBytes) {
        if (awaitsRestore) {
            awaitsRestore = false;
            runUp = rawBytes;
            out.inTurn(() -> {
                toSkip = rawBytes;
                release();
            });
        }
    }

    /** The program has not asked for its state: what it writes is its stream from the beginning. */
    synchronized void anew() {
        if (awaitsRestore) {
            awaitsRestore = false;
            cut = 0;
            out.inTurn(this::releaseAnew);
        }
    }

    /** Offset in the program's stream of a number of bytes that this life has written. */
    synchronized long offset(long rawBytes) {
        return cut + rawBytes - runUp;
    }

    /** Whether so many bytes that this life has written are here. */
    synchronized boolean hasCome(long rawBytes) {
        return come >= rawBytes;
    }

    private void releaseAnew() {
        toDrop = passedOn + line.size();
        release();
    }

    private void release() {
        holding = false;
        byte[] bytes = held.toByteArray();
        held.reset();
        take(bytes, bytes.length);
    }

    /** Number of the process whose output is passed on from here until the next {@link #begin} or {@link #moved}. */
    synchronized int life() {
        return life;
    }

    /**
     * A process has written something: dropped if it is not that of this life, which writes it again. Returns when it is
     * dealt with, or this life is over.
     */
    synchronized void accept(int ofLife, byte[] bytes, int length) {
        if (ofLife != life) {
            return;
        }
        lastNanos = nanoTime.getAsLong();
        come += length;
        byte[] piece = Arrays.copyOf(bytes, length);
        handedOver++;
        long number = handedOver;
        out.inTurn(() -> {
            try {
                if (holding) {
                    held.writeBytes(piece);
                } else {
                    take(piece, piece.length);
                }
            } finally {
                isDone();
            }
        });
        try {
            while (ofLife == life && done < number) {
                wait();
            }
        } catch (InterruptedException e) {
            // nobody interrupts a pump
            Thread.currentThread().interrupt();
        }
    }

    /** Nobody is to wait any more until what the process of a life writes is shown: if that goes on, it is dropped. */
    synchronized void drop(int ofLife) {
        if (ofLife == life) {
            life++;
            notifyAll();
        }
    }

    private synchronized void isDone() {
        done++;
        notifyAll();
    }

    private void take(byte[] bytes, int length) {
        int from = (int) Math.min(length, Math.max(0, toSkip));
        toSkip -= from;
        int again = (int) Math.min(length - from, Math.max(0, toDrop));
        if (again > 0) {
            int same = same(bytes, from, again);
            toDrop -= same;
            from += same;
            if (same < again) {
                goOnDifferently();
            }
        }
        if (from < length) {
            collect(bytes, from, length);
        }
    }

    /** How many of these bytes are as they were passed on, or cannot be compared. */
    private int same(byte[] bytes, int from, int length) {
        if (!keepsAll) {
            return length;
        }
        byte[] before = logged(passedOn + line.size() - toDrop, length);
        int mismatch = Arrays.mismatch(before, 0, before.length, bytes, from, from + before.length);
        return mismatch < 0 ? length : mismatch;
    }

    /** From here on this life writes something else than what was passed on. */
    private void goOnDifferently() {
        long end = passedOn;
        passedOn -= toDrop;
        toDrop = 0;
        whenDifferent.accept(passedOn);
        for (long at = passedOn; at < end; at += COMPARED_BYTES) {
            for (byte each : logged(at, (int) Math.min(end - at, COMPARED_BYTES))) {
                linesShownBefore += each == '\n' ? 1 : 0;
            }
        }
        try {
            log.truncate(passedOn);
        } catch (IOException e) {
            // what is written there later goes over it
        }
    }

    /** What was passed on there, as far as it can be read. */
    private byte[] logged(long offset, int length) {
        byte[] bytes = new byte[length];
        ByteBuffer before = ByteBuffer.wrap(bytes);
        try {
            while (before.hasRemaining() && log.read(before, offset + before.position()) > 0) {
                // until all of it is read
            }
        } catch (IOException e) {
            // what cannot be read is not compared
        }
        return before.hasRemaining() ? Arrays.copyOf(bytes, before.position()) : bytes;
    }

    private void collect(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && bytes[end - 1] != '\n') {
            end--;
        }
        line.write(bytes, from, end - from);
        if (end > from || line.size() > MAX_LINE_BYTES) {
            flushLine();
        }
        line.write(bytes, end, to - end);
        unfinished = line.size() > 0;
        saveBegun();
    }

    /** What cannot be written is not passed on: it stays here, and a later launcher has it written again. */
    private void flushLine() {
        if (out.loss() != null && !out.isDispensable()) {
            return;
        }
        byte[] whole = line.toByteArray();
        long before = linesShownBefore;
        int from = endOfShownBefore(whole);
        boolean dealtWith = true;
        if (from < whole.length) {
            byte[] rest = from == 0 ? whole : Arrays.copyOfRange(whole, from, whole.length);
            dealtWith = out.write(this, tag.length == 0 ? rest : tagged(rest));
        }
        if (dealtWith || (out.isDispensable() && whole.length > KEPT_UNWRITTEN_BYTES)) {
            isPassedOn(whole);
        } else {
            linesShownBefore = before;
        }
    }

    /** Where the lines end of which an earlier life's were shown. */
    private int endOfShownBefore(byte[] lines) {
        int end = 0;
        while (linesShownBefore > 0 && end < lines.length) {
            linesShownBefore -= lines[end] == '\n' ? 1 : 0;
            end++;
        }
        return end;
    }

    private void isPassedOn(byte[] bytes) {
        line.reset();
        unfinished = false;
        // after the output: a launcher that is killed in between shows a line twice rather than never
        log(bytes);
        passedOn += bytes.length;
    }

    /** Passes on a line without end in which the rank has been silent for {@link #SILENCE_NANOS}; no tagged one. */
    void showUnfinished() {
        if (unfinished && tag.length == 0 && looking.compareAndSet(false, true)) {
            out.inTurn(() -> {
                looking.set(false);
                showIfSilent();
            });
        }
    }

    private void showIfSilent() {
        if (line.size() == 0 || linesShownBefore > 0 || nanoTime.getAsLong() - lastNanos < SILENCE_NANOS) {
            return;
        }
        byte[] begun = line.toByteArray();
        if (out.writeUnfinished(this, begun)) {
            isPassedOn(begun);
        }
    }

    private byte[] tagged(byte[] lines) {
        ByteArrayOutputStream result = new ByteArrayOutputStream(lines.length + 16 * tag.length);
        int start = 0;
        for (int i = 0; i < lines.length; i++) {
            if (lines[i] == '\n' || i == lines.length - 1) {
                result.writeBytes(tag);
                result.write(lines, start, i + 1 - start);
                start = i + 1;
            }
        }
        return result.toByteArray();
    }

    private void log(byte[] bytes) {
        if (!keepsAll && passedOn + bytes.length > LOG_BYTES_WITHOUT_CHECKPOINTS) {
            return;
        }
        ByteBuffer rest = ByteBuffer.wrap(bytes);
        try {
            while (rest.hasRemaining()) {
                log.write(rest, passedOn + rest.position());
            }
        } catch (IOException e) {
            // a full disk ends logs and later snapshots, not the job
        }
    }

    /**
     * This life's stream has ended in good order: a last line without end is passed on too.
     *
     * @param byItself whether the process has ended by itself and all is heard that it has said. What another one wrote before its
     *     program had its state back, as far as is known, is dropped
     */
    synchronized void finish(boolean byItself) {
        // the program never asked for its state: it ran from the beginning
        boolean isAnew = byItself && awaitsRestore && resumption == Resumption.COOPERATIVE;
        if (isAnew) {
            cut = 0;
        }
        awaitsRestore = false;
        out.inTurn(() -> {
            if (holding && isAnew) {
                releaseAnew();
            } else if (holding) {
                // and what still comes is nobody's
                if (byItself) {
                    showLastWords();
                }
                held.reset();
            }
            if (line.size() > 0) {
                flushLine();
            }
        });
    }

    /** What the JVM has written, and the program has not: why it could not go on, perhaps. */
    private void showLastWords() {
        byte[] words = held.toByteArray();
        if (words.length > 0) {
            boolean isEnded = words[words.length - 1] == '\n';
            byte[] lines = isEnded ? words : Arrays.copyOf(words, words.length + 1);
            lines[lines.length - 1] = '\n';
            err.inTurn(() -> {
                boolean _ = err.write(this, tagged(lines));
            });
        }
    }

    @Override
    public void close() {
        try {
            log.close();
        } catch (IOException e) {
            // nothing more is written
        }
    }
}
