package org.gridmpj.coll;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.EnumMap;
import java.util.Map;
import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.transport.HostMemory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which blocking calls of a communicator go by a {@link Board}, and the making of it. All ranks of a call must decide alike:
 * by what they all know of job, communicator and call, and by a vote.
 *
 * <pre>
 *   the job has no snapshots, the transport shares memory, all ranks are on one host, the table says so
 *      ─▶ for the {@value #PATIENCE}th time: rank 0 creates memory ─ Bcast ─▶ all map it ─ Allreduce ─▶ all could: a board
 *                                                                                               one could not: never
 * </pre>
 *
 * Confined to the thread that is in a collective of the communicator.
 */
final class BoardChoice {
    private static final Logger LOG = LoggerFactory.getLogger(BoardChoice.class);

    /** A communicator that is used a few times only does not pay for memory of its own. */
    private static final int PATIENCE = 8;

    private static final TypeMap LONG = TypeMap.of(BaseType.LONG);

    /** The bytes of the call of an operation that was asked about last, and the answer. */
    private static final class Answer {
        long bytes = -1;
        boolean segment;
    }

    private final Communicator communicator;
    private final SelectionTable table;
    private final Map<Choosable, Answer> answers = new EnumMap<>(Choosable.class);
    private int wanted;
    private boolean refused;
    private @Nullable BoardCollectives made;

    private BoardChoice(Communicator communicator, SelectionTable table) {
        this.communicator = communicator;
        this.table = table;
    }

    /** Null where no call can go by a board. */
    static @Nullable BoardChoice of(Communicator communicator, SelectionTable table) {
        int size = communicator.size();
        boolean possible = !communicator.isInter()
                && size > 1
                && size <= Board.MOST_RANKS
                && communicator.pointToPoint().besideChannels().memory() != null
                && communicator.placement().hosts() == 1;
        return possible ? new BoardChoice(communicator, table) : null;
    }

    /** What a call goes by, or null: by messages. Bytes are those of the {@link SelectionTable}. */
    @Nullable
    BoardCollectives of(Choosable operation, long bytes, boolean objects) {
        if (refused || objects || !takes(operation, bytes)) {
            return null;
        }
        BoardCollectives board = made;
        if (board == null && ++wanted >= PATIENCE) {
            board = make();
            made = board;
            refused = board == null;
        }
        return board;
    }

    /** As {@link #of} for a reduction. */
    @Nullable
    BoardCollectives ofReduction(Choosable operation, long bytes, TypeMap type, PredefinedOp op) {
        return type.isContiguous() && op.takes(type) ? of(operation, bytes, false) : null;
    }

    private boolean takes(Choosable operation, long bytes) {
        Answer answer = answers.get(operation);
        if (answer == null) {
            answer = new Answer();
            answers.put(operation, answer);
        }
        if (answer.bytes != bytes) {
            answer.bytes = bytes;
            answer.segment = table.takesSegment(operation, communicator.size(), bytes);
        }
        return answer.segment;
    }

    private @Nullable BoardCollectives make() {
        PointToPoint pointToPoint = communicator.pointToPoint();
        HostMemory host = pointToPoint.besideChannels().memory();
        Collectives channels = Collectives.of(communicator);
        long[] place = new long[HostMemory.PLACE_NUMBERS];
        HostMemory.Created created = communicator.rank() == 0 && host != null ? create(host) : null;
        if (created != null) {
            System.arraycopy(created.place(), 0, place, 0, place.length);
        }
        pointToPoint.await(channels.bcast(place, 0, place.length, LONG, 0));
        MemorySegment memory = created != null ? created.memory() : host == null ? null : attach(host, place);
        long[] vote = {memory != null && areAllAtHand() ? 1 : 0};
        pointToPoint.await(channels.allreduce(vote, 0, vote, 0, 1, LONG, PredefinedOp.MIN));
        if (created != null) {
            created.hide();
        }
        return memory == null || vote[0] == 0 ? null : new BoardCollectives(new Board(communicator, memory));
    }

    private HostMemory.@Nullable Created create(HostMemory host) {
        try {
            return host.create(Board.bytes(communicator.size()));
        } catch (IOException | RuntimeException e) {
            LOG.info("{} has no shared memory for its collectives: {}", communicator, e.toString());
            return null;
        }
    }

    private @Nullable MemorySegment attach(HostMemory host, long[] place) {
        try {
            return host.attach(place);
        } catch (IOException | RuntimeException e) {
            LOG.info("{} has no shared memory for its collectives: {}", communicator, e.toString());
            return null;
        }
    }

    private boolean areAllAtHand() {
        for (int rank = 0; rank < communicator.size(); rank++) {
            if (rank != communicator.rank()
                    && !communicator
                            .pointToPoint()
                            .besideChannels()
                            .isAtHand(communicator.group().worldRank(rank))) {
                return false;
            }
        }
        return true;
    }
}
