package org.gridmpj.datatype;

import java.io.StreamCorruptedException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The primitive arrays of an object message, their data one after the other, each padded to 8 bytes. Reused; confined to
 * the message's owner.
 *
 * <p>Receiving works in two ways: arrays are added empty and {@link #write} fills them as the bytes arrive, or the bytes
 * are there already ({@link #fillFrom}) and each array is filled when it is added, so that a {@code readObject} of the
 * program sees its contents.
 */
public final class DataVector {
    /** Every array begins at a multiple of this many bytes. */
    static final int ALIGNMENT = 8;

    /** A longer array of staged bytes is not kept alive between messages. */
    private static final int KEPT_BYTES = 1 << 16;

    /** Arrays that were added one by one. */
    private @Nullable Object[] arrays = new Object[16];

    private int arrayCount;
    private ArrayRun[] runs = {new ArrayRun()};
    private int runCount;
    private long lengthBytes;
    private long limitBytes = Long.MAX_VALUE;
    /** Whether the bytes of all arrays are there already. */
    private boolean isStaged;

    private @Nullable MemorySegment staged;
    /** What staged is of; both stay for the next message, as it mostly is the same array, unless it is long. */
    private byte @Nullable [] stagedArray;

    private long stagedOffset;
    private final IdentityOrdinals ordinals = new IdentityOrdinals();
    /** Where arrays that are received later may be there already; null: nowhere. */
    private final @Nullable RowsAhead ahead;
    /** Arrays that may be filled, where the program wants that; null: none. */
    private @Nullable Object @Nullable [] fillable;

    private int fillableFrom;

    /** For arrays that are to be sent, or that are there when they are added. */
    public DataVector() {
        this(null);
    }

    DataVector(@Nullable RowsAhead ahead) {
        this.ahead = ahead;
    }

    /** Appends a primitive array: its data are to be sent, or to be received next. */
    public void add(Object array) throws StreamCorruptedException {
        BaseType base = ArrayCodec.baseOf(array);
        if (base == BaseType.OBJECT) {
            throw new IllegalArgumentException("not an array of primitives: " + array.getClass());
        }
        add(base, array, ArrayCodec.lengthOf(base, array));
    }

    void add(BaseType base, Object array, int length) throws StreamCorruptedException {
        if (length == 0) {
            return;
        }
        long at = lengthBytes;
        lengthBytes = endOf(base, length, 1);
        if (isStaged) {
            ArrayCodec.fromBytes(base, staged(), stagedOffset + at, array, 0, length);
            return;
        }
        if (arrayCount == arrays.length) {
            arrays = Arrays.copyOf(arrays, arrayCount * 2);
        }
        arrays[arrayCount] = array;
        ArrayRun last = runCount > 0 ? runs[runCount - 1] : null;
        if (last != null && last.length == length && last.base == base && last.holder == null) {
            last.count++;
        } else {
            ArrayRun run = nextRun();
            run.set(base, length, 1, at);
            run.from = arrayCount;
        }
        arrayCount++;
    }

    /**
     * Appends arrays that are to be received next. Each is put at its place of holder, and of known, when its data
     * arrive.
     *
     * @param length elements of each array, at least 1
     */
    void addLater(
            BaseType base,
            int length,
            int count,
            @Nullable Object[] holder,
            int from,
            @Nullable Object[] known,
            int firstOrdinal)
            throws StreamCorruptedException {
        long end = endOf(base, length, count);
        if (ahead != null && !isStaged && fillable == null) {
            int there = ahead.take(base, length, count, holder, from);
            System.arraycopy(holder, from, known, firstOrdinal, there);
        }
        ArrayRun last = runCount > 0 ? runs[runCount - 1] : null;
        if (last != null
                && last.length == length
                && last.base == base
                && last.isFollowedBy(holder, from, known, firstOrdinal)) {
            last.count += count;
            lengthBytes = end;
            return;
        }
        ArrayRun run = nextRun();
        run.set(base, length, count, lengthBytes);
        run.holder = holder;
        run.from = from;
        run.known = known;
        run.firstOrdinal = firstOrdinal;
        if (isStaged) {
            RowCodec.fromBytes(run, holder, 0, count, staged(), stagedOffset + lengthBytes);
            run.clear();
            runCount--;
        }
        lengthBytes = end;
    }

    /** An array of {@link #addLater} that something refers to before its data are there. */
    Object materialize(int ordinal) {
        int low = 0;
        int high = runCount - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (runs[middle].firstOrdinal <= ordinal) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        ArrayRun run = runs[low];
        if (low < runCount && ordinal >= run.firstOrdinal && ordinal - run.firstOrdinal < run.count) {
            return run.array(holderOf(run), ordinal - run.firstOrdinal);
        }
        throw new IllegalStateException("array " + ordinal + " is not to be received");
    }

    private ArrayRun nextRun() {
        if (runCount == runs.length) {
            runs = Arrays.copyOf(runs, runCount * 2);
            for (int i = runCount; i < runs.length; i++) {
                runs[i] = new ArrayRun();
            }
        }
        return runs[runCount++];
    }

    private long endOf(BaseType base, int length, int count) throws StreamCorruptedException {
        long bytes = paddedBytes((long) length * base.sizeBytes());
        if (bytes > (limitBytes - lengthBytes) / count) {
            throw new StreamCorruptedException("the arrays of an object message need " + (lengthBytes + count * bytes)
                    + " bytes or more, but it has only " + limitBytes);
        }
        return lengthBytes + count * bytes;
    }

    /**
     * Whether an array may still be added: asked before it is allocated, so that a corrupt length costs no memory.
     *
     * @throws StreamCorruptedException if the message is too short for it
     */
    public void require(BaseType base, int length) throws StreamCorruptedException {
        if (length < 0 || lengthBytes + (long) length * base.sizeBytes() > limitBytes) {
            throw new StreamCorruptedException("an object message of " + limitBytes
                    + " bytes of array data announces an array " + base + " of " + length);
        }
    }

    /** Bytes of all arrays, padding included. */
    public long lengthBytes() {
        return lengthBytes;
    }

    /** How many arrays that are not empty may still be added. */
    long mostArrays() {
        return (limitBytes - lengthBytes) / ALIGNMENT;
    }

    /** Scratch for who writes arrays into this vector. */
    IdentityOrdinals ordinals() {
        return ordinals;
    }

    /** What lies at these places may be filled: from a place on, one for each element of the message. */
    void fillInPlace(@Nullable Object[] there, int from) {
        fillable = there;
        fillableFrom = from;
    }

    /** Where the elements of the message will be stored, if what lies there may be filled; else null. */
    @Nullable
    Object @Nullable [] fillable() {
        return isStaged ? null : fillable;
    }

    /** Place of the first element there. */
    int fillableFrom() {
        return fillableFrom;
    }

    /** Forgets all arrays. */
    void clear() {
        fillable = null;
        if (runCount > 0) {
            Arrays.fill(arrays, 0, arrayCount, null);
            arrayCount = 0;
            for (int i = 0; i < runCount; i++) {
                runs[i].clear();
            }
            runCount = 0;
        }
        lengthBytes = 0;
        limitBytes = Long.MAX_VALUE;
        isStaged = false;
        byte[] array = stagedArray;
        if (array == null ? staged != null : array.length > KEPT_BYTES) {
            staged = null;
            stagedArray = null;
        }
    }

    /** Sets how many bytes all arrays together have. */
    void limit(long bytes) {
        limitBytes = bytes;
        if (ahead != null && fillable == null) {
            ahead.begin();
        }
    }

    /** All arrays that are received later have been added. */
    void limitReached() {
        if (ahead != null && fillable == null) {
            ahead.end();
        }
    }

    /** From now on arrays are filled when they are added. */
    void fillFrom(MemorySegment bytes, long limit) {
        clear();
        isStaged = true;
        staged = bytes;
        stagedArray = null;
        stagedOffset = 0;
        limitBytes = limit;
    }

    /** From now on arrays are filled when they are added. */
    @SuppressWarnings("ReferenceEquality") // the same array or not
    void fillFrom(byte[] bytes, int offset, long limit) {
        clear();
        isStaged = true;
        if (stagedArray != bytes) {
            stagedArray = bytes;
            staged = null;
        }
        stagedOffset = offset;
        limitBytes = limit;
    }

    private MemorySegment staged() {
        MemorySegment bytes = staged;
        if (bytes == null) {
            bytes = MemorySegment.ofArray(Objects.requireNonNull(stagedArray));
            staged = bytes;
        }
        return bytes;
    }

    /** Copies bytes position … of the data out; position is a multiple of 8. */
    public void read(long position, MemorySegment target, long targetOffset, int length) {
        long end = position + length;
        long at = position;
        for (int i = runAt(position); at < end; i++) {
            ArrayRun run = runs[i];
            int bytes = (int) (Math.min(end, run.end()) - at);
            run.read(holderOf(run), at, target, targetOffset + (at - position), bytes);
            at += bytes;
        }
    }

    /** Copies bytes of the data into the arrays; position is a multiple of 8. */
    public void write(long position, MemorySegment source, long sourceOffset, int length) {
        long end = position + length;
        long at = position;
        for (int i = runAt(position); at < end; i++) {
            ArrayRun run = runs[i];
            int bytes = (int) (Math.min(end, run.end()) - at);
            run.write(holderOf(run), at, source, sourceOffset + (at - position), bytes);
            at += bytes;
        }
    }

    private @Nullable Object[] holderOf(ArrayRun run) {
        @Nullable Object[] holder = run.holder;
        return holder != null ? holder : arrays;
    }

    /** The run that a position lies in. */
    private int runAt(long position) {
        int low = 0;
        int high = runCount - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (runs[middle].start <= position) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    static long paddedBytes(long bytes) {
        return (bytes + ALIGNMENT - 1) & -ALIGNMENT;
    }
}
