package org.gridmpj.coll;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.EnumMap;
import java.util.Map;
import org.gridmpj.datatype.ArrayCodec;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.jspecify.annotations.Nullable;

/**
 * Blocking reductions of primitives on a {@link Board}.
 *
 * <pre>
 *   Allreduce   short: post the vector, combine all of them
 *               long, chunk by chunk: post, combine the own share of all, post that, read the others'
 *   Reduce      short: post the vector, the root combines all of them
 *               long: as Allreduce, but only the root reads the shares
 *   Reduce_scatter  post a chunk of each block, combine the own block of all
 * </pre>
 *
 * An Allreduce has the bits of recursive doubling, a Reduce those of a binomial tree, a Reduce_scatter those of what the table takes for
 * messages ({@link CombinationOrder}). For the rest as {@link BoardCollectives}.
 */
final class BoardReductions {
    /** From here on each rank combines a share, which takes a step more. */
    private static final int SHARES_FROM_BYTES = 8 << 10;
    /** What is combined at a time, of all ranks together, stays in the first-level cache. */
    private static final int COMBINED_BYTES = 32 << 10;

    private static final int LEAST_PIECE_BYTES = 1 << 10;
    private static final int LINE_BYTES = BoardCollectives.LINE_BYTES;
    private static final int NO_ROOT = BoardCollectives.NO_ROOT;
    /** What MAXLOC and MINLOC combine. */
    private static final Map<BaseType, TypeMap> PAIRS = new EnumMap<>(BaseType.class);

    static {
        for (BaseType base : BaseType.values()) {
            PAIRS.put(base, TypeMap.contiguous(2, TypeMap.of(base)));
        }
    }

    private final Board board;
    private final BoardTurn turn;
    private final MemorySegment memory;
    private final int size;
    private final int rank;
    /** By base type: room for a vector of each rank. */
    private final Map<BaseType, Object[]> vectors = new EnumMap<>(BaseType.class);

    BoardReductions(Board board, BoardTurn turn) {
        this.board = board;
        this.turn = turn;
        memory = board.memory();
        size = board.size();
        rank = board.rank();
    }

    /**
     * A Reduce, or an Allreduce, of contiguous types only. What is combined is elements, or pairs: an item of a long datatype may be
     * longer than a slot, which holds whole items.
     *
     * @param given where the result goes, looked at by who gets it only
     * @param root {@link BoardCollectives#NO_ROOT}: all get the result
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
        long bytes = BoardCollectives.bytes(count, type);
        turn.begin(
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
            return met && turn.done();
        } catch (RuntimeException | Error e) {
            turn.failed(e);
            throw e;
        } finally {
            turn.end();
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
        int longest = BoardCollectives.longest(givenCounts, size) * blockElements;
        // of each block in one step
        int most = (board.slotBytes() / size & -LINE_BYTES) / base.sizeBytes();
        turn.begin(BoardCall.of(Choosable.REDUCE_SCATTER, 0, (long) total * base.sizeBytes()));
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
            return turn.done();
        } catch (RuntimeException | Error e) {
            turn.failed(e);
            throw e;
        } finally {
            turn.end();
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
                long from = board.slot(each) + place + (long) at * base.sizeBytes();
                take(base, each, send, sendAt + at, from, all[each], length);
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

    /** A rank's vector: this rank's own from what it sends, another one's from where it was posted. */
    private void take(BaseType base, int ofRank, Object send, int sendAt, long from, Object vector, int elements) {
        if (ofRank == rank) {
            System.arraycopy(send, sendAt, vector, 0, elements);
        } else {
            ArrayCodec.fromBytes(base, memory, from, vector, 0, elements);
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
            ArrayCodec.toBytes(base, send, sendOffset, memory, board.place(rank, inline), elements);
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
            take(base, each, send, sendOffset, board.place(each, inline), all[each], elements);
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
                long from = board.slotBefore(each) + (long) at * itemBytes;
                take(base, each, send, sendAt + at * itemElements, from, all[each], elements);
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
