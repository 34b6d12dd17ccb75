package org.gridmpj.coll;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;
import org.gridmpj.comm.Communicator;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.BesideChannels;
import org.jspecify.annotations.Nullable;

/**
 * Memory of all ranks of a communicator that is on one host, where each posts what the others are to see.
 *
 * <pre>
 *   0         sleepers: a bit for each rank that is about to block
 *   64        its name, a random number
 *   128       where ranks meet before a call, if cuts are made of the job ({@link Meeting})
 *   256       lanes, one for each rank:
 *               +0    even steps:  step (8)  what it does (8)  up to {@link #INLINE_BYTES} of data
 *               +128  odd steps:   the same
 *               +256  finished:    all steps below this one (8)
 *   4096 × n  slots, two for each rank, one for even and one for odd steps: {@link #slotBytes} each
 * </pre>
 *
 * <p>All ranks go through the same steps, numbered from 1. In a step a rank may post once; a lane and its slots are written by
 * their rank only. The number of the step is written last, with release: who sees it sees the rest. It says two things: the
 * data of this step is here, and this rank has read all it wanted of the steps before. A rank that posts nothing in a step, or
 * does not wait for all, says by {@code finished} that it is through. What was posted two steps ago is overwritten when all
 * are known to be through with it. So nobody waits for anything but what others do in the same step or an earlier one, and
 * somebody can always go on.
 *
 * <p>Each post says which operation it belongs to and how long that is: ranks that do not agree find out, rather than read
 * what is not there. An object is one rank's view, confined to the thread that is in a collective of the communicator.
 *
 * <p>If cuts are made of the job, the ranks {@link #meet} in the first step of each call. Until they have, a call may be begun anew.
 */
final class Board {
    /** A lane's bit must fit into a long. */
    static final int MOST_RANKS = 64;

    /** Data beside the number of its step: two lines. */
    static final int INLINE_BYTES = 112;

    private static final int SLEEPERS_OFFSET = 0;
    private static final int NAME_OFFSET = 64;
    private static final int MEETING_OFFSET = 128;
    private static final int LANES_OFFSET = 256;
    private static final int LANE_BYTES = 384;
    private static final int PARITY_BYTES = 128;
    private static final int WHAT_OFFSET = 8;
    private static final int DATA_OFFSET = 16;
    private static final int FINISHED_OFFSET = 256;
    private static final int PAGE_BYTES = 4096;

    private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

    private final Communicator communicator;
    private final BesideChannels beside;
    private final MemorySegment memory;
    private final int size;
    private final int rank;
    private final int slotBytes;
    private final long slotsOffset;
    private final long others;
    private final BoardWait wait;
    /** Null if no cuts are made of the job. */
    private final @Nullable Meeting meeting;

    private long step;
    /** The last step of the last call. */
    private long stepBefore;

    private boolean hasMet;
    /** A bit for each rank whose post in this step is still to be read. */
    private long unread;
    /** All ranks are known to be through with the steps below this one. */
    private long finishedByAll = 1;
    /** What this rank does in the operation at hand. */
    private long what;

    /** @param memory zero, or written by the other ranks' views only */
    Board(Communicator communicator, MemorySegment memory) {
        this.communicator = communicator;
        this.beside = communicator.pointToPoint().besideChannels();
        this.memory = memory;
        this.size = communicator.size();
        this.rank = communicator.rank();
        this.slotBytes = slotBytes(size, beside);
        this.slotsOffset = slotsOffset(size);
        this.others = (size == MOST_RANKS ? -1L : (1L << size) - 1) & ~(1L << rank);
        this.wait = new BoardWait(this);
        this.meeting = beside.isCut() ? new Meeting(memory, MEETING_OFFSET, size, beside) : null;
    }

    private static long slotsOffset(int size) {
        return (LANES_OFFSET + (long) size * LANE_BYTES + PAGE_BYTES - 1) & -PAGE_BYTES;
    }

    /** Measured: shorter ones cost more changes of thread. */
    private static int slotBytes(int size, BesideChannels beside) {
        int most = beside.mostBytesAtATime();
        return Math.clamp(Integer.highestOneBit((1 << 20) / size), Math.min(32 << 10, most), most);
    }

    /** Length of the memory of so many ranks. */
    static long bytes(int size, BesideChannels beside) {
        return slotsOffset(size) + 2L * size * slotBytes(size, beside);
    }

    /** Gives fresh memory a name, before others know of it. */
    static long name(MemorySegment memory) {
        long name = ThreadLocalRandom.current().nextLong();
        LONG.setRelease(memory, (long) NAME_OFFSET, name);
        return name;
    }

    /** Whether it is the memory of that name. */
    static boolean hasName(MemorySegment memory, long name) {
        return memory.byteSize() >= LANES_OFFSET && (long) LONG.getAcquire(memory, (long) NAME_OFFSET) == name;
    }

    MemorySegment memory() {
        return memory;
    }

    int size() {
        return size;
    }

    int rank() {
        return rank;
    }

    Communicator communicator() {
        return communicator;
    }

    /** Length of a slot: a multiple of 64. */
    int slotBytes() {
        return slotBytes;
    }

    /** A bit for each rank but this one. */
    long others() {
        return others;
    }

    private long lane(int ofRank) {
        return LANES_OFFSET + (long) ofRank * LANE_BYTES;
    }

    private long line(int ofRank) {
        return lane(ofRank) + (step & 1) * PARITY_BYTES;
    }

    /** Where the short data of a rank lies in this step. */
    private long inline(int ofRank) {
        return line(ofRank) + DATA_OFFSET;
    }

    /** Where the long data of a rank lies in this step. */
    long slot(int ofRank) {
        return slotsOffset + (2L * ofRank + (step & 1)) * slotBytes;
    }

    /** Where the data of a rank lies in this step. */
    long place(int ofRank, boolean inline) {
        return inline ? inline(ofRank) : slot(ofRank);
    }

    /** Where the long data of a rank lies that it posted in the step before. */
    long slotBefore(int ofRank) {
        return slotsOffset + (2L * ofRank + ((step - 1) & 1)) * slotBytes;
    }

    /** An operation begins, perhaps once more; what names it and its length, alike at all ranks. */
    void begin(long newWhat) {
        what = newWhat;
        step = stepBefore;
        hasMet = meeting == null;
    }

    /** The operation is over. */
    void over() {
        if (meeting != null) {
            meeting.over();
        }
        stepBefore = step;
        beside.countCall();
    }

    /**
     * In the first step of a call, behind what this rank posts in it: waits until all have come, if cuts are made of the job. Until
     * then the thread may unwind to be captured.
     *
     * @return false if the call, and all later ones, are to go by messages
     */
    boolean meet() {
        if (hasMet || meeting == null) {
            return true;
        }
        if (meeting.arrive()) {
            wakeSleepers();
        } else if (!meeting.isMet()) {
            wait.forMeeting();
            await();
            if (meeting.isClosed()) {
                return false;
            }
        }
        hasMet = true;
        finishedByAll = step;
        return true;
    }

    /** This rank leaves its process. Under the progress lock. */
    void close() {
        if (meeting != null) {
            meeting.close();
            wakeSleepers();
        }
    }

    /** The next step begins: once this returns this rank may write to its line and slot. */
    void nextStep() {
        step++;
        if (finishedByAll < step - 1) {
            awaitFinished(step - 1);
        }
    }

    /** The next step begins, in which this rank posts nothing. */
    void passStep() {
        step++;
    }

    private void awaitFinished(long below) {
        wait.forFinished(others, below);
        await();
        finishedByAll = below;
    }

    /** What was written for this step is there to be read. */
    void post() {
        long line = line(rank);
        LONG.set(memory, line + WHAT_OFFSET, what);
        LONG.setRelease(memory, line, step);
        if (hasMet) {
            wakeSleepers();
        }
    }

    /** This rank has read all it wanted in this step, in which not all wait for it to post. */
    void finish() {
        LONG.setRelease(memory, lane(rank) + FINISHED_OFFSET, step + 1);
        wakeSleepers();
    }

    private void wakeSleepers() {
        VarHandle.fullFence();
        long sleepers = (long) LONG.getOpaque(memory, (long) SLEEPERS_OFFSET) & others;
        if (sleepers != 0) {
            long mine = (long) LONG.getAndBitwiseAnd(memory, (long) SLEEPERS_OFFSET, ~sleepers) & sleepers;
            for (long left = mine; left != 0; left &= left - 1) {
                beside.nudge(communicator.group().worldRank(Long.numberOfTrailingZeros(left)));
            }
        }
    }

    /** Waits for the posts of all; they are through with the steps before this one. */
    void awaitAll() {
        if (!hasPostedAll(others, step)) {
            wait.forPosts(others, step, true);
            await();
        }
        finishedByAll = step;
        for (int each = 0; each < size; each++) {
            check(each);
        }
    }

    /** Waits for a post of one rank. */
    void awaitPost(int ofRank) {
        if (!hasPosted(ofRank, step)) {
            wait.forPosts(1L << ofRank, step, true);
            await();
        }
        check(ofRank);
    }

    /** Begins to read what all post in this step: the own rank; the others are {@link #nextPosted}. */
    int ownFirst() {
        unread = others;
        return rank;
    }

    /** Waits for the post of another rank, whichever comes next; negative when all have been: they are through with the steps before this one. */
    int nextPosted() {
        if (unread == 0) {
            finishedByAll = step;
            return -1;
        }
        int found = firstPosted(unread);
        if (found < 0) {
            wait.forPosts(unread, step, false);
            await();
            found = firstPosted(unread);
        }
        check(found);
        unread &= ~(1L << found);
        return found;
    }

    private int firstPosted(long ranks) {
        for (long left = ranks; left != 0; left &= left - 1) {
            int each = Long.numberOfTrailingZeros(left);
            if (hasPosted(each, step)) {
                return each;
            }
        }
        return -1;
    }

    private void await() {
        beside.await(wait);
        wait.rethrow();
    }

    private void check(int ofRank) {
        long theirs = (long) LONG.get(memory, line(ofRank) + WHAT_OFFSET);
        if (ofRank != rank && theirs != what) {
            throw new MpiFailure(
                    ErrorClass.COUNT,
                    "rank " + ofRank + " of " + communicator + " is in " + BoardCall.describe(theirs) + ", this one in "
                            + BoardCall.describe(what)
                            + ": the processes gave different counts, datatypes or roots, or call in another order");
        }
    }

    // What a wait asks, also in the thread of another call

    /** Whether all have come to the call, or never will. */
    boolean isMeetingOver() {
        return meeting == null || meeting.isMet() || meeting.isClosed();
    }

    /** This rank has passed an epoch, perhaps, while it waits for the others to come. */
    void arriveAgain() {
        if (meeting != null && meeting.arrive()) {
            wakeSleepers();
        }
    }

    boolean withdraw() {
        return meeting != null && meeting.withdraw();
    }

    boolean isTooEarly() {
        return meeting != null && meeting.isTooEarly();
    }

    boolean hasPosted(int ofRank, long inStep) {
        return (long) LONG.getAcquire(memory, lane(ofRank) + (inStep & 1) * PARITY_BYTES) >= inStep;
    }

    boolean hasPostedAll(long ranks, long inStep) {
        for (long left = ranks; left != 0; left &= left - 1) {
            if (!hasPosted(Long.numberOfTrailingZeros(left), inStep)) {
                return false;
            }
        }
        return true;
    }

    boolean hasFinished(int ofRank, long below) {
        // who has posted in a step is through with those before
        return (long) LONG.getAcquire(memory, lane(ofRank) + FINISHED_OFFSET) >= below
                || (long) LONG.getAcquire(memory, lane(ofRank)) >= below
                || (long) LONG.getAcquire(memory, lane(ofRank) + PARITY_BYTES) >= below;
    }

    void sayAsleep() {
        LONG.getAndBitwiseOr(memory, (long) SLEEPERS_OFFSET, 1L << rank);
    }

    void sayAwake() {
        LONG.getAndBitwiseAnd(memory, (long) SLEEPERS_OFFSET, ~(1L << rank));
    }

    @Override
    public String toString() {
        return BoardCall.describe(what) + " of " + communicator + ", step " + step;
    }
}
