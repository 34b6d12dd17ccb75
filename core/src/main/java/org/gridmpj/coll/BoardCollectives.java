package org.gridmpj.coll;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
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
 *   Allgather   the same, and all read
 *   Alltoall    post a chunk of each block, read what is for this rank
 *   Allreduce   short: post the vector, combine all of them
 *               long, chunk by chunk: post, combine the own share of all, post that, read the others'
 *   Reduce      short: post the vector, the root combines all of them
 *               long: as Allreduce, but only the root reads the shares
 * </pre>
 *
 * An Allreduce has the bits of recursive doubling, a Reduce those of a binomial tree ({@link CombinationOrder}). Arguments are those of {@link Collectives}.
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

    private @Nullable Throwable broken;

    BoardCollectives(Board board) {
        this.board = board;
        memory = board.memory();
        size = board.size();
        rank = board.rank();
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
        long left = board.others();
        int from = rank;
        while (true) {
            if (stores) {
                in.write(from * blockBytes + at, memory, place(from, inline) + postedAt, length);
            }
            if (left == 0) {
                break;
            }
            from = board.awaitAny(left);
            left &= ~(1L << from);
        }
        board.sawAll();
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
        TypeMap element = TypeMap.of(givenType.base());
        TypeMap type = op.takes(element) ? element : PAIRS.getOrDefault(givenType.base(), givenType);
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
            for (long left = board.others(); left != 0; ) {
                int from = board.awaitAny(left);
                left &= ~(1L << from);
                int theirs = share(items, from);
                ArrayCodec.fromBytes(
                        base,
                        memory,
                        board.slot(from) + (long) theirs * itemBytes,
                        receive,
                        receiveAt + theirs * itemElements,
                        (share(items, from + 1) - theirs) * itemElements);
            }
            board.sawAll();
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
