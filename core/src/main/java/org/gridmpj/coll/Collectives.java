package org.gridmpj.coll;

import java.util.Arrays;
import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.Reducer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.CallJournal;
import org.gridmpj.pt2pt.Request;
import org.jspecify.annotations.Nullable;

/**
 * The collective operations of one communicator, intra or inter (MPI standard, chapter 6). Each starts a resumable
 * schedule; a blocking call waits for it with {@code pointToPoint().await}. Arguments are checked by the facade.
 *
 * <p>Offsets count array elements, counts items of the datatype, displacements extents of it. A root is a rank, or
 * {@link Communicator#ROOT} and {@link Communicator#PROC_NULL} in the root group of an intercommunicator. Buffers that a
 * process does not use in its role may be null. Send and receive buffers may overlap.
 *
 * <p>All processes must call the collectives of a communicator in the same order; the n-th call of each belongs together.
 * Thread-safe as far as that allows.
 */
public final class Collectives {
    private final Communicator communicator;
    private final CollectiveOperations operations;

    private Collectives(Communicator communicator, SelectionTable table) {
        this.communicator = communicator;
        this.operations =
                communicator.isInter() ? new InterCollectives(communicator) : new IntraCollectives(communicator, table);
    }

    /** The operations of a communicator, by the algorithms of the job's table. */
    public static Collectives of(Communicator communicator) {
        return of(communicator, SelectionTable.ofJob());
    }

    /** The operations of a communicator, by the algorithms of a table that all its ranks give alike. */
    public static Collectives of(Communicator communicator, SelectionTable table) {
        return new Collectives(communicator, table);
    }

    public Request barrier() {
        ScheduleBuilder schedule = begin("Barrier");
        operations.barrier(schedule);
        return start(schedule);
    }

    public Request bcast(@Nullable Object buffer, int offset, int count, TypeMap type, int root) {
        ScheduleBuilder schedule = begin("Bcast", root);
        operations.bcast(schedule, region(buffer, offset, count, type), root);
        return start(schedule);
    }

    public Request gather(
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType,
            int root) {
        ScheduleBuilder schedule = begin("Gather", root);
        operations.gather(
                schedule,
                region(send, sendOffset, sendCount, sendType),
                isRoot(root) ? region(receive, receiveOffset, receiveCount, receiveType) : null,
                root);
        return start(schedule);
    }

    public Request gatherv(
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int @Nullable [] receiveCounts,
            int @Nullable [] displacements,
            TypeMap receiveType,
            int root) {
        ScheduleBuilder schedule = begin("Gatherv", root);
        operations.gatherv(
                schedule,
                region(send, sendOffset, sendCount, sendType),
                isRoot(root) ? blocks(receive, receiveOffset, receiveCounts, displacements, receiveType) : null,
                root);
        return start(schedule);
    }

    public Request scatter(
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType,
            int root) {
        ScheduleBuilder schedule = begin("Scatter", root);
        operations.scatter(
                schedule,
                isRoot(root) ? region(send, sendOffset, sendCount, sendType) : null,
                region(receive, receiveOffset, receiveCount, receiveType),
                root);
        return start(schedule);
    }

    public Request scatterv(
            @Nullable Object send,
            int sendOffset,
            int @Nullable [] sendCounts,
            int @Nullable [] displacements,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType,
            int root) {
        ScheduleBuilder schedule = begin("Scatterv", root);
        operations.scatterv(
                schedule,
                isRoot(root) ? blocks(send, sendOffset, sendCounts, displacements, sendType) : null,
                region(receive, receiveOffset, receiveCount, receiveType),
                root);
        return start(schedule);
    }

    public Request allgather(
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType) {
        ScheduleBuilder schedule = begin("Allgather");
        operations.allgather(
                schedule,
                region(send, sendOffset, sendCount, sendType),
                region(receive, receiveOffset, receiveCount, receiveType));
        return start(schedule);
    }

    public Request allgatherv(
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int[] receiveCounts,
            int[] displacements,
            TypeMap receiveType) {
        ScheduleBuilder schedule = begin("Allgatherv");
        operations.allgatherv(
                schedule,
                region(send, sendOffset, sendCount, sendType),
                blocks(receive, receiveOffset, receiveCounts, displacements, receiveType));
        return start(schedule);
    }

    public Request alltoall(
            @Nullable Object send,
            int sendOffset,
            int sendCount,
            TypeMap sendType,
            @Nullable Object receive,
            int receiveOffset,
            int receiveCount,
            TypeMap receiveType) {
        ScheduleBuilder schedule = begin("Alltoall");
        operations.alltoall(
                schedule,
                region(send, sendOffset, sendCount, sendType),
                region(receive, receiveOffset, receiveCount, receiveType));
        return start(schedule);
    }

    public Request alltoallv(
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
        ScheduleBuilder schedule = begin("Alltoallv");
        operations.alltoallv(
                schedule,
                blocks(send, sendOffset, sendCounts, sendDisplacements, sendType),
                blocks(receive, receiveOffset, receiveCounts, receiveDisplacements, receiveType));
        return start(schedule);
    }

    public Request reduce(
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int count,
            TypeMap type,
            Reducer op,
            int root) {
        ScheduleBuilder schedule = begin("Reduce", root);
        operations.reduce(
                schedule,
                region(send, sendOffset, count, type),
                isRoot(root) ? region(receive, receiveOffset, count, type) : null,
                op,
                root);
        return start(schedule);
    }

    public Request allreduce(
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int count,
            TypeMap type,
            Reducer op) {
        ScheduleBuilder schedule = begin("Allreduce");
        operations.allreduce(
                schedule, region(send, sendOffset, count, type), region(receive, receiveOffset, count, type), op);
        return start(schedule);
    }

    public Request reduceScatter(
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int[] receiveCounts,
            TypeMap type,
            Reducer op) {
        ScheduleBuilder schedule = begin("Reduce_scatter");
        int total = Arrays.stream(receiveCounts).limit(communicator.size()).reduce(0, Math::addExact);
        operations.reduceScatter(
                schedule,
                region(send, sendOffset, total, type),
                region(receive, receiveOffset, receiveCounts[communicator.rank()], type),
                Arrays.copyOf(receiveCounts, communicator.size()),
                op);
        return start(schedule);
    }

    public Request scan(
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int count,
            TypeMap type,
            Reducer op) {
        return prefix("Scan", send, sendOffset, receive, receiveOffset, count, type, op, true);
    }

    /** Rank 0 gets nothing: its receive buffer stays as it is. */
    public Request exscan(
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int count,
            TypeMap type,
            Reducer op) {
        return prefix("Exscan", send, sendOffset, receive, receiveOffset, count, type, op, false);
    }

    private Request prefix(
            String name,
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset,
            int count,
            TypeMap type,
            Reducer op,
            boolean inclusive) {
        ScheduleBuilder schedule = begin(name);
        operations.scan(
                schedule,
                region(send, sendOffset, count, type),
                region(receive, receiveOffset, count, type),
                op,
                inclusive);
        return start(schedule);
    }

    private ScheduleBuilder begin(String name) {
        communicator.requireAlive();
        return new ScheduleBuilder(communicator, name);
    }

    private ScheduleBuilder begin(String name, int root) {
        boolean special = communicator.isInter() && (root == Communicator.ROOT || root == Communicator.PROC_NULL);
        int size = communicator.peerGroup().size();
        if (!special && (root < 0 || root >= size)) {
            throw new MpiFailure(
                    ErrorClass.ROOT,
                    name + " of " + communicator + ": root " + root + " is not one of the ranks 0 to " + (size - 1));
        }
        return begin(name);
    }

    private Request start(ScheduleBuilder builder) {
        return CallJournal.step(communicator.pointToPoint().journal(), () -> {
            Schedule schedule = builder.build();
            if (!schedule.isComplete()) {
                communicator.pointToPoint().startSchedule(schedule);
            }
            return schedule;
        });
    }

    private boolean isRoot(int root) {
        return communicator.isInter() ? root == Communicator.ROOT : root == communicator.rank();
    }

    private static Region region(@Nullable Object array, int offset, int count, TypeMap type) {
        return array == null ? Region.NOTHING : new Region(array, offset, count, type);
    }

    private Region[] blocks(
            @Nullable Object array, int offset, int @Nullable [] counts, int @Nullable [] displacements, TypeMap type) {
        int size = communicator.peerGroup().size();
        if (counts == null || displacements == null || counts.length < size || displacements.length < size) {
            throw new MpiFailure(
                    ErrorClass.ARG,
                    "collective of " + communicator + ": counts and displacements must name " + size + " processes");
        }
        if (array == null) {
            Region[] nothing = new Region[size];
            Arrays.fill(nothing, Region.NOTHING);
            return nothing;
        }
        return Region.blocks(array, offset, counts, displacements, type, size);
    }
}
