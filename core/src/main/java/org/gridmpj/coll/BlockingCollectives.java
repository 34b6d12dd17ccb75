package org.gridmpj.coll;

import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.Reducer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.CallJournal;
import org.gridmpj.pt2pt.PointToPoint;
import org.jspecify.annotations.Nullable;

/**
 * Blocking collectives of one communicator that a program calls again and again with short data: the schedule of a call is
 * kept for the next one of the same shape, so that in the long run a call allocates nothing.
 *
 * <pre>
 *   take a kept schedule that fits, or make one ─▶ bind the arrays ─▶ start, wait ─▶ unbind, keep it
 * </pre>
 *
 * In a job whose ranks are on one host, and none of which goes back alone, calls of primitives go by a {@link Board} instead, where
 * the table says so.
 *
 * <p>A schedule is nowhere but in the hands of its call while it runs: two calls of one shape at a time have two. A call that
 * fails keeps none. Arguments are as in {@link Collectives}, checked by the facade; the journal is that of the program's
 * call, null where capture is not possible. Thread-safe as far as the order of collectives allows. Plain data, part of an
 * image with its communicator.
 */
public final class BlockingCollectives {
    private static final int KEPT = 8;
    /** Longer vectors cost more than their schedule, and would keep temporary arrays of their length. */
    private static final long SHORT_BYTES = 16 << 10;

    private static final TypeMap BYTE = TypeMap.of(BaseType.BYTE);
    private static final String BARRIER = "Barrier";
    private static final int NO_ROOT = BoardCollectives.NO_ROOT;

    private final Communicator communicator;
    /** Null for the job's, which is no part of an image. */
    private final @Nullable SelectionTable table;
    /** Null where no board is possible. */
    private final @Nullable BoardChoice boards;
    /** The first {@link #length}, the longest kept first. Guarded by this object. */
    private final @Nullable KeptSchedule[] kept = new @Nullable KeptSchedule[KEPT];

    private int length;

    /** By the algorithms of the job's table. */
    public BlockingCollectives(Communicator communicator) {
        this.communicator = communicator;
        table = null;
        boards = BoardChoice.of(communicator, null);
    }

    /** By the algorithms of a table that all ranks give alike. */
    public BlockingCollectives(Communicator communicator, SelectionTable table) {
        this.communicator = communicator;
        this.table = table;
        boards = BoardChoice.of(communicator, table);
    }

    private Collectives channels() {
        return table == null ? Collectives.of(communicator) : Collectives.of(communicator, table);
    }

    /** Whether these are the collectives of that very communicator. */
    @SuppressWarnings("ReferenceEquality") // a communicator is itself only
    public boolean isOf(Communicator other) {
        return communicator == other;
    }

    /** The board for a call, if it goes by one. */
    private @Nullable BoardCollectives board(
            @Nullable CallJournal journal, Choosable operation, int count, TypeMap type) {
        communicator.requireAlive();
        return boards == null
                ? null
                : boards.of(journal, operation, bytes(count, type), type.base() == BaseType.OBJECT);
    }

    /** Whether a call was done by its board; else it goes by messages, as all ranks find in it alike. */
    private boolean isDone(boolean done) {
        if (!done && boards != null) {
            boards.lost();
        }
        return done;
    }

    /**
     * Reduces on a board, if the call goes by one.
     *
     * @param isComplete whether there is a root, or none, and the array that it needs
     */
    private boolean reduceByBoard(
            @Nullable CallJournal journal,
            Choosable operation,
            boolean isComplete,
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int count,
            TypeMap type,
            Reducer op,
            int root) {
        communicator.requireAlive();
        // without elements the arrays may be of any class; all ranks know that there are none
        if (boards == null
                || !isComplete
                || bytes(count, type) == 0
                || send == null
                || !(op instanceof PredefinedOp predefined)) {
            return false;
        }
        BoardReductions board = boards.ofReduction(journal, operation, bytes(count, type), type, predefined);
        return board != null
                && isDone(board.reduce(send, sendOffset, receive, receiveOffset, count, type, predefined, root));
    }

    private static long bytes(int count, TypeMap type) {
        return BoardCollectives.bytes(count, type);
    }

    public void barrier(@Nullable CallJournal journal) {
        BoardCollectives board = board(journal, Choosable.BARRIER, 0, BYTE);
        if (board != null && isDone(board.barrier())) {
            return;
        }
        KeptSchedule fitting = take(journal, BARRIER, NO_ROOT, 0, BYTE, null, null, 0, null, 0);
        Schedule schedule =
                fitting == null ? (Schedule) channels().barrier() : startAgain(fitting.bind(null, 0, null, 0), journal);
        awaitAndKeep(fitting, schedule, journal, BARRIER, NO_ROOT, 0, BYTE, null, null, 0, null, 0);
    }

    public void bcast(
            @Nullable CallJournal journal, @Nullable Object buffer, int offset, int count, TypeMap type, int root) {
        BoardCollectives board = isRank(root) ? board(journal, Choosable.BCAST, count, type) : null;
        if (board != null && isDone(board.bcast(buffer, offset, count, type, root))) {
            return;
        }
        KeptSchedule fitting = take(journal, "Bcast", root, count, type, null, buffer, offset, null, 0);
        Schedule schedule = fitting == null
                ? (Schedule) channels().bcast(buffer, offset, count, type, root)
                : startAgain(fitting.bind(buffer, offset, null, 0), journal);
        awaitAndKeep(fitting, schedule, journal, "Bcast", root, count, type, null, buffer, offset, null, 0);
    }

    public void reduce(
            @Nullable CallJournal journal,
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int count,
            TypeMap type,
            Reducer op,
            int root) {
        boolean isComplete = isRank(root) && (communicator.rank() != root || receive != null);
        if (reduceByBoard(
                journal,
                Choosable.REDUCE,
                isComplete,
                send,
                sendOffset,
                receive,
                receiveOffset,
                count,
                type,
                op,
                root)) {
            return;
        }
        KeptSchedule fitting = take(journal, "Reduce", root, count, type, op, send, sendOffset, receive, receiveOffset);
        Schedule schedule = fitting == null
                ? (Schedule) channels().reduce(send, sendOffset, receive, receiveOffset, count, type, op, root)
                : startAgain(fitting.bind(send, sendOffset, receive, receiveOffset), journal);
        awaitAndKeep(
                fitting, schedule, journal, "Reduce", root, count, type, op, send, sendOffset, receive, receiveOffset);
    }

    public void allreduce(
            @Nullable CallJournal journal,
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int count,
            TypeMap type,
            Reducer op) {
        if (reduceByBoard(
                journal,
                Choosable.ALLREDUCE,
                receive != null,
                send,
                sendOffset,
                receive,
                receiveOffset,
                count,
                type,
                op,
                NO_ROOT)) {
            return;
        }
        KeptSchedule fitting =
                take(journal, "Allreduce", NO_ROOT, count, type, op, send, sendOffset, receive, receiveOffset);
        Schedule schedule = fitting == null
                ? (Schedule) channels().allreduce(send, sendOffset, receive, receiveOffset, count, type, op)
                : startAgain(fitting.bind(send, sendOffset, receive, receiveOffset), journal);
        awaitAndKeep(
                fitting,
                schedule,
                journal,
                "Allreduce",
                NO_ROOT,
                count,
                type,
                op,
                send,
                sendOffset,
                receive,
                receiveOffset);
    }

    public void gather(
            @Nullable CallJournal journal,
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType,
            int root) {
        BoardCollectives board = isRank(root) ? board(journal, Choosable.GATHER, sendCount, sendType) : null;
        if (board != null
                && isDone(board.gather(
                        send,
                        sendOffset,
                        sendCount,
                        sendType,
                        receive,
                        receiveOffset,
                        receiveCount,
                        receiveType,
                        root))) {
            return;
        }
        communicator
                .pointToPoint()
                .await(channels()
                        .gather(
                                send,
                                sendOffset,
                                sendCount,
                                sendType,
                                receive,
                                receiveOffset,
                                receiveCount,
                                receiveType,
                                root));
    }

    public void allgather(
            @Nullable CallJournal journal,
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType) {
        BoardCollectives board = board(journal, Choosable.ALLGATHER, sendCount, sendType);
        if (board != null
                && isDone(board.gather(
                        send,
                        sendOffset,
                        sendCount,
                        sendType,
                        receive,
                        receiveOffset,
                        receiveCount,
                        receiveType,
                        NO_ROOT))) {
            return;
        }
        communicator
                .pointToPoint()
                .await(channels()
                        .allgather(
                                send,
                                sendOffset,
                                sendCount,
                                sendType,
                                receive,
                                receiveOffset,
                                receiveCount,
                                receiveType));
    }

    public void allgatherv(
            @Nullable CallJournal journal,
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int[] receiveCounts,
            int[] displacements,
            TypeMap receiveType) {
        BoardCollectives board = boards == null
                ? null
                : board(
                        journal,
                        Choosable.ALLGATHERV,
                        BoardCollectives.longest(receiveCounts, communicator.size()),
                        receiveType);
        if (board != null
                && isDone(board.allgatherv(
                        send,
                        sendOffset,
                        sendCount,
                        sendType,
                        receive,
                        receiveOffset,
                        receiveCounts,
                        displacements,
                        receiveType))) {
            return;
        }
        communicator
                .pointToPoint()
                .await(channels()
                        .allgatherv(
                                send,
                                sendOffset,
                                sendCount,
                                sendType,
                                receive,
                                receiveOffset,
                                receiveCounts,
                                displacements,
                                receiveType));
    }

    public void reduceScatter(
            @Nullable CallJournal journal,
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int[] receiveCounts,
            TypeMap type,
            Reducer op) {
        communicator.requireAlive();
        if (boards != null && send != null && op instanceof PredefinedOp predefined) {
            long total = 0;
            for (int each = 0; each < communicator.size(); each++) {
                total += bytes(receiveCounts[each], type);
            }
            BoardReductions board = boards.ofReduction(journal, Choosable.REDUCE_SCATTER, total, type, predefined);
            if (board != null
                    && isDone(board.reduceScatter(
                            send,
                            sendOffset,
                            receive,
                            receiveOffset,
                            receiveCounts,
                            type,
                            predefined,
                            isPairwise(total)))) {
                return;
            }
        }
        communicator
                .pointToPoint()
                .await(channels().reduceScatter(send, sendOffset, receive, receiveOffset, receiveCounts, type, op));
    }

    /** Whether a Reduce_scatter that went by messages would go pairwise, which decides about its bits. */
    private boolean isPairwise(long bytes) {
        SelectionTable lines = table == null ? SelectionTable.ofJob() : table;
        return lines.withoutSegment(Choosable.REDUCE_SCATTER, communicator.size(), bytes) == Algorithm.PAIRWISE;
    }

    public void alltoall(
            @Nullable CallJournal journal,
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType) {
        BoardCollectives board = board(journal, Choosable.ALLTOALL, sendCount, sendType);
        if (board != null
                && isDone(board.alltoall(
                        send, sendOffset, sendCount, sendType, receive, receiveOffset, receiveCount, receiveType))) {
            return;
        }
        communicator
                .pointToPoint()
                .await(channels()
                        .alltoall(
                                send,
                                sendOffset,
                                sendCount,
                                sendType,
                                receive,
                                receiveOffset,
                                receiveCount,
                                receiveType));
    }

    public void alltoallv(
            @Nullable CallJournal journal,
            @Nullable Object send,
            int sendOffset,
            int[] sendCounts,
            int[] sendDisplacements,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int[] receiveCounts,
            int[] receiveDisplacements,
            TypeMap receiveType) {
        communicator.requireAlive();
        // a rank without data may name any type, also where the others have objects: they meet first
        BoardCollectives board = boards == null ? null : boards.of(journal, Choosable.ALLTOALLV, 0, false);
        if (board != null) {
            BoardCollectives.Outcome outcome = board.alltoallv(
                    send,
                    sendOffset,
                    sendCounts,
                    sendDisplacements,
                    sendType,
                    receive,
                    receiveOffset,
                    receiveCounts,
                    receiveDisplacements,
                    receiveType);
            if (isDone(outcome != BoardCollectives.Outcome.CLOSED) && outcome == BoardCollectives.Outcome.DONE) {
                return;
            }
        }
        communicator
                .pointToPoint()
                .await(channels()
                        .alltoallv(
                                send,
                                sendOffset,
                                sendCounts,
                                sendDisplacements,
                                sendType,
                                receive,
                                receiveOffset,
                                receiveCounts,
                                receiveDisplacements,
                                receiveType));
    }

    private boolean isRank(int root) {
        return root >= 0 && root < communicator.size();
    }

    private Schedule startAgain(Schedule schedule, @Nullable CallJournal journal) {
        PointToPoint pointToPoint = communicator.pointToPoint();
        schedule.retag(communicator.nextCollectiveTag());
        if (schedule.hasRounds()) {
            pointToPoint.startSchedule(schedule);
        }
        if (journal != null) {
            journal.record(schedule);
        }
        return schedule;
    }

    /** Waits for a call, then keeps its schedule for the next one of its shape: the one that fitted, or the one that was made. */
    private void awaitAndKeep(
            @Nullable KeptSchedule fitting,
            Schedule schedule,
            @Nullable CallJournal journal,
            String operation,
            int root,
            int count,
            TypeMap type,
            @Nullable Reducer op,
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset) {
        communicator.pointToPoint().await(schedule);
        boolean hasRounds = count > 0 || operation.equals(BARRIER);
        if (hasRounds && mayKeep(schedule, journal, count, type)) {
            keep(
                    fitting != null
                            ? fitting
                            : new KeptSchedule(
                                    schedule,
                                    operation,
                                    root,
                                    count,
                                    type,
                                    op,
                                    send,
                                    sendOffset,
                                    receive,
                                    receiveOffset));
        }
    }

    /** Objects differ from call to call; a call within another one may be entered again after this schedule's next use. */
    private boolean mayKeep(Schedule schedule, @Nullable CallJournal journal, int count, TypeMap type) {
        return schedule.isOf(communicator)
                && !communicator.isInter()
                && type.base() != BaseType.OBJECT
                && bytes(count, type) <= SHORT_BYTES
                && (journal == null || journal.isOutermost());
    }

    /**
     * Takes out the schedule that fits a call; null if there is none, or if the call was captured while it waited: then its
     * schedule is in the journal, where {@link Collectives} finds it.
     */
    private synchronized @Nullable KeptSchedule take(
            @Nullable CallJournal journal,
            String operation,
            int root,
            int count,
            TypeMap type,
            @Nullable Reducer op,
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset) {
        if (journal != null && journal.hasMore()) {
            return null;
        }
        communicator.requireAlive();
        for (int i = length - 1; i >= 0; i--) {
            KeptSchedule candidate = kept[i];
            if (candidate != null
                    && candidate.fits(operation, root, count, type, op, send, sendOffset, receive, receiveOffset)) {
                length--;
                System.arraycopy(kept, i + 1, kept, i, length - i);
                kept[length] = null;
                return candidate;
            }
        }
        return null;
    }

    private synchronized void keep(KeptSchedule schedule) {
        schedule.unbind();
        if (length == KEPT) {
            length--;
            System.arraycopy(kept, 1, kept, 0, length);
        }
        kept[length++] = schedule;
    }
}
