package mpi;

import org.gridmpj.coll.BlockingCollectives;
import org.gridmpj.coll.Collectives;
import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.Reducer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.event.MpiCall;
import org.gridmpj.pt2pt.CallJournal;
import org.gridmpj.pt2pt.Request;
import org.jspecify.annotations.Nullable;

/**
 * The collective calls of one communicator (MPI standard, chapter 6): checks arguments, starts the schedule, waits.
 * Arguments that do not matter on a rank are not looked at.
 */
final class CollectiveCalls {
    /** Starts a checked operation. */
    @FunctionalInterface
    private interface Start {
        Request on(Communicator communicator, Collectives collectives);
    }

    private final Comm comm;
    /** Replaced when the communicator is, after a restart. A race of two threads makes two, of which one stays. */
    private @Nullable BlockingCollectives blocking;

    CollectiveCalls(Comm comm) {
        this.comm = comm;
    }

    private BlockingCollectives blocking(Communicator open) {
        BlockingCollectives current = blocking;
        if (current == null || !current.isOf(open)) {
            current = new BlockingCollectives(open);
            blocking = current;
        }
        return current;
    }

    // the calls that programs make most often take no lambda: it would hold the arguments, a new object for each call

    void barrier() {
        MpiCall event = MpiCall.start();
        try (CallJournal journal = comm.enter()) {
            blocking(comm.open("Barrier")).barrier(journal);
            finish(event, "Barrier", MPI.PROC_NULL, 0);
        } catch (MpiFailure failure) {
            throw comm.raise(failure);
        }
    }

    void bcast(@Nullable Object buf, int offset, int count, Datatype type, int root) {
        MpiCall event = MpiCall.start();
        try (CallJournal journal = comm.enter()) {
            Communicator open = comm.open("Bcast");
            int engineRoot = root("Bcast", open, root);
            TypeMap items = type("Bcast", type);
            Object array = root == MPI.PROC_NULL
                    ? Arguments.NOTHING
                    : Arguments.buffer("Bcast", comm, buf, offset, count, items);
            blocking(open).bcast(journal, array, offset, count, items, engineRoot);
            finish(event, "Bcast", root, Arguments.bytes(count, type));
        } catch (MpiFailure failure) {
            throw comm.raise(failure);
        }
    }

    void gather(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        MpiCall event = MpiCall.start();
        try (CallJournal journal = comm.enter()) {
            Communicator open = comm.open("Gather");
            int engineRoot = root("Gather", open, root);
            boolean receives = isRoot(open, root);
            Object send = takesPart(open, root)
                    ? Arguments.buffer("Gather", comm, sendbuf, sendoffset, sendcount, type("Gather", sendtype))
                    : Arguments.NOTHING;
            Object receive = receives
                    ? blocks("Gather", recvbuf, recvoffset, recvcount, type("Gather", recvtype), peers(open))
                    : Arguments.NOTHING;
            blocking(open)
                    .gather(
                            journal,
                            send,
                            sendoffset,
                            sendcount,
                            orReceive(sendtype, recvtype),
                            receive,
                            recvoffset,
                            recvcount,
                            orReceive(recvtype, sendtype),
                            engineRoot);
            finish(event, "Gather", root, Arguments.bytes(sendcount, sendtype));
        } catch (MpiFailure failure) {
            throw comm.raise(failure);
        }
    }

    void gatherv(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int @Nullable [] recvcounts,
            int @Nullable [] displs,
            Datatype recvtype,
            int root) {
        run("Gatherv", root, Arguments.bytes(sendcount, sendtype), (open, collectives) -> {
            int engineRoot = root("Gatherv", open, root);
            boolean receives = isRoot(open, root);
            Object send = takesPart(open, root)
                    ? Arguments.buffer("Gatherv", comm, sendbuf, sendoffset, sendcount, type("Gatherv", sendtype))
                    : Arguments.NOTHING;
            Object receive = receives
                    ? parts("Gatherv", recvbuf, recvoffset, recvcounts, displs, type("Gatherv", recvtype), peers(open))
                    : Arguments.NOTHING;
            return collectives.gatherv(
                    send,
                    sendoffset,
                    sendcount,
                    orReceive(sendtype, recvtype),
                    receive,
                    recvoffset,
                    orNone(receives, recvcounts),
                    orNone(receives, displs),
                    orReceive(recvtype, sendtype),
                    engineRoot);
        });
    }

    void scatter(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        run("Scatter", root, Arguments.bytes(recvcount, recvtype), (open, collectives) -> {
            int engineRoot = root("Scatter", open, root);
            Object send = isRoot(open, root)
                    ? blocks("Scatter", sendbuf, sendoffset, sendcount, type("Scatter", sendtype), peers(open))
                    : Arguments.NOTHING;
            Object receive = takesPart(open, root)
                    ? Arguments.buffer("Scatter", comm, recvbuf, recvoffset, recvcount, type("Scatter", recvtype))
                    : Arguments.NOTHING;
            return collectives.scatter(
                    send,
                    sendoffset,
                    sendcount,
                    orReceive(sendtype, recvtype),
                    receive,
                    recvoffset,
                    recvcount,
                    orReceive(recvtype, sendtype),
                    engineRoot);
        });
    }

    void scatterv(
            @Nullable Object sendbuf,
            int sendoffset,
            int @Nullable [] sendcounts,
            int @Nullable [] displs,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype,
            int root) {
        run("Scatterv", root, Arguments.bytes(recvcount, recvtype), (open, collectives) -> {
            int engineRoot = root("Scatterv", open, root);
            boolean deals = isRoot(open, root);
            Object send = deals
                    ? parts(
                            "Scatterv",
                            sendbuf,
                            sendoffset,
                            sendcounts,
                            displs,
                            type("Scatterv", sendtype),
                            peers(open))
                    : Arguments.NOTHING;
            Object receive = takesPart(open, root)
                    ? Arguments.buffer("Scatterv", comm, recvbuf, recvoffset, recvcount, type("Scatterv", recvtype))
                    : Arguments.NOTHING;
            return collectives.scatterv(
                    send,
                    sendoffset,
                    orNone(deals, sendcounts),
                    orNone(deals, displs),
                    orReceive(sendtype, recvtype),
                    receive,
                    recvoffset,
                    recvcount,
                    orReceive(recvtype, sendtype),
                    engineRoot);
        });
    }

    void allgather(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype) {
        MpiCall event = MpiCall.start();
        try (CallJournal journal = comm.enter()) {
            Communicator open = comm.open("Allgather");
            TypeMap sent = type("Allgather", sendtype);
            TypeMap received = type("Allgather", recvtype);
            blocking(open)
                    .allgather(
                            journal,
                            Arguments.buffer("Allgather", comm, sendbuf, sendoffset, sendcount, sent),
                            sendoffset,
                            sendcount,
                            sent,
                            blocks("Allgather", recvbuf, recvoffset, recvcount, received, peers(open)),
                            recvoffset,
                            recvcount,
                            received);
            finish(event, "Allgather", MPI.PROC_NULL, Arguments.bytes(sendcount, sendtype));
        } catch (MpiFailure failure) {
            throw comm.raise(failure);
        }
    }

    void allgatherv(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            int[] displs,
            Datatype recvtype) {
        MpiCall event = MpiCall.start();
        try (CallJournal journal = comm.enter()) {
            Communicator open = comm.open("Allgatherv");
            TypeMap sent = type("Allgatherv", sendtype);
            TypeMap received = type("Allgatherv", recvtype);
            blocking(open)
                    .allgatherv(
                            journal,
                            Arguments.buffer("Allgatherv", comm, sendbuf, sendoffset, sendcount, sent),
                            sendoffset,
                            sendcount,
                            sent,
                            parts("Allgatherv", recvbuf, recvoffset, recvcounts, displs, received, peers(open)),
                            recvoffset,
                            recvcounts,
                            displs,
                            received);
            finish(event, "Allgatherv", MPI.PROC_NULL, Arguments.bytes(sendcount, sendtype));
        } catch (MpiFailure failure) {
            throw comm.raise(failure);
        }
    }

    void alltoall(
            @Nullable Object sendbuf,
            int sendoffset,
            int sendcount,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int recvcount,
            Datatype recvtype) {
        MpiCall event = MpiCall.start();
        try (CallJournal journal = comm.enter()) {
            Communicator open = comm.open("Alltoall");
            TypeMap sent = type("Alltoall", sendtype);
            TypeMap received = type("Alltoall", recvtype);
            blocking(open)
                    .alltoall(
                            journal,
                            blocks("Alltoall", sendbuf, sendoffset, sendcount, sent, peers(open)),
                            sendoffset,
                            sendcount,
                            sent,
                            blocks("Alltoall", recvbuf, recvoffset, recvcount, received, peers(open)),
                            recvoffset,
                            recvcount,
                            received);
            finish(event, "Alltoall", MPI.PROC_NULL, Arguments.bytes(sendcount, sendtype));
        } catch (MpiFailure failure) {
            throw comm.raise(failure);
        }
    }

    void alltoallv(
            @Nullable Object sendbuf,
            int sendoffset,
            int[] sendcounts,
            int[] sdispls,
            Datatype sendtype,
            @Nullable Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            int[] rdispls,
            Datatype recvtype) {
        MpiCall event = MpiCall.start();
        try (CallJournal journal = comm.enter()) {
            Communicator open = comm.open("Alltoallv");
            TypeMap sent = type("Alltoallv", sendtype);
            TypeMap received = type("Alltoallv", recvtype);
            blocking(open)
                    .alltoallv(
                            journal,
                            parts("Alltoallv", sendbuf, sendoffset, sendcounts, sdispls, sent, peers(open)),
                            sendoffset,
                            sendcounts,
                            sdispls,
                            sent,
                            parts("Alltoallv", recvbuf, recvoffset, recvcounts, rdispls, received, peers(open)),
                            recvoffset,
                            recvcounts,
                            rdispls,
                            received);
            finish(event, "Alltoallv", MPI.PROC_NULL, 0);
        } catch (MpiFailure failure) {
            throw comm.raise(failure);
        }
    }

    void reduce(
            @Nullable Object sendbuf,
            int sendoffset,
            @Nullable Object recvbuf,
            int recvoffset,
            int count,
            Datatype type,
            Op op,
            int root) {
        MpiCall event = MpiCall.start();
        try (CallJournal journal = comm.enter()) {
            Communicator open = comm.open("Reduce");
            int engineRoot = root("Reduce", open, root);
            TypeMap items = type("Reduce", type);
            Object send = takesPart(open, root)
                    ? Arguments.buffer("Reduce", comm, sendbuf, sendoffset, count, items)
                    : Arguments.NOTHING;
            Object receive = isRoot(open, root)
                    ? Arguments.buffer("Reduce", comm, recvbuf, recvoffset, count, items)
                    : Arguments.NOTHING;
            int combined = takesPart(open, root) || isRoot(open, root) ? count : 0;
            Reducer reducer = op("Reduce", op, combined, items);
            blocking(open).reduce(journal, send, sendoffset, receive, recvoffset, count, items, reducer, engineRoot);
            finish(event, "Reduce", root, Arguments.bytes(count, type));
        } catch (MpiFailure failure) {
            throw comm.raise(failure);
        }
    }

    void allreduce(
            @Nullable Object sendbuf,
            int sendoffset,
            @Nullable Object recvbuf,
            int recvoffset,
            int count,
            Datatype type,
            Op op) {
        MpiCall event = MpiCall.start();
        try (CallJournal journal = comm.enter()) {
            Communicator open = comm.open("Allreduce");
            TypeMap items = type("Allreduce", type);
            Object send = Arguments.buffer("Allreduce", comm, sendbuf, sendoffset, count, items);
            Object receive = Arguments.buffer("Allreduce", comm, recvbuf, recvoffset, count, items);
            blocking(open)
                    .allreduce(
                            journal,
                            send,
                            sendoffset,
                            receive,
                            recvoffset,
                            count,
                            items,
                            op("Allreduce", op, count, items));
            finish(event, "Allreduce", MPI.PROC_NULL, Arguments.bytes(count, type));
        } catch (MpiFailure failure) {
            throw comm.raise(failure);
        }
    }

    void reduceScatter(
            @Nullable Object sendbuf,
            int sendoffset,
            @Nullable Object recvbuf,
            int recvoffset,
            int[] recvcounts,
            Datatype type,
            Op op) {
        MpiCall event = MpiCall.start();
        try (CallJournal journal = comm.enter()) {
            Communicator open = comm.open("Reduce_scatter");
            TypeMap items = type("Reduce_scatter", type);
            counts("Reduce_scatter", recvcounts, open.size());
            long sum = 0;
            for (int i = 0; i < open.size(); i++) {
                sum += recvcounts[i];
            }
            int total = countOf("Reduce_scatter", sum);
            Object send = Arguments.buffer("Reduce_scatter", comm, sendbuf, sendoffset, total, items);
            Object receive =
                    Arguments.buffer("Reduce_scatter", comm, recvbuf, recvoffset, recvcounts[open.rank()], items);
            blocking(open)
                    .reduceScatter(
                            journal,
                            send,
                            sendoffset,
                            receive,
                            recvoffset,
                            recvcounts,
                            items,
                            op("Reduce_scatter", op, total, items));
            finish(event, "Reduce_scatter", MPI.PROC_NULL, 0);
        } catch (MpiFailure failure) {
            throw comm.raise(failure);
        }
    }

    void scan(
            @Nullable Object sendbuf,
            int sendoffset,
            @Nullable Object recvbuf,
            int recvoffset,
            int count,
            Datatype type,
            Op op) {
        run("Scan", MPI.PROC_NULL, Arguments.bytes(count, type), (open, collectives) -> {
            TypeMap items = type("Scan", type);
            Object send = Arguments.buffer("Scan", comm, sendbuf, sendoffset, count, items);
            Object receive = Arguments.buffer("Scan", comm, recvbuf, recvoffset, count, items);
            return collectives.scan(send, sendoffset, receive, recvoffset, count, items, op("Scan", op, count, items));
        });
    }

    void exscan(
            @Nullable Object sendbuf,
            int sendoffset,
            @Nullable Object recvbuf,
            int recvoffset,
            int count,
            Datatype type,
            Op op) {
        run("Exscan", MPI.PROC_NULL, Arguments.bytes(count, type), (open, collectives) -> {
            TypeMap items = type("Exscan", type);
            Object send = Arguments.buffer("Exscan", comm, sendbuf, sendoffset, count, items);
            Object receive = Arguments.buffer("Exscan", comm, recvbuf, recvoffset, count, items);
            return collectives.exscan(
                    send, sendoffset, receive, recvoffset, count, items, op("Exscan", op, count, items));
        });
    }

    private void run(String call, int root, long bytes, Start start) {
        MpiCall event = MpiCall.start();
        try (CallJournal _ = comm.enter()) {
            Communicator open = comm.open(call);
            open.pointToPoint().await(start.on(open, Collectives.of(open)));
            finish(event, call, root, bytes);
        } catch (MpiFailure failure) {
            throw comm.raise(failure);
        }
    }

    private void finish(@Nullable MpiCall event, String call, int root, long bytes) {
        if (event != null) {
            MpiCall.finish(event, call, comm.getName(), root, bytes, 0);
        }
    }

    /** The engine's number of a root: in an intercommunicator also MPI.ROOT and MPI.PROC_NULL. */
    private int root(String call, Communicator open, int root) {
        if (open.isInter() && root == MPI.ROOT) {
            return Communicator.ROOT;
        }
        if (open.isInter() && root == MPI.PROC_NULL) {
            return Communicator.PROC_NULL;
        }
        Arguments.root(call, comm, root, peers(open));
        return root;
    }

    private static boolean isRoot(Communicator open, int root) {
        return open.isInter() ? root == MPI.ROOT : root == open.rank();
    }

    /** Whether this rank's data goes to the root, or comes from it. */
    private static boolean takesPart(Communicator open, int root) {
        return !open.isInter() || root >= 0;
    }

    private static int peers(Communicator open) {
        return open.peerGroup().size();
    }

    private TypeMap type(String call, @Nullable Datatype type) {
        return Arguments.type(call, comm, type);
    }

    /** A datatype that may be null because it does not matter on this rank. */
    private TypeMap orReceive(@Nullable Datatype type, @Nullable Datatype other) {
        return type("the call", type == null ? other : type);
    }

    /** An operation for so many items, checked before anything is sent: a rank that fails later leaves others waiting. */
    private Reducer op(String call, @Nullable Op op, int count, TypeMap items) {
        if (op == null) {
            throw Arguments.bad(ErrorClass.OP, call, comm, "the operation is null");
        }
        Reducer reducer = op.reducer(call);
        if (count > 0 && reducer instanceof PredefinedOp predefined) {
            try {
                predefined.requireTakes(items);
            } catch (MpiFailure failure) {
                throw Arguments.within(call, comm, failure);
            }
        }
        return reducer;
    }

    /** A buffer of one block of count items for each of the ranks. */
    private Object blocks(String call, @Nullable Object buf, int offset, int count, TypeMap items, int ranks) {
        Arguments.count(call, comm, count);
        return Arguments.buffer(call, comm, buf, offset, countOf(call, (long) count * ranks), items);
    }

    private int countOf(String call, long items) {
        if (items > Integer.MAX_VALUE) {
            throw Arguments.bad(
                    ErrorClass.COUNT,
                    call,
                    comm,
                    items + " items of all ranks together are more than an array can have (" + Integer.MAX_VALUE + ")");
        }
        return (int) items;
    }

    /** A buffer of a block for each of the ranks, where counts and displacements say. */
    private Object parts(
            String call,
            @Nullable Object buf,
            int offset,
            int @Nullable [] counts,
            int @Nullable [] displs,
            TypeMap items,
            int ranks) {
        counts(call, counts, ranks);
        if (displs == null || displs.length < ranks) {
            throw Arguments.bad(ErrorClass.ARG, call, comm, "there must be " + ranks + " displacements");
        }
        Object array = Arguments.NOTHING;
        for (int i = 0; counts != null && i < ranks; i++) {
            if (counts[i] > 0) {
                long at = offset + (long) displs[i] * items.extent();
                if ((int) at != at) {
                    throw Arguments.bad(
                            ErrorClass.BUFFER,
                            call,
                            comm,
                            "the block of rank " + i + " begins at index " + at + ", which no array has");
                }
                array = Arguments.buffer(call, comm, buf, (int) at, counts[i], items);
            }
        }
        return array;
    }

    private void counts(String call, int @Nullable [] counts, int ranks) {
        if (counts == null || counts.length < ranks) {
            throw Arguments.bad(ErrorClass.COUNT, call, comm, "there must be " + ranks + " counts");
        }
        for (int i = 0; i < ranks; i++) {
            Arguments.count(call, comm, counts[i]);
        }
    }

    private static int[] orNone(boolean matters, int @Nullable [] numbers) {
        return matters && numbers != null ? numbers : NO_NUMBERS;
    }

    private static final int[] NO_NUMBERS = {};
}
