package org.gridmpj.coll;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.MessageBuffer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
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
 * </pre>
 *
 * What combines something is {@link BoardReductions}. Arguments are those of {@link Collectives}.
 *
 * <p>Each says whether it is done; if not, the board is closed, nothing has happened, and the call is to go by messages.
 *
 * <p>One call at a time: {@link BoardTurn}.
 */
final class BoardCollectives {
    /** Blocks in a slot begin at a line of the cache. */
    static final int LINE_BYTES = 64;

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

    private final Board board;
    private final MemorySegment memory;
    private final int size;
    private final int rank;
    private final BoardTurn turn;
    private final BoardReductions reductions;
    private final MessageBuffer out = new MessageBuffer();
    private final MessageBuffer in = new MessageBuffer();
    /** By rank, of an Alltoallv: where the block for this rank begins in what that rank posts in a row, and how long it is. */
    private final long[] blockAt;

    private final long[] blockBytes;

    BoardCollectives(Board board) {
        this.board = board;
        memory = board.memory();
        size = board.size();
        rank = board.rank();
        turn = new BoardTurn(board);
        reductions = new BoardReductions(board, turn);
        blockAt = new long[size];
        blockBytes = new long[size];
    }

    /** Those that combine something. */
    BoardReductions reductions() {
        return reductions;
    }

    /** This rank leaves its process. Under the progress lock. */
    void close() {
        board.close();
    }

    private void end() {
        out.clear();
        in.clear();
        turn.end();
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
                in.write(from * blockBytes + at, memory, board.place(from, inline) + postedAt, length);
            }
        }
    }

    boolean barrier() {
        turn.begin(BoardCall.of(Choosable.BARRIER, 0, 0));
        try {
            board.nextStep();
            board.post();
            if (!board.meet()) {
                return false;
            }
            board.awaitAll();
            return turn.done();
        } catch (RuntimeException | Error e) {
            turn.failed(e);
            throw e;
        } finally {
            end();
        }
    }

    boolean bcast(@Nullable Object array, int offset, int count, TypeMap type, int root) {
        long bytes = bytes(count, type);
        turn.begin(BoardCall.of(Choosable.BCAST, root, bytes));
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
                    out.read(at, memory, board.place(root, inline), length);
                    board.post();
                } else {
                    board.passStep();
                }
                if (!board.meet()) {
                    return false;
                }
                if (rank != root) {
                    board.awaitPost(root);
                    in.write(at, memory, board.place(root, inline), length);
                    board.finish();
                }
            }
            return turn.done();
        } catch (RuntimeException | Error e) {
            turn.failed(e);
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
        turn.begin(
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
                out.read(at, memory, board.place(rank, inline), length);
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
            turn.failed(e);
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
        turn.begin(BoardCall.of(Choosable.ALLGATHERV, 0, agrees ? longest : bytes + longest));
        try {
            boolean inPlace = receiveOffset + displacements[rank] * receiveType.extent() == sendOffset;
            read(send, sendOffset, sendCount, sendType, longest > board.slotBytes() && !inPlace, receive);
            boolean inline = longest <= Board.INLINE_BYTES;
            for (long at = 0; at < longest; at += board.slotBytes()) {
                board.nextStep();
                if (at < bytes) {
                    out.read(at, memory, board.place(rank, inline), (int) Math.min(board.slotBytes(), bytes - at));
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
                        in.write(at, memory, board.place(from, inline), length);
                    }
                }
                if (!agrees) {
                    throw new MpiFailure(
                            ErrorClass.COUNT,
                            "rank " + rank + " of " + board.communicator() + " sends " + bytes
                                    + " bytes, and all expect " + bytes(receiveCounts[rank], receiveType) + " of it");
                }
            }
            return turn.done();
        } catch (RuntimeException | Error e) {
            turn.failed(e);
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
        turn.begin(BoardCall.of(Choosable.ALLTOALL, 0, bytes));
        try {
            boolean inline = bytes * size <= Board.INLINE_BYTES;
            int most = board.slotBytes() / size & -LINE_BYTES;
            read(send, sendOffset, sendCount * size, sendType, bytes > most, receive);
            in.forReceive(receive, receiveOffset, receiveCount * size, receiveType);
            for (long at = 0; at < bytes; at += most) {
                int length = (int) Math.min(most, bytes - at);
                int stride = inline ? length : most;
                board.nextStep();
                long own = board.place(rank, inline);
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
            turn.failed(e);
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
        turn.begin(BoardCall.of(Choosable.ALLTOALLV, 0, 0));
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
            turn.failed(e);
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

    /** The failure of a rank with too little room, which has served the others: the board goes on. */
    private MpiFailure truncated(long bytes, int receiveCount, TypeMap receiveType) {
        return new MpiFailure(
                ErrorClass.TRUNCATE,
                "message truncated: each rank of " + board.communicator() + " sends " + bytes
                        + " bytes, the receive buffer has room for " + bytes(receiveCount, receiveType)
                        + " from each (" + receiveCount + " items of " + receiveType + ")");
    }

    /** Length of so many items. */
    static long bytes(int count, TypeMap type) {
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
}
