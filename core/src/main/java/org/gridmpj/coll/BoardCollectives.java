package org.gridmpj.coll;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.gridmpj.datatype.ArrayCodec;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.MessageBuffer;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.snapshot.CaptureSignal;
import org.jspecify.annotations.Nullable;

/**
 * Blocking collectives of primitives on a {@link Board}: no messages, no schedules, nothing allocated.
 *
 * <pre>
 *   Barrier     post, wait for all
 *   Bcast       the root posts chunk after chunk, the others read; two chunks are under way
 *   Gather      post a chunk of the block; the root reads those of the others as they come
 *   Allgather   the same, and all read; Allgatherv too
 *   Alltoall    post a chunk of each block, read what is for this rank
 *   Alltoallv   post how long each block is, and a chunk of all blocks in a row, the one for the next rank first; read what is for this
 *               rank. Objects: post that they are, and go by messages
 *   Allreduce   short: post the vector, combine all of them
 *               long, chunk by chunk: post, combine the own share of all, post that, read the others'
 *   Reduce      short: post the vector, the root combines all of them
 *               long: as Allreduce, but only the root reads the shares
 *   Reduce_scatter  post a chunk of each block, combine the own block of all
 * </pre>
 *
 * An Allreduce has the bits of recursive doubling, a Reduce those of a binomial tree, a Reduce_scatter those of what the table takes for
 * messages ({@link CombinationOrder}). Arguments are those of {@link Collectives}.
 *
 * <p>Each says whether it is done; if not, the board is closed, nothing has happened, and the call is to go by messages.
 *
 * <p>One call at a time: two threads in collectives of one communicator take turns, and if their order differs at another rank
 * the calls fail. After a failure in the middle all later calls fail.
 */
final class BoardCollectives {
    /** From here on each rank combines a share, which takes a step more. */
    private static final int SHARES_FROM_BYTES = 8 << 10;
    /** What is combined at a time, of all ranks together, stays in the first-level cache. */
    private static final int COMBINED_BYTES = 32 << 10;

    private static final int LEAST_PIECE_BYTES = 1 << 10;
    private static final int LINE_BYTES = 64;
    /** What has become of a call whose ranks do not know alike beforehand whether it can go by a board. */
    enum Outcome {
        DONE,
        /** The board is closed. */
        CLOSED,
        /** All have met, and found that it is to go by messages. */
        BY_MESSAGES
    }

    /** In place of a total number of bytes. */
    private static final long OBJECTS = -1;
    /** In place of a root where all receive. */
    static final int NO_ROOT = -1;

    private static final TypeMap BYTE = TypeMap.of(BaseType.BYTE);
    /** What MAXLOC and MINLOC combine. */
    private static final Map<BaseType, TypeMap> PAIRS = new EnumMap<>(BaseType.class);

    static {
        for (BaseType base : BaseType.values()) {
            PAIRS.put(base, TypeMap.contiguous(2, TypeMap.of(base)));
        }
    }

    private final Board board;
    private final MemorySegment memory;
    private final int size;
    private final int rank;
    private final ReentrantLock turn = new ReentrantLock();
    private final MessageBuffer out = new MessageBuffer();
    private final MessageBuffer in = new MessageBuffer();
    /** By base type: room for a vector of each rank. */
    private final Map<BaseType, Object[]> vectors = new EnumMap<>(BaseType.class);

    /** By rank, of an Alltoallv: where the block for this rank begins in what that rank posts in a row, and how long it is. */
    private final long[] blockAt;

    private final long[] blockBytes;

    private @Nullable Throwable broken;

    BoardCollectives(Board board) {
        this.board = board;
        memory = board.memory();
        size = board.size();
        rank = board.rank();
        blockAt = new long[size];
        blockBytes = new long[size];
    }

    private void begin(long what) {
        turn.lock();
        if (broken != null) {
            turn.unlock();
            throw new MpiFailure(
                    ErrorClass.OTHER,
                    board + " cannot go on: an earlier collective of this communicator has failed (" + broken + ")",
                    broken);
        }
        board.begin(what);
    }

    /** What has failed in the middle cannot go on; a thread that unwinds to be captured has not begun. */
    private void failed(Throwable cause) {
        if (!(cause instanceof CaptureSignal)) {
            broken = cause;
        }
    }

    /** The whole call went by the board. */
    private boolean done() {
        board.over();
        return true;
    }

    /** This rank leaves its process. Under the progress lock. */
    void close() {
        board.close();
    }

    private void end() {
        out.clear();
        in.clear();
        turn.unlock();
    }

    /** Where a rank posts in this step. */
    private long place(int ofRank, boolean inline) {
        return inline ? board.inline(ofRank) : board.slot(ofRank);
    }

    /**
     * Reads a part of each rank's block, the own one first, the others as they come.
     *
     * @param stores whether the receive buffer has room for them; else the others are only awaited
     * @param blockBytes from one block in the receive buffer to the next
     * @param at where the part begins in each
     * @param postedAt where it begins in what a rank has posted
     */
    private void readAll(boolean stores, long blockBytes, long at, boolean inline, long postedAt, int length) {
        for (int from = board.ownFirst(); from >= 0; from = board.nextPosted()) {
            if (stores) {
                in.write(from * blockBytes + at, memory, place(from, inline) + postedAt, length);
            }
        }
    }

    boolean barrier() {
        begin(BoardCall.of(Choosable.BARRIER, 0, 0));
        try {
            board.nextStep();
            board.post();
            if (!board.meet()) {
                return false;
            }
            board.awaitAll();
            return done();
        } catch (RuntimeException | Error e) {
            failed(e);
            throw e;
        } finally {
            end();
        }
    }

    boolean bcast(@Nullable Object array, int offset, int count, TypeMap type, int root) {
        long bytes = bytes(count, type);
        begin(BoardCall.of(Choosable.BCAST, root, bytes));
        try {
            if (rank == root) {
                out.forSend(array, offset, count, type);
            } else {
                in.forReceive(array, offset, count, type);
            }
            boolean inline = bytes <= Board.INLINE_BYTES;
            for (long at = 0; at < bytes; at += board.slotBytes()) {
                int length = (int) Math.min(board.slotBytes(), bytes - at);
                if (rank == root) {
                    board.nextStep();
                    out.read(at, memory, place(root, inline), length);
                    board.post();
                } else {
                    board.passStep();
                }
                if (!board.meet()) {
                    return false;
                }
                if (rank != root) {
                    board.awaitPost(root);
                    in.write(at, memory, place(root, inline), length);
                    board.finish();
                }
            }
            return done();
        } catch (RuntimeException | Error e) {
            failed(e);
            throw e;
        } finally {
            end();
        }
    }

    /**
     * A Gather, or an Allgather.
     *
     * @param receive looked at by who receives only, as what follows it
     * @param root {@link #NO_ROOT}: all receive
     */
    boolean gather(
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType,
            int root) {
        boolean receives = root == NO_ROOT || root == rank;
        long bytes = bytes(sendCount, sendType);
        long room = receives ? bytes(receiveCount, receiveType) : bytes;
        boolean fits = room >= bytes;
        begin(
                root == NO_ROOT
                        ? BoardCall.of(Choosable.ALLGATHER, 0, bytes)
                        : BoardCall.of(Choosable.GATHER, root, bytes));
        try {
            boolean inPlace =
                    receives && receiveOffset + (long) rank * receiveCount * receiveType.extent() == sendOffset;
            boolean isReadLate = receives && bytes > board.slotBytes() && !inPlace;
            read(send, sendOffset, sendCount, sendType, isReadLate, receive);
            if (receives) {
                in.forReceive(receive, receiveOffset, receiveCount * size, receiveType);
            }
            boolean inline = bytes <= Board.INLINE_BYTES;
            for (long at = 0; at < bytes; at += board.slotBytes()) {
                int length = (int) Math.min(board.slotBytes(), bytes - at);
                board.nextStep();
                out.read(at, memory, place(rank, inline), length);
                board.post();
                if (!board.meet()) {
                    return false;
                }
                if (receives) {
                    readAll(fits, room, at, inline, 0, length);
                }
            }
            board.over();
        } catch (RuntimeException | Error e) {
            failed(e);
            throw e;
        } finally {
            end();
        }
        if (!fits) {
            throw truncated(bytes, receiveCount, receiveType);
        }
        return true;
    }

    /** Counts and displacements are those of all ranks' blocks in the receive buffer, alike at all ranks. */
    boolean allgatherv(
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int[] receiveCounts,
            int[] displacements,
            TypeMap receiveType) {
        long bytes = bytes(sendCount, sendType);
        long longest = bytes(longest(receiveCounts, size), receiveType);
        boolean agrees = bytes == bytes(receiveCounts[rank], receiveType);
        // whoever sends another length than all expect is not in the call that the others are in
        begin(BoardCall.of(Choosable.ALLGATHERV, 0, agrees ? longest : bytes + longest));
        try {
            boolean inPlace = receiveOffset + displacements[rank] * receiveType.extent() == sendOffset;
            read(send, sendOffset, sendCount, sendType, longest > board.slotBytes() && !inPlace, receive);
            boolean inline = longest <= Board.INLINE_BYTES;
            for (long at = 0; at < longest; at += board.slotBytes()) {
                board.nextStep();
                if (at < bytes) {
                    out.read(at, memory, place(rank, inline), (int) Math.min(board.slotBytes(), bytes - at));
                }
                board.post();
                if (!board.meet()) {
                    return false;
                }
                for (int from = board.ownFirst(); from >= 0; from = board.nextPosted()) {
                    int length = (int) Math.min(board.slotBytes(), bytes(receiveCounts[from], receiveType) - at);
                    if (length > 0 && agrees) {
                        int place = receiveOffset + displacements[from] * receiveType.extent();
                        in.forReceive(receive, place, receiveCounts[from], receiveType);
                        in.write(at, memory, place(from, inline), length);
                    }
                }
                if (!agrees) {
                    throw new MpiFailure(
                            ErrorClass.COUNT,
                            "rank " + rank + " of " + board.communicator() + " sends " + bytes
                                    + " bytes, and all expect " + bytes(receiveCounts[rank], receiveType) + " of it");
                }
            }
            return done();
        } catch (RuntimeException | Error e) {
            failed(e);
            throw e;
        } finally {
            end();
        }
    }

    /** The greatest count of the ranks' blocks. */
    static int longest(int[] counts, int size) {
        int longest = 0;
        for (int each = 0; each < size; each++) {
            longest = Math.max(longest, counts[each]);
        }
        return longest;
    }

    boolean alltoall(
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType) {
        long bytes = bytes(sendCount, sendType);
        long room = bytes(receiveCount, receiveType);
        boolean fits = room >= bytes;
        begin(BoardCall.of(Choosable.ALLTOALL, 0, bytes));
        try {
            boolean inline = bytes * size <= Board.INLINE_BYTES;
            int most = board.slotBytes() / size & -LINE_BYTES;
            read(send, sendOffset, sendCount * size, sendType, bytes > most, receive);
            in.forReceive(receive, receiveOffset, receiveCount * size, receiveType);
            for (long at = 0; at < bytes; at += most) {
                int length = (int) Math.min(most, bytes - at);
                int stride = inline ? length : most;
                board.nextStep();
                long own = place(rank, inline);
                for (int to = 0; to < size; to++) {
                    out.read(to * bytes + at, memory, own + (long) to * stride, length);
                }
                board.post();
                if (!board.meet()) {
                    return false;
                }
                readAll(fits, room, at, inline, (long) rank * stride, length);
            }
            board.over();
        } catch (RuntimeException | Error e) {
            failed(e);
            throw e;
        } finally {
            end();
        }
        if (!fits) {
            throw truncated(bytes, receiveCount, receiveType);
        }
        return true;
    }

    /** Displacements count items. A block that is shorter than its room is no error. */
    @SuppressWarnings("ReferenceEquality") // the question is whether it is one array
    Outcome alltoallv(
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
        int headBytes = Long.BYTES * (size + 1) + LINE_BYTES - 1 & -LINE_BYTES;
        int most = board.slotBytes() - headBytes;
        if (most < LINE_BYTES) {
            return Outcome.BY_MESSAGES;
        }
        MpiFailure truncated = null;
        begin(BoardCall.of(Choosable.ALLTOALLV, 0, 0));
        try {
            boolean objects = sendType.base() == BaseType.OBJECT || receiveType.base() == BaseType.OBJECT;
            long own = 0;
            for (int to = 0; to < size && !objects; to++) {
                own += bytes(sendCounts[to], sendType);
            }
            boolean isPacked = send == receive && own > most;
            if (isPacked) {
                byte[] apart = new byte[Math.toIntExact(own)];
                inARow(
                        send,
                        sendOffset,
                        sendCounts,
                        sendDisplacements,
                        sendType,
                        0,
                        MemorySegment.ofArray(apart),
                        0,
                        apart.length);
                out.forSend(apart, 0, apart.length, BYTE);
            }
            long longest = 0;
            boolean fits = true;
            for (long at = 0; at == 0 || at < longest; at += most) {
                board.nextStep();
                long slot = board.slot(rank);
                int length = Math.clamp(own - at, 0, most);
                if (isPacked && length > 0) {
                    out.read(at, memory, slot + headBytes, length);
                } else {
                    inARow(
                            send,
                            sendOffset,
                            sendCounts,
                            sendDisplacements,
                            sendType,
                            at,
                            memory,
                            slot + headBytes,
                            length);
                }
                if (at == 0) {
                    memory.set(ValueLayout.JAVA_LONG, slot, objects ? OBJECTS : own);
                    for (int to = 0; to < size && !objects; to++) {
                        memory.set(
                                ValueLayout.JAVA_LONG, slot + Long.BYTES * (to + 1L), bytes(sendCounts[to], sendType));
                    }
                }
                board.post();
                if (!board.meet()) {
                    return Outcome.CLOSED;
                }
                if (at == 0) {
                    board.awaitAll();
                    longest = heads();
                    if (longest == OBJECTS) {
                        board.over();
                        return Outcome.BY_MESSAGES;
                    }
                }
                for (int from = board.ownFirst(); from >= 0; from = board.nextPosted()) {
                    long room = bytes(receiveCounts[from], receiveType);
                    long first = Math.max(at, blockAt[from]);
                    int some = (int) Math.max(0, Math.min(at + most, blockAt[from] + blockBytes[from]) - first);
                    if (some > 0 && blockBytes[from] <= room) {
                        int place = receiveOffset + receiveDisplacements[from] * receiveType.extent();
                        in.forReceive(receive, place, receiveCounts[from], receiveType);
                        in.write(first - blockAt[from], memory, board.slot(from) + headBytes + first - at, some);
                    }
                    fits &= blockBytes[from] <= room;
                }
            }
            board.over();
            if (!fits) {
                truncated = new MpiFailure(
                        ErrorClass.TRUNCATE,
                        "message truncated: a rank of " + board.communicator()
                                + " sends more than the receive buffer has room for; blocks sent, in bytes, by rank: "
                                + Arrays.toString(blockBytes) + ", received: "
                                + Arrays.toString(Arrays.copyOf(receiveCounts, size)) + " items of " + receiveType);
            }
        } catch (RuntimeException | Error e) {
            failed(e);
            throw e;
        } finally {
            end();
        }
        // the others have been served: the board goes on
        if (truncated != null) {
            throw truncated;
        }
        return Outcome.DONE;
    }

    /** A part of the blocks for all ranks in a row, the one for this rank first, then for the next one, and so on around. */
    private void inARow(
            @Nullable Object send,
            int offset,
            int[] counts,
            int[] displacements,
            TypeMap type,
            long from,
            MemorySegment target,
            long targetOffset,
            int length) {
        long blockBegin = 0;
        long end = from + length;
        for (int step = 0; step < size && blockBegin < end; step++) {
            int to = (rank + step) % size;
            long blockEnd = blockBegin + bytes(counts[to], type);
            long first = Math.max(from, blockBegin);
            int some = (int) Math.max(0, Math.min(end, blockEnd) - first);
            if (some > 0) {
                out.forSend(send, offset + displacements[to] * type.extent(), counts[to], type);
                out.read(first - blockBegin, target, targetOffset + first - from, some);
            }
            blockBegin = blockEnd;
        }
    }

    /** Reads what all have posted of their blocks; the longest row of blocks, or {@link #OBJECTS} if a rank has some. */
    private long heads() {
        long longest = 0;
        boolean objects = false;
        for (int from = 0; from < size; from++) {
            long slot = board.slot(from);
            long total = memory.get(ValueLayout.JAVA_LONG, slot);
            objects |= total == OBJECTS;
            longest = Math.max(longest, total);
            long begin = 0;
            for (int to = from; to != rank && total != OBJECTS; to = (to + 1) % size) {
                begin += memory.get(ValueLayout.JAVA_LONG, slot + Long.BYTES * (to + 1L));
            }
            blockAt[from] = begin;
            blockBytes[from] = memory.get(ValueLayout.JAVA_LONG, slot + Long.BYTES * (rank + 1L));
        }
        return objects ? OBJECTS : longest;
    }

    /**
     * A Reduce, or an Allreduce, of contiguous types only. What is combined is elements, or pairs: an item of a long datatype may be
     * longer than a slot, which holds whole items.
     *
     * @param given where the result goes, looked at by who gets it only
     * @param root {@link #NO_ROOT}: all get the result
     */
    @SuppressWarnings("ReferenceEquality") // the question is whether it is one array
    boolean reduce(
            Object send,
            int sendOffset,
            @Nullable Object given,
            int receiveOffset,
            int givenCount,
            TypeMap givenType,
            PredefinedOp op,
            int root) {
        Object receive = root == NO_ROOT || root == rank ? given : null;
        TypeMap type = combinedType(givenType, op);
        int count = Math.toIntExact((long) givenCount * givenType.size() / type.size());
        long bytes = bytes(count, type);
        begin(
                root == NO_ROOT
                        ? BoardCall.of(Choosable.ALLREDUCE, 0, bytes)
                        : BoardCall.of(Choosable.REDUCE, root, bytes));
        try {
            boolean met;
            if (bytes <= Math.min(SHARES_FROM_BYTES, board.slotBytes())) {
                met = combineAll(root, send, sendOffset, receive, receiveOffset, count, type, op);
            } else if (send == receive && sendOffset != receiveOffset) {
                int elements = count * type.size();
                Object apart = Array.newInstance(send.getClass().getComponentType(), elements);
                System.arraycopy(send, sendOffset, apart, 0, elements);
                met = combineShares(root, apart, 0, receive, receiveOffset, count, type, op);
            } else {
                met = combineShares(root, send, sendOffset, receive, receiveOffset, count, type, op);
            }
            return met && done();
        } catch (RuntimeException | Error e) {
            failed(e);
            throw e;
        } finally {
            end();
        }
    }

    private static TypeMap combinedType(TypeMap givenType, PredefinedOp op) {
        TypeMap element = TypeMap.of(givenType.base());
        return op.takes(element) ? element : PAIRS.getOrDefault(givenType.base(), givenType);
    }

    /**
     * A Reduce_scatter of contiguous types only; what is combined is as in {@link #reduce}.
     *
     * @param givenCounts of each rank's block, alike at all ranks
     * @param around whether the bits are those of {@link ReduceScatterPairwise}, else of {@link ReduceScatterByReduce}
     */
    @SuppressWarnings("ReferenceEquality") // the question is whether it is one array
    boolean reduceScatter(
            Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int[] givenCounts,
            TypeMap givenType,
            PredefinedOp op,
            boolean around) {
        TypeMap type = combinedType(givenType, op);
        BaseType base = type.base();
        int blockElements = givenType.size();
        int total = 0;
        int ownFirst = 0;
        for (int each = 0; each < size; each++) {
            ownFirst = each == rank ? total : ownFirst;
            total += givenCounts[each] * blockElements;
        }
        int ownElements = givenCounts[rank] * blockElements;
        int longest = longest(givenCounts, size) * blockElements;
        // of each block in one step
        int most = (board.slotBytes() / size & -LINE_BYTES) / base.sizeBytes();
        begin(BoardCall.of(Choosable.REDUCE_SCATTER, 0, (long) total * base.sizeBytes()));
        try {
            Object from = send;
            int fromOffset = sendOffset;
            if (send == receive && longest > most) {
                from = Array.newInstance(send.getClass().getComponentType(), total);
                fromOffset = 0;
                System.arraycopy(send, sendOffset, from, 0, total);
            }
            for (int at = 0; at < longest; at += most) {
                board.nextStep();
                int first = fromOffset + at;
                for (int to = 0; to < size; to++) {
                    int blockAt = givenCounts[to] * blockElements;
                    int elements = Math.min(most, blockAt - at);
                    if (to != rank && elements > 0) {
                        long place = board.slot(rank) + (long) to * most * base.sizeBytes();
                        ArrayCodec.toBytes(base, from, first, memory, place, elements);
                    }
                    first += blockAt;
                }
                board.post();
                if (!board.meet()) {
                    return false;
                }
                board.awaitAll();
                if (receive != null && at < ownElements) {
                    int elements = Math.min(most, ownElements - at);
                    long place = (long) rank * most * base.sizeBytes();
                    combineBlock(
                            from,
                            fromOffset + ownFirst + at,
                            receive,
                            receiveOffset + at,
                            place,
                            elements,
                            type,
                            op,
                            around);
                }
            }
            return done();
        } catch (RuntimeException | Error e) {
            failed(e);
            throw e;
        } finally {
            end();
        }
    }

    /**
     * A part of this rank's block, piece by piece.
     *
     * @param place where it lies in the slots of all
     */
    private void combineBlock(
            Object send,
            int sendAt,
            Object receive,
            int receiveAt,
            long place,
            int elements,
            TypeMap type,
            PredefinedOp op,
            boolean around) {
        BaseType base = type.base();
        int pieceBytes = Math.max(LEAST_PIECE_BYTES, COMBINED_BYTES / size & -LINE_BYTES);
        int pieceElements = Math.min(elements, pieceBytes / base.sizeBytes());
        Object[] all = vectors(base, pieceElements);
        for (int at = 0; at < elements; at += pieceElements) {
            int length = Math.min(pieceElements, elements - at);
            for (int each = 0; each < size; each++) {
                if (each == rank) {
                    System.arraycopy(send, sendAt + at, all[each], 0, length);
                } else {
                    long from = board.slot(each) + place + (long) at * base.sizeBytes();
                    ArrayCodec.fromBytes(base, memory, from, all[each], 0, length);
                }
            }
            Object result;
            if (around) {
                CombinationOrder.combineAround(all, rank, length / type.size(), type, op);
                result = all[rank];
            } else {
                result = combined(0, all, length / type.size(), type, op);
            }
            System.arraycopy(result, 0, receive, receiveAt + at, length);
        }
    }

    /** The vectors of all, combined; the result is one of them. */
    private static Object combined(int root, Object[] all, int count, TypeMap type, PredefinedOp op) {
        if (root == NO_ROOT) {
            CombinationOrder.combine(all, count, type, op);
            return all[all.length - 1];
        }
        CombinationOrder.combineBlocks(all, count, type, op);
        return all[0];
    }

    private boolean combineAll(
            int root,
            Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int count,
            TypeMap type,
            PredefinedOp op) {
        BaseType base = type.base();
        int elements = count * type.size();
        boolean inline = elements * base.sizeBytes() <= Board.INLINE_BYTES;
        if (rank == root) {
            board.passStep();
        } else {
            board.nextStep();
            ArrayCodec.toBytes(base, send, sendOffset, memory, place(rank, inline), elements);
            board.post();
        }
        if (!board.meet()) {
            return false;
        }
        if (receive == null) {
            return true;
        }
        board.awaitAll();
        Object[] all = vectors(base, elements);
        for (int each = 0; each < size; each++) {
            if (each == rank) {
                System.arraycopy(send, sendOffset, all[each], 0, elements);
            } else {
                long from = place(each, inline);
                ArrayCodec.fromBytes(base, memory, from, all[each], 0, elements);
            }
        }
        if (rank == root) {
            board.finish();
        }
        System.arraycopy(combined(root, all, count, type, op), 0, receive, receiveOffset, elements);
        return true;
    }

    private boolean combineShares(
            int root,
            Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int count,
            TypeMap type,
            PredefinedOp op) {
        BaseType base = type.base();
        int itemElements = type.size();
        int itemBytes = itemElements * base.sizeBytes();
        int chunkItems = board.slotBytes() / itemBytes;
        for (int first = 0; first < count; first += chunkItems) {
            int items = Math.min(chunkItems, count - first);
            int sendAt = sendOffset + first * itemElements;
            int receiveAt = receiveOffset + first * itemElements;
            int begin = share(items, rank);
            int end = share(items, rank + 1);
            board.nextStep();
            long slot = board.slot(rank);
            ArrayCodec.toBytes(base, send, sendAt, memory, slot, begin * itemElements);
            ArrayCodec.toBytes(
                    base,
                    send,
                    sendAt + end * itemElements,
                    memory,
                    slot + (long) end * itemBytes,
                    (items - end) * itemElements);
            board.post();
            if (!board.meet()) {
                return false;
            }
            board.awaitAll();
            board.nextStep();
            combineShare(root, send, sendAt, receive, receiveAt, begin, end, type, op);
            board.post();
            if (receive == null) {
                continue;
            }
            for (int from = board.ownFirst(); from >= 0; from = board.nextPosted()) {
                if (from == rank) {
                    continue;
                }
                int theirs = share(items, from);
                ArrayCodec.fromBytes(
                        base,
                        memory,
                        board.slot(from) + (long) theirs * itemBytes,
                        receive,
                        receiveAt + theirs * itemElements,
                        (share(items, from + 1) - theirs) * itemElements);
            }
        }
        return true;
    }

    /** Items from begin to end − 1 of what was posted in the step before: to who wants them, the receive buffer or the slot of this step. */
    private void combineShare(
            int root,
            Object send,
            int sendAt,
            @Nullable Object receive,
            int receiveAt,
            int begin,
            int end,
            TypeMap type,
            PredefinedOp op) {
        BaseType base = type.base();
        int itemElements = type.size();
        int itemBytes = itemElements * base.sizeBytes();
        int pieceItems = Math.max(1, Math.max(LEAST_PIECE_BYTES, COMBINED_BYTES / size) / itemBytes);
        Object[] all = vectors(base, pieceItems * itemElements);
        for (int at = begin; at < end; at += pieceItems) {
            int items = Math.min(pieceItems, end - at);
            int elements = items * itemElements;
            for (int each = 0; each < size; each++) {
                if (each == rank) {
                    System.arraycopy(send, sendAt + at * itemElements, all[each], 0, elements);
                } else {
                    ArrayCodec.fromBytes(
                            base, memory, board.slotBefore(each) + (long) at * itemBytes, all[each], 0, elements);
                }
            }
            Object result = combined(root, all, items, type, op);
            if (receive != null) {
                System.arraycopy(result, 0, receive, receiveAt + at * itemElements, elements);
            }
            if (rank != root) {
                ArrayCodec.toBytes(base, result, 0, memory, board.slot(rank) + (long) at * itemBytes, elements);
            }
        }
    }

    /** The first item of a rank's share. */
    private int share(int items, int ofRank) {
        return (int) ((long) items * ofRank / size);
    }

    /** The failure of a rank with too little room, which has served the others: the board goes on. */
    private MpiFailure truncated(long bytes, int receiveCount, TypeMap receiveType) {
        return new MpiFailure(
                ErrorClass.TRUNCATE,
                "message truncated: each rank of " + board.communicator() + " sends " + bytes
                        + " bytes, the receive buffer has room for " + bytes(receiveCount, receiveType)
                        + " from each (" + receiveCount + " items of " + receiveType + ")");
    }

    private static long bytes(int count, TypeMap type) {
        return (long) count * type.size() * type.base().sizeBytes();
    }

    /**
     * Takes what is to be posted.
     *
     * @param late whether some of it is read after something was stored in the receive buffer
     */
    @SuppressWarnings("ReferenceEquality") // the question is whether it is one array
    private void read(
            @Nullable Object send, int offset, int count, TypeMap type, boolean late, @Nullable Object receive) {
        out.forSend(send, offset, count, type);
        if (late && send == receive) {
            byte[] apart = new byte[Math.toIntExact(out.messageBytes())];
            out.read(0, MemorySegment.ofArray(apart), 0, apart.length);
            out.forSend(apart, 0, apart.length, BYTE);
        }
    }

    private Object[] vectors(BaseType base, int elements) {
        Object[] room = vectors.get(base);
        if (room == null || Array.getLength(room[0]) < elements) {
            room = new Object[size];
            for (int each = 0; each < size; each++) {
                room[each] = Array.newInstance(base.arrayClass().getComponentType(), elements);
            }
            vectors.put(base, room);
        }
        return room;
    }
}
