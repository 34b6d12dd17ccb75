package org.gridmpj.coll;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.gridmpj.pt2pt.BesideChannels;

/**
 * Where the ranks of a {@link Board} come together before each call, in a job of which cuts are made: a call that goes by shared
 * memory is whole before a cut or whole behind it, at all ranks alike.
 *
 * <pre>
 *   one word:  call (28 bits)  epoch + 1 (28)  closed (1)  ranks that have come (7)
 *
 *   arrive ──▶ waits ──▶ all have come, in one epoch: met; nobody is cut before the call is over
 *                │  ▲
 *       withdraw │  │ arrive, behind the cut
 *                ▼  │
 *              is cut
 * </pre>
 *
 * Who has come may go again until the last has come. Who has passed a later epoch than those that are here makes their coming
 * void: they will be cut, or hear that the epoch is abandoned, and come again. Who has passed an earlier one waits for that. A rank that
 * leaves its process closes it: this call and all later ones go by messages.
 *
 * <p>Confined to the thread that is in a collective of the communicator, but for {@link #close} and the questions of a wait.
 */
final class Meeting {
    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();
    private static final long COUNT_MASK = 0x7F;
    private static final long CLOSED = 0x80;
    private static final int EPOCH_SHIFT = 8;
    private static final int CALL_SHIFT = 36;
    private static final long NUMBER_MASK = (1L << 28) - 1;
    private static final long NOT_HERE = -1;

    private final MemorySegment memory;
    private final long at;
    private final int size;
    private final BesideChannels beside;
    /** Number of the call at hand, or of the next one. */
    private long call = 1;
    /** The epoch in which this rank has come, plus one. */
    private long cameIn = NOT_HERE;

    Meeting(MemorySegment memory, long offsetBytes, int size, BesideChannels beside) {
        this.memory = memory;
        this.at = offsetBytes;
        this.size = size;
        this.beside = beside;
    }

    private static long word(long call, long epoch, long count) {
        return call << CALL_SHIFT | epoch << EPOCH_SHIFT | count;
    }

    private long read() {
        return (long) LONG.getAcquire(memory, at);
    }

    private boolean replace(long before, long after) {
        return LONG.compareAndSet(memory, at, before, after);
    }

    private static long callOf(long word) {
        return word >>> CALL_SHIFT;
    }

    private static long epochOf(long word) {
        return word >>> EPOCH_SHIFT & NUMBER_MASK;
    }

    private boolean isMet(long word) {
        long inWord = callOf(word);
        // of the next call there is something only when all had come to this one
        return inWord == (call + 1 & NUMBER_MASK) || (inWord == call && (word & COUNT_MASK) == size);
    }

    /** Whether all have come. */
    boolean isMet() {
        return isMet(read());
    }

    /** Whether not all have come and never will. */
    boolean isClosed() {
        long word = read();
        return (word & CLOSED) != 0 && !isMet(word);
    }

    /** Whether this rank cannot come, as others have passed an epoch that it has not. */
    boolean isTooEarly() {
        return cameIn == NOT_HERE;
    }

    /**
     * This rank comes, unless it is here, or others are further. What it has written before is there for all that see it.
     *
     * @return whether it was the last
     */
    boolean arrive() {
        long epoch = beside.passedEpoch() + 1L;
        if (cameIn == epoch || (cameIn != NOT_HERE && !withdraw())) {
            return false;
        }
        while (true) {
            long before = read();
            if ((before & CLOSED) != 0) {
                return false;
            }
            long after;
            if (callOf(before) != call) {
                after = word(call, epoch, 1);
            } else if (epochOf(before) == epoch) {
                after = before + 1;
            } else if (epochOf(before) < epoch) {
                after = word(call, epoch, 1);
            } else {
                return false;
            }
            if (replace(before, after)) {
                cameIn = epoch;
                return isMet(after);
            }
        }
    }

    /** This rank is not here any more; false if all have come already. */
    boolean withdraw() {
        while (cameIn != NOT_HERE) {
            long before = read();
            if (isMet(before)) {
                return false;
            }
            boolean isVoid = epochOf(before) != cameIn;
            if (isVoid || replace(before, before - 1)) {
                cameIn = NOT_HERE;
            }
        }
        return true;
    }

    /** The call is over. */
    void over() {
        call = call + 1 & NUMBER_MASK;
        cameIn = NOT_HERE;
    }

    /** No call goes by this memory any more, but for one to which all have come. Any thread. */
    void close() {
        while (true) {
            long before = read();
            if (replace(before, before | CLOSED)) {
                return;
            }
        }
    }
}
