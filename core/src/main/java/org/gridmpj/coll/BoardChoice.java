package org.gridmpj.coll;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.BesideChannels;
import org.gridmpj.pt2pt.CallJournal;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.transport.HostMemory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which blocking calls of a communicator go by a {@link Board}, and the making of it. All ranks of a call must decide alike:
 * by what they all know of job, communicator and call, by votes, and by whether the board is closed.
 *
 * <pre>
 *   no rank goes back alone, the transport shares memory, all ranks began on one host, the table says so
 *      ─▶ for the 8th time: rank 0 creates memory ─ Bcast ─▶ all map it ─ Allreduce ─▶ all could: a board
 *            ▲                                                                      one could not: never
 *            └── a rank has left its process, or all go on from an image: the board is lost, this call goes by messages
 * </pre>
 *
 * <p>What is here is plain data, part of an image with its communicator, which refers to it; the board is the process's own. A call that is entered again
 * finds in its journal that it began with a vote, or went by messages; else it had not begun.
 *
 * <p>Confined to the thread that is in a collective of the communicator.
 */
final class BoardChoice {
    private static final Logger LOG = LoggerFactory.getLogger(BoardChoice.class);

    private static final TypeMap LONG = TypeMap.of(BaseType.LONG);

    /** Votes; the least one of all ranks decides. */
    private static final long CANNOT = 0;
    /** This rank goes on from an image in which the vote had begun. */
    private static final long NOT_NOW = 1;

    private static final long CAN = 2;

    /** One vote, as the journal of its call has it. */
    private static final class Vote {
        /** The last number is that of the board itself: another process may be at the place where an image says that it is. */
        final long[] place = new long[HostMemory.PLACE_NUMBERS + 1];

        final long[] ballot = new long[1];
        boolean isCast;
        boolean isCounted;
    }

    /** Memory of this process, and the board when all have it. */
    private static final class Held implements BesideChannels.Shared {
        private final HostMemory.@Nullable Created created;
        private @Nullable BoardCollectives board;

        Held(HostMemory.@Nullable Created created) {
            this.created = created;
        }

        @Override
        public void close() {
            if (board != null) {
                board.close();
            }
        }
    }

    private final Communicator communicator;
    /** Null for the job's, which is no part of an image. */
    private final @Nullable SelectionTable table;
    /** By the code of the operation: the bytes of the call that was asked about last, and the answer. */
    private final long[] askedBytes = new long[Choosable.values().length + 1];

    private final boolean[] answers = new boolean[askedBytes.length];
    private int wanted;
    private boolean isMade;
    private boolean isRefused;

    private BoardChoice(Communicator communicator, @Nullable SelectionTable table) {
        this.communicator = communicator;
        this.table = table;
        Arrays.fill(askedBytes, -1);
    }

    /** Null where no call can go by a board. */
    static @Nullable BoardChoice of(Communicator communicator, @Nullable SelectionTable table) {
        int size = communicator.size();
        boolean possible = !communicator.isInter()
                && size > 1
                && size <= Board.MOST_RANKS
                && communicator.pointToPoint().besideChannels().memory() != null
                && communicator.placement().hosts() == 1;
        if (!possible) {
            return null;
        }
        // an image has communicators, but not what the facade's constants hold: whoever asks must get what there was
        if (communicator.collectiveState() instanceof BoardChoice known && known.isBy(table)) {
            return known;
        }
        BoardChoice made = new BoardChoice(communicator, table);
        communicator.setCollectiveState(made);
        return made;
    }

    @SuppressWarnings("ReferenceEquality") // a table is itself only
    private boolean isBy(@Nullable SelectionTable other) {
        return table == other;
    }

    private BesideChannels beside() {
        return communicator.pointToPoint().besideChannels();
    }

    /**
     * What a call goes by, or null: by messages. Bytes are those of the {@link SelectionTable}.
     *
     * @param journal that of the program's call, if it may be captured
     */
    @Nullable
    BoardCollectives of(@Nullable CallJournal journal, Choosable operation, long bytes, boolean objects) {
        if (journal != null && journal.hasMore()) {
            return journal.next() instanceof Vote ? vote(journal) : null;
        }
        // a call of no bytes has no step in which it could be found that the board is closed
        boolean isEmpty = bytes == 0 && operation != Choosable.BARRIER && operation != Choosable.ALLTOALLV;
        if (isRefused
                || objects
                || isEmpty
                || (journal != null && !journal.isOutermost())
                || !takes(operation, bytes)) {
            return null;
        }
        if (isMade) {
            return board();
        }
        return ++wanted < beside().patience() ? null : vote(journal);
    }

    /** As {@link #of} for a reduction. */
    @Nullable
    BoardReductions ofReduction(
            @Nullable CallJournal journal, Choosable operation, long bytes, TypeMap type, PredefinedOp op) {
        BoardCollectives board = type.isContiguous() && op.takes(type) ? of(journal, operation, bytes, false) : null;
        return board == null ? null : board.reductions();
    }

    private boolean takes(Choosable operation, long bytes) {
        int which = operation.code();
        if (askedBytes[which] != bytes) {
            askedBytes[which] = bytes;
            SelectionTable lines = table == null ? SelectionTable.ofJob() : table;
            answers[which] = lines.takesSegment(operation, communicator.size(), bytes, beside().isCut());
        }
        return answers[which];
    }

    /** The board that was made; null if it is another process's. */
    private @Nullable BoardCollectives board() {
        BoardCollectives board = beside().shared(this) instanceof Held held ? held.board : null;
        if (board == null) {
            lost();
        }
        return board;
    }

    /** The board is closed, or was another process's: all ranks find so in the same call. */
    void lost() {
        isMade = false;
        wanted = 0;
        beside().forget(this);
    }

    private @Nullable BoardCollectives vote(@Nullable CallJournal journal) {
        PointToPoint pointToPoint = communicator.pointToPoint();
        Collectives channels = Collectives.of(communicator);
        Vote vote = pointToPoint.keep(this::begin);
        pointToPoint.await(channels.bcast(vote.place, 0, vote.place.length, LONG, 0));
        if (!vote.isCast) {
            vote.isCast = true;
            vote.ballot[0] = ballot(vote.place);
        }
        pointToPoint.await(channels.allreduce(vote.ballot, 0, vote.ballot, 0, 1, LONG, PredefinedOp.MIN));
        if (!vote.isCounted) {
            vote.isCounted = true;
            count(vote.ballot[0]);
        }
        // a call that has met and goes on by messages does so; whether the board is lost is for the next call, at all
        // ranks alike
        boolean goesByMessages = journal != null && journal.hasMore();
        return isMade && !goesByMessages ? board() : null;
    }

    private Vote begin() {
        Vote vote = new Vote();
        HostMemory host = beside().memory();
        HostMemory.Created created = communicator.rank() == 0 && host != null ? create(host) : null;
        if (created != null) {
            System.arraycopy(created.place(), 0, vote.place, 0, HostMemory.PLACE_NUMBERS);
            vote.place[HostMemory.PLACE_NUMBERS] = Board.name(created.memory());
        }
        beside().share(this, new Held(created));
        return vote;
    }

    private long ballot(long[] place) {
        if (!(beside().shared(this) instanceof Held held)) {
            return NOT_NOW;
        }
        HostMemory host = beside().memory();
        MemorySegment memory = held.created != null ? held.created.memory() : host == null ? null : attach(host, place);
        if (memory == null || !areAllAtHand()) {
            return CANNOT;
        }
        held.board = new BoardCollectives(new Board(communicator, memory));
        return CAN;
    }

    private void count(long least) {
        if (beside().shared(this) instanceof Held held && held.created != null) {
            held.created.hide();
        }
        if (least == CAN) {
            isMade = true;
        } else {
            lost();
            isRefused = least == CANNOT;
        }
    }

    private HostMemory.@Nullable Created create(HostMemory host) {
        try {
            return host.create(Board.bytes(communicator.size(), beside()));
        } catch (IOException | RuntimeException e) {
            LOG.info("{} has no shared memory for its collectives: {}", communicator, e.toString());
            return null;
        }
    }

    private @Nullable MemorySegment attach(HostMemory host, long[] place) {
        try {
            MemorySegment memory = host.attach(Arrays.copyOf(place, HostMemory.PLACE_NUMBERS));
            return Board.hasName(memory, place[HostMemory.PLACE_NUMBERS]) ? memory : null;
        } catch (IOException | RuntimeException e) {
            LOG.info("{} has no shared memory for its collectives: {}", communicator, e.toString());
            return null;
        }
    }

    private boolean areAllAtHand() {
        for (int rank = 0; rank < communicator.size(); rank++) {
            if (rank != communicator.rank()
                    && !beside().isAtHand(communicator.group().worldRank(rank))) {
                return false;
            }
        }
        return true;
    }
}
