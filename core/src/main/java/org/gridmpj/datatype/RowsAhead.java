package org.gridmpj.datatype;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Arrays that are made while a rank waits, for the next message of objects that brings arrays.
 *
 * <p>To allocate the rows of a matrix takes longer than to fill them: the JVM clears memory that is in no cache. A rank that
 * waits for a message has the time. When two messages in a row had rows of one type and length, a third one is expected, and
 * {@link #step} makes such rows; a message takes those that are there and makes the others when they arrive. A row is handed
 * out once. What is not taken is held weakly: the next collection takes it, and no more is made before the next message.
 *
 * <p>Confined to the holder of the progress lock.
 */
public final class RowsAhead {
    /** More than this is not made ahead. */
    private static final long MOST_BYTES = 8L << 20;
    /** Nor more than so great a part of the heap. */
    private static final int PART_OF_HEAP = 64;
    /** A longer row would keep who waits from seeing its message: this one takes some microseconds. */
    private static final int MOST_ROW_BYTES = 32 << 10;
    /** About as many bytes are made in a step. */
    private static final int STEP_BYTES = 1 << 10;
    /** For less it is not worth the looking. */
    private static final int LEAST_BYTES = 4 << 10;

    private final long mostBytes;
    private final Function<@Nullable Object[], Reference<@Nullable Object[]>> holder;

    private BaseType base = BaseType.BYTE;
    /** Elements of a row; 0: nothing is expected. */
    private int length;
    /** Rows that are worth making. */
    private int wanted;
    /** Rows that have been made; those from taken on are there. */
    private int made;

    private int taken;
    private @Nullable Reference<@Nullable Object[]> rows;

    private BaseType askedBase = BaseType.BYTE;
    private int askedLength;
    private int askedRows;

    /** For the heap of this process. */
    public RowsAhead() {
        this(Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / PART_OF_HEAP), WeakReference::new);
    }

    /** For a test, which must not depend on when the collector runs. */
    RowsAhead(long mostBytes, Function<@Nullable Object[], Reference<@Nullable Object[]>> holder) {
        this.mostBytes = mostBytes;
        this.holder = holder;
    }

    /** The rows of another message will be asked for. */
    void begin() {
        askedRows = 0;
        askedLength = 0;
    }

    /**
     * Puts rows into target[from …], as many as there are, at most count.
     *
     * @return how many
     */
    int take(BaseType rowBase, int rowLength, int count, @Nullable Object[] target, int from) {
        if (askedRows == 0) {
            askedBase = rowBase;
            askedLength = rowLength;
        }
        if (rowBase == askedBase && rowLength == askedLength) {
            askedRows += count;
        }
        if (rowLength != length || rowBase != base || made == taken) {
            return 0;
        }
        Reference<@Nullable Object[]> reference = rows;
        @Nullable Object[] there = reference == null ? null : reference.get();
        if (there == null) {
            taken = made;
            return 0;
        }
        int given = Math.min(count, made - taken);
        System.arraycopy(there, taken, target, from, given);
        taken += given;
        return given;
    }

    /** All rows of a message have been asked for: perhaps the next one has the same. */
    void end() {
        boolean again = askedRows > 0 && askedLength == length && askedBase == base;
        base = askedBase;
        length = askedLength;
        expect(again ? askedRows : 0);
    }

    private void expect(int rowCount) {
        made = 0;
        taken = 0;
        rows = null;
        long rowBytes = (long) length * base.sizeBytes();
        boolean worthIt = rowCount > 0 && rowBytes <= MOST_ROW_BYTES && rowCount * rowBytes >= LEAST_BYTES;
        wanted = worthIt ? (int) Math.min(rowCount, mostBytes / rowBytes) : 0;
    }

    /** What the collector does, for a test. */
    void forget() {
        Reference<@Nullable Object[]> reference = rows;
        if (reference != null) {
            reference.clear();
        }
    }

    /** Whether {@link #step} would make something. */
    public boolean isWanted() {
        return made < wanted;
    }

    /** Makes some rows: in about the time that a look at the wire takes. Without memory for them it makes no more. */
    public void step() {
        try {
            makeSome();
        } catch (OutOfMemoryError e) {
            // who waits does not fail for what it did not ask for
            expect(0);
        }
    }

    private void makeSome() {
        Reference<@Nullable Object[]> reference = rows;
        @Nullable Object[] there;
        if (reference == null) {
            there = new Object[wanted];
            rows = holder.apply(there);
        } else {
            there = reference.get();
        }
        if (there == null) {
            expect(0);
            return;
        }
        int rowBytes = length * base.sizeBytes();
        int end = Math.min(wanted, made + Math.max(1, STEP_BYTES / rowBytes));
        while (made < end) {
            there[made] = ArrayCodec.allocate(base, length);
            made++;
        }
    }
}
