package org.gridmpj.pt2pt;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.gridmpj.coll.BlockingCollectives;
import org.gridmpj.coll.CollectiveExchange;
import org.gridmpj.coll.Collectives;
import org.gridmpj.coll.SelectionTable;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.CommunicatorCreation;
import org.gridmpj.comm.IntercommCreation;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.jspecify.annotations.Nullable;

/**
 * One simulated rank, or one thread of it: runs its list of operations on a real engine. Its {@link State} is the program's state, the position
 * in the list included, so that a call that unwinds to be captured is entered again by taking the operation again.
 */
final class CutRank {
    private static final SelectionTable RABENSEIFNER = SelectionTable.of("allreduce rabenseifner", "test");
    /** By shared memory whatever the length, where there is any. A token in images, as the job's own table. */
    static final SelectionTable SEGMENTS = SelectionTable.of(
            "bcast segment; reduce segment; gather segment; allreduce segment; allgather segment; allgatherv segment;"
                    + "alltoall segment; alltoallv segment; reduce-scatter segment",
            "test");

    private static final TypeMap LONG = TypeMap.of(BaseType.LONG);
    private static final TypeMap OBJECT = TypeMap.of(BaseType.OBJECT);
    /** Of point-to-point messages; one for each thread. */
    private static final long FIRST_CONTEXT = 1_000_000;

    private static final int BUFFER_BYTES = 1 << 20;
    private static final int PATIENCE_STEPS = 4_000;

    /** A program that has found out that it was told something else than before. */
    static final class Contradiction extends AssertionError {
        private static final long serialVersionUID = 1L;

        Contradiction(String message) {
            super(message);
        }
    }

    /** What a program does after a poll. */
    enum Then {
        POLL,
        SHOW,
        TELL,
        TELL_END
    }

    /** What a program has: plain data. */
    static final class State {
        int position;
        /** By communicator; the first place is used again when all are full. */
        final @Nullable BlockingCollectives[] blocking = new @Nullable BlockingCollectives[16];
        /** Depends on everything that is the same whatever the timing, in order. */
        long hash;
        /** Depends on everything that came, in any order. */
        long sum;

        /** Depends on what came first wherever anything might. */
        long order;
        /** How often that was shown. */
        int shown;

        long cancelledFlag;
        /** What comes of the last poll. */
        Then then = Then.POLL;
        /** Whom the last message that was found by polling is of. */
        int found;
        /** Receives that were cancelled, so that their messages are still to be received. */
        int unreceived;
        /** Polls that were heard to have ended. */
        int ended;

        /** Tossed, or learnt from who has. */
        long coin;
        /** Main has started the other threads. */
        boolean hasThreads;
        /** Steps of the computation at hand that are left. */
        int computing;

        final @Nullable Request[] requests = new @Nullable Request[CutProgram.SLOTS];
        final @Nullable Object[] buffers = new @Nullable Object[CutProgram.SLOTS];
        final boolean[] cancelled = new boolean[CutProgram.SLOTS];
        /** Which of them receive with a wildcard. */
        final boolean[] any = new boolean[CutProgram.SLOTS];
        /** World, the last split, its intercommunicator, the merged one. */
        final @Nullable Communicator[] communicators = new @Nullable Communicator[4];
        /** Arrays of a blocking call, as a program would have them. */
        @Nullable
        Object first;

        @Nullable
        Object second;

        /** Those of predefined communicators are in no image: the facade's constants hold them. */
        void forgetBlocking() {
            Arrays.fill(blocking, null);
        }
    }

    private final int rank;
    private final int thread;
    private final long context;
    private final CutThreads threads;
    private final List<CutProgram.Op> program;
    private final PointToPoint engine;
    private final CutScheduler scheduler;
    /** What the world has seen of this rank. */
    private final Map<Integer, Long> screen;
    /** Whether all ranks are on one host, in all lives: then there are more kinds of collectives. */
    private final boolean oneHost;
    /** The program is over; only the goodbye is not. */
    boolean atEnd;

    State state = new State();

    CutRank(
            int rank,
            int thread,
            CutThreads threads,
            CutProgram program,
            PointToPoint engine,
            CutScheduler scheduler,
            Map<Integer, Long> screen,
            boolean oneHost) {
        this.oneHost = oneHost;
        this.screen = screen;
        this.rank = rank;
        this.thread = thread;
        this.threads = threads;
        context = FIRST_CONTEXT + thread;
        this.program = program.ranks().get(rank);
        this.engine = engine;
        this.scheduler = scheduler;
    }

    /** The beginning of a fresh run. */
    void begin(int size) {
        engine.attachBuffer(BUFFER_BYTES);
        state.communicators[0] = Communicator.world(engine, size, rank, new CollectiveExchange());
    }

    /** The operation at hand, for who asks whether it can be captured. */
    boolean isCapturable() {
        return state.position >= program.size() || program.get(state.position).capturable();
    }

    boolean isAtEnd() {
        return state.position >= program.size();
    }

    /** Runs to the end, or unwinds. */
    void run() {
        while (state.position < program.size()) {
            threads.mayGoOn(thread);
            step(program.get(state.position));
        }
        if (thread > 0) {
            return;
        }
        try (CallJournal _ = engine.enter()) {
            atEnd = true;
            engine.goodbye(Duration.ofSeconds(1));
        }
    }

    private void step(CutProgram.Op op) {
        if (op.kind() == CutProgram.Kind.COMPUTE) {
            compute(op);
            return;
        }
        boolean done = perform(op);
        if (done) {
            state.position++;
        } else {
            scheduler.handOver();
        }
    }

    /** Others run meanwhile, and now and then what has come is taken, as the helper thread does. */
    private void compute(CutProgram.Op op) {
        if (state.computing == 0) {
            state.computing = op.count();
        }
        while (state.computing > 0) {
            state.computing--;
            if (state.computing % 3 == 0) {
                engine.poll();
            }
            scheduler.handOver();
        }
        state.position++;
    }

    /** One MPI call; whether the program goes on behind it. */
    private boolean perform(CutProgram.Op op) {
        switch (op.kind()) {
            case SEND -> {
                long[] data = keepFirst(message(rank, op.tag(), op.count()));
                try (CallJournal _ = engine.enter()) {
                    engine.send(op.mode(), data, 0, op.count(), LONG, op.peer(), context, op.tag());
                }
                state.first = null;
            }
            case RECEIVE, RECEIVE_ANY -> receive(op, op.kind() == CutProgram.Kind.RECEIVE_ANY);
            case RECEIVE_UNLESS_CANCELLED -> {
                if (state.cancelledFlag == 0) {
                    receive(op, false);
                }
            }
            case ISEND -> {
                engine.capturePoint();
                Object data = op.objects() ? objects(rank, op.tag(), op.count()) : message(rank, op.tag(), op.count());
                state.requests[op.slot()] =
                        engine.isend(op.mode(), data, 0, op.count(), type(op), op.peer(), context, op.tag());
                state.buffers[op.slot()] = null;
            }
            case IRECEIVE, IRECEIVE_ANY -> {
                engine.capturePoint();
                boolean any = op.kind() == CutProgram.Kind.IRECEIVE_ANY;
                Object data = op.objects() ? new Object[op.count()] : new long[op.count()];
                state.requests[op.slot()] = engine.ireceive(
                        data,
                        0,
                        op.count(),
                        type(op),
                        any ? PointToPoint.ANY_SOURCE : op.peer(),
                        context,
                        op.tag(),
                        false);
                state.buffers[op.slot()] = data;
                state.any[op.slot()] = any;
            }
            case WAIT -> {
                try (CallJournal _ = engine.enter()) {
                    engine.await(Objects.requireNonNull(state.requests[op.slot()]));
                }
                completed(op.slot());
            }
            case TEST -> {
                engine.capturePoint();
                if (!engine.test(Objects.requireNonNull(state.requests[op.slot()]))) {
                    return false;
                }
                completed(op.slot());
            }
            case WAIT_ANY -> {
                @Nullable Request[] requests = Arrays.copyOfRange(state.requests, op.slot(), op.slot() + op.count());
                int index;
                try (CallJournal _ = engine.enter()) {
                    index = engine.awaitAny(requests);
                }
                if (index < 0) {
                    throw new AssertionError("Waitany found nothing active");
                }
                completedFirst(op.slot(), index);
            }
            case WAIT_SOME -> {
                @Nullable Request[] requests = Arrays.copyOfRange(state.requests, op.slot(), op.slot() + op.count());
                int[] indices = new int[requests.length];
                int found;
                try (CallJournal _ = engine.enter()) {
                    found = engine.awaitSome(requests, indices);
                }
                for (int i = 0; i < found; i++) {
                    completedFirst(op.slot(), indices[i]);
                }
                return found < 0;
            }
            case WAIT_ALL -> {
                @Nullable Request[] requests = Arrays.copyOfRange(state.requests, op.slot(), op.slot() + op.count());
                try (CallJournal _ = engine.enter()) {
                    engine.awaitAll(requests);
                }
                for (int i = 0; i < op.count(); i++) {
                    completed(op.slot() + i);
                }
            }
            case PROBE -> {
                MessageStatus status = new MessageStatus();
                try (CallJournal _ = engine.enter()) {
                    engine.probe(PointToPoint.ANY_SOURCE, context, op.tag(), status);
                }
                state.order = mix(state.order, status.sourceWorldRank);
            }
            case IPROBE -> {
                engine.capturePoint();
                return engine.iprobe(PointToPoint.ANY_SOURCE, context, op.tag()) != null;
            }
            case SENDRECV -> sendrecv(op);
            case BARRIER, BCAST, REDUCE, ALLREDUCE, ALLGATHER, SCAN, ALLTOALL -> collective(op);
            case SPLIT -> {
                try (CallJournal _ = engine.enter()) {
                    state.communicators[1] = CommunicatorCreation.split(world(), op.peer(), op.count());
                }
            }
            case INTERCOMM -> {
                try (CallJournal _ = engine.enter()) {
                    int other = rank % 2 == 0 ? 1 : 0;
                    int leader = leader(rank % 2);
                    state.communicators[2] =
                            IntercommCreation.create(communicator(1), leader, world(), worldLeader(other), op.tag());
                }
            }
            case MERGE -> {
                try (CallJournal _ = engine.enter()) {
                    state.communicators[3] = IntercommCreation.merge(communicator(2), rank % 2 == 1);
                }
            }
            case PERSISTENT_SEND -> {
                long[] data = message(rank, 0, op.count());
                state.requests[op.slot()] =
                        engine.sendInit(SendMode.STANDARD, data, 0, op.count(), LONG, op.peer(), context, 0);
            }
            case PERSISTENT_RECEIVE -> {
                long[] data = new long[op.count()];
                state.buffers[op.slot()] = data;
                state.requests[op.slot()] = engine.receiveInit(data, 0, op.count(), LONG, op.peer(), context, 0, false);
            }
            case START -> {
                engine.capturePoint();
                engine.start(Objects.requireNonNull(state.requests[op.slot()]));
            }
            case CANCEL -> {
                engine.capturePoint();
                engine.cancel(Objects.requireNonNull(state.requests[op.slot()]));
            }
            case SEND_FLAG -> {
                long[] data = keepFirst(new long[] {state.cancelled[op.slot()] ? 1 : 0});
                try (CallJournal _ = engine.enter()) {
                    engine.send(SendMode.STANDARD, data, 0, 1, LONG, op.peer(), context, op.tag());
                }
                state.first = null;
            }
            case RECEIVE_FLAG -> {
                long[] data = keepFirst(new long[1]);
                try (CallJournal _ = engine.enter()) {
                    engine.receive(data, 0, 1, LONG, op.peer(), context, op.tag(), false, new MessageStatus());
                }
                state.cancelledFlag = data[0];
                state.first = null;
            }
            case FREE -> {
                engine.capturePoint();
                engine.free(Objects.requireNonNull(state.requests[op.slot()]));
                state.requests[op.slot()] = null;
            }
            case TOSS_COIN -> {
                if (state.first == null) {
                    state.coin = scheduler.nanos();
                }
                sendCoin(op);
            }
            case TELL_COIN -> sendCoin(op);
            case TELL_ORDER -> {
                state.coin = state.order;
                sendCoin(op);
            }
            case SHOW_ORDER -> show();
            case POLL_TEST, POLL_ANY, POLL_SOME, POLL_ALL, POLL_MESSAGE -> {
                return pollOrTell(op);
            }
            case LISTEN -> {
                return listen(op);
            }
            case RECEIVE_FOUND -> receive(op, state.found, true);
            case RECEIVE_CANCELLED -> {
                if (state.unreceived > 0) {
                    receive(op, PointToPoint.ANY_SOURCE, true);
                    state.unreceived--;
                }
                return state.unreceived == 0;
            }
            case CHECK_UNMATCHED -> {
                engine.capturePoint();
                if (state.unreceived > 0 && engine.iprobe(op.peer(), context, op.tag()) != null) {
                    throw new AssertionError(
                            "a receive was cancelled that rank " + op.peer() + " knows to have matched");
                }
            }
            case LEARN_COIN -> state.coin = receiveCoin(op);
            case CHECK_COIN -> {
                if (receiveCoin(op) != state.coin) {
                    throw new Contradiction("rank " + op.peer() + " knows another coin than was tossed");
                }
            }
            case NEW_WORLD -> {
                try (CallJournal _ = engine.enter()) {
                    threads.state(op.peer()).communicators[0] = CommunicatorCreation.split(world(), 0, rank);
                }
            }
            case START_THREADS -> {
                state.hasThreads = true;
                threads.startOthers();
            }
            case JOIN_THREADS -> {
                threads.standStill(thread);
                return threads.areOthersOver();
            }
            case COMPUTE -> throw new IllegalStateException("no MPI call");
        }
        return true;
    }

    /** Polls until there is something, acts upon a yes and upon some noes; whether that was all. */
    private boolean pollOrTell(CutProgram.Op op) {
        return switch (state.then) {
            case POLL -> {
                boolean over = poll(op);
                state.order = mix(state.order, over ? 1 : 0);
                int chance = (int) (state.order & 7);
                state.then = over ? Then.TELL_END : chance == 0 ? Then.TELL : chance == 1 ? Then.SHOW : Then.POLL;
                yield false;
            }
            case SHOW -> {
                show();
                state.then = Then.POLL;
                yield false;
            }
            case TELL, TELL_END -> {
                boolean end = state.then == Then.TELL_END;
                state.coin = state.order;
                long[] data = keepFirst(new long[] {state.order, end ? 1 : 0});
                try (CallJournal _ = engine.enter()) {
                    engine.send(SendMode.STANDARD, data, 0, 2, LONG, op.peer(), context, op.tag());
                }
                state.first = null;
                state.then = Then.POLL;
                yield end;
            }
        };
    }

    /** One poll; whether there is nothing more to poll for. */
    private boolean poll(CutProgram.Op op) {
        @Nullable
        Request[] requests = op.kind() == CutProgram.Kind.POLL_MESSAGE
                ? new @Nullable Request[0]
                : Arrays.copyOfRange(state.requests, op.slot(), op.slot() + op.count());
        return switch (op.kind()) {
            case POLL_TEST -> {
                engine.capturePoint();
                boolean complete = engine.test(Objects.requireNonNull(requests[0]));
                if (complete) {
                    completedFirst(op.slot(), 0);
                }
                yield complete;
            }
            case POLL_ANY -> {
                int index;
                try (CallJournal _ = engine.enter()) {
                    index = engine.testAny(requests);
                }
                if (index >= 0) {
                    completedFirst(op.slot(), index);
                }
                yield index >= 0;
            }
            case POLL_SOME -> {
                int[] indices = new int[requests.length];
                int found;
                try (CallJournal _ = engine.enter()) {
                    found = engine.testSome(requests, indices);
                }
                for (int i = 0; i < found; i++) {
                    completedFirst(op.slot(), indices[i]);
                }
                yield found < 0;
            }
            case POLL_ALL -> {
                engine.capturePoint();
                boolean complete = engine.testAll(requests);
                for (int i = 0; complete && i < requests.length; i++) {
                    completedFirst(op.slot(), i);
                }
                yield complete;
            }
            case POLL_MESSAGE -> {
                engine.capturePoint();
                MessageStatus found = engine.iprobe(PointToPoint.ANY_SOURCE, context, op.count());
                state.found = found == null ? 0 : found.sourceWorldRank;
                state.order = found == null ? state.order : mix(state.order, state.found);
                yield found != null;
            }
            default -> throw new IllegalStateException("no poll: " + op);
        };
    }

    /** What a rank that polls tells; whether all its polls have come to their end. */
    private boolean listen(CutProgram.Op op) {
        long[] data = keepFirst(new long[2]);
        try (CallJournal _ = engine.enter()) {
            engine.receive(data, 0, 2, LONG, op.peer(), context, op.tag(), false, new MessageStatus());
        }
        state.first = null;
        state.coin = data[0];
        state.ended += (int) data[1];
        if (state.ended < op.count()) {
            return false;
        }
        state.ended = 0;
        return true;
    }

    /** The world sees it, and never sees it again otherwise. */
    private void show() {
        int patience = PATIENCE_STEPS;
        while (!engine.areOutcomesHeld()) {
            engine.poll();
            scheduler.handOver();
            if (--patience == 0) {
                // as when much is held behind a marker: nothing comes before this rank is cut; it would say that it is
                // uncertain
                state.shown++;
                return;
            }
        }
        Long before = screen.putIfAbsent(state.shown, state.order);
        if (before != null && before != state.order) {
            throw new AssertionError("rank " + rank + " shows something else than before");
        }
        state.shown++;
    }

    private void sendCoin(CutProgram.Op op) {
        long[] data = keepFirst(new long[] {state.coin});
        try (CallJournal _ = engine.enter()) {
            engine.send(SendMode.STANDARD, data, 0, 1, LONG, op.peer(), context, op.tag());
        }
        state.first = null;
    }

    private long receiveCoin(CutProgram.Op op) {
        long[] data = keepFirst(new long[1]);
        try (CallJournal _ = engine.enter()) {
            engine.receive(data, 0, 1, LONG, op.peer(), context, op.tag(), false, new MessageStatus());
        }
        state.first = null;
        return data[0];
    }

    /** What is an argument stays the same object when the call is entered again. */
    private long[] keepFirst(long[] made) {
        Object kept = state.first;
        if (kept == null) {
            state.first = made;
            return made;
        }
        return (long[]) kept;
    }

    private long[] keepSecond(long[] made) {
        Object kept = state.second;
        if (kept == null) {
            state.second = made;
            return made;
        }
        return (long[]) kept;
    }

    private void receive(CutProgram.Op op, boolean any) {
        receive(op, any ? PointToPoint.ANY_SOURCE : op.peer(), any);
    }

    private void receive(CutProgram.Op op, int source, boolean any) {
        long[] data = keepFirst(new long[op.count()]);
        MessageStatus status = new MessageStatus();
        try (CallJournal _ = engine.enter()) {
            engine.receive(data, 0, op.count(), LONG, source, context, op.tag(), false, status);
        }
        state.first = null;
        took(data, status, any, op.kind() == CutProgram.Kind.RECEIVE_UNLESS_CANCELLED);
    }

    private void sendrecv(CutProgram.Op op) {
        boolean self = op.peer() == rank;
        int source = self ? rank : Math.floorMod(2 * rank - op.peer(), world().size());
        long[] out = keepFirst(message(rank, op.tag(), op.count()));
        long[] in = keepSecond(new long[op.count()]);
        MessageStatus status;
        try (CallJournal _ = engine.enter()) {
            Request receive = engine.ireceive(in, 0, op.count(), LONG, source, context, op.tag(), false);
            engine.send(SendMode.STANDARD, out, 0, op.count(), LONG, op.peer(), context, op.tag());
            engine.await(receive);
            status = receive.status();
        }
        state.first = null;
        state.second = null;
        took(in, status, false, false);
    }

    private void collective(CutProgram.Op op) {
        Communicator communicator = op.kind() == CutProgram.Kind.ALLREDUCE ? communicator(op.peer()) : world();
        int size = communicator.size();
        int count = op.count();
        long[] out = keepFirst(message(rank, op.tag(), count * (op.kind() == CutProgram.Kind.ALLTOALL ? size : 1)));
        boolean wide = op.kind() == CutProgram.Kind.ALLTOALL || op.kind() == CutProgram.Kind.ALLGATHER;
        long[] in = keepSecond(new long[count * (wide ? size : 1)]);
        Collectives collectives = Collectives.of(communicator);
        long[] result = in;
        BlockingCollectives again = blocking(communicator);
        try (CallJournal journal = engine.enter()) {
            switch (op.kind()) {
                case BARRIER -> again.barrier(journal);
                case BCAST -> again.bcast(journal, out, 0, count, LONG, op.peer());
                case REDUCE -> again.reduce(journal, out, 0, in, 0, count, LONG, PredefinedOp.SUM, op.peer());
                case ALLREDUCE -> {
                    if (count % 2 == 0) {
                        // receives posted rounds ahead
                        engine.await(Collectives.of(communicator, RABENSEIFNER)
                                .allreduce(out, 0, in, 0, count, LONG, PredefinedOp.SUM));
                    } else {
                        again.allreduce(journal, out, 0, in, 0, count, LONG, PredefinedOp.SUM);
                    }
                }
                case SCAN -> {
                    if (isVaried(op)) {
                        int[] counts = new int[size];
                        Arrays.setAll(counts, each -> count * (each + 1) / size - count * each / size);
                        again.reduceScatter(journal, out, 0, in, 0, counts, LONG, PredefinedOp.SUM);
                    } else {
                        engine.await(collectives.scan(out, 0, in, 0, count, LONG, PredefinedOp.SUM));
                    }
                }
                case ALLGATHER -> {
                    if (isVaried(op)) {
                        int[] counts = new int[size];
                        int[] places = new int[size];
                        Arrays.setAll(counts, each -> Math.max(0, count - each));
                        Arrays.setAll(places, each -> (size - 1 - each) * count);
                        again.allgatherv(journal, out, 0, counts[rank], LONG, in, 0, counts, places, LONG);
                    } else {
                        again.allgather(journal, out, 0, count, LONG, in, 0, count, LONG);
                    }
                }
                case ALLTOALL -> {
                    if (isVaried(op)) {
                        alltoallv(journal, again, op, out, in);
                    } else {
                        again.alltoall(journal, out, 0, count, LONG, in, 0, count, LONG);
                    }
                }
                default -> throw new IllegalStateException("no collective: " + op);
            }
        }
        if (op.kind() == CutProgram.Kind.BCAST) {
            result = out;
        }
        state.first = null;
        state.second = null;
        for (long value : result) {
            state.hash = mix(state.hash, value);
        }
    }

    private boolean isVaried(CutProgram.Op op) {
        return oneHost && op.tag() % 2 == 1;
    }

    /** Some blocks are empty; of some calls those of rank 0, which names another type then, so that the call goes by messages. */
    private void alltoallv(
            @Nullable CallJournal journal, BlockingCollectives again, CutProgram.Op op, long[] out, long[] in) {
        int size = world().size();
        boolean withoutFirst = op.tag() % 3 == 0;
        int[] sent = new int[size];
        int[] received = new int[size];
        int[] places = new int[size];
        Arrays.setAll(sent, to -> blockOf(rank, to, op.count(), withoutFirst));
        Arrays.setAll(received, from -> blockOf(from, rank, op.count(), withoutFirst));
        Arrays.setAll(places, each -> each * op.count());
        TypeMap type = withoutFirst && rank == 0 ? OBJECT : LONG;
        again.alltoallv(journal, out, 0, sent, places, type, in, 0, received, places, type);
    }

    private static int blockOf(int from, int to, int count, boolean withoutFirst) {
        boolean empty = (from + to) % 3 == 0 || (withoutFirst && (from == 0 || to == 0));
        return empty ? 0 : count;
    }

    /** Those of the program's state, so that a cut finds kept schedules there. */
    private BlockingCollectives blocking(Communicator communicator) {
        int next = 0;
        for (BlockingCollectives known : state.blocking) {
            if (known != null && known.isOf(communicator)) {
                return known;
            }
            next += known == null ? 0 : 1;
        }
        BlockingCollectives made = new BlockingCollectives(communicator, SEGMENTS);
        state.blocking[next % state.blocking.length] = made;
        return made;
    }

    /** Which one it is was a matter of time. */
    private void completedFirst(int firstSlot, int index) {
        state.order = mix(state.order, index);
        state.any[firstSlot + index] = true;
        completed(firstSlot + index);
    }

    private void completed(int slot) {
        Request request = Objects.requireNonNull(state.requests[slot]);
        MessageStatus status = request.status();
        if (status.failure != null) {
            throw status.failure;
        }
        state.cancelled[slot] = status.cancelled;
        Object data = state.buffers[slot];
        boolean persistent = slot < 2;
        if (data != null && status.cancelled) {
            state.unreceived++;
            state.order = mix(state.order, slot);
        } else if (data != null) {
            took(data, status, state.any[slot], false);
        }
        if (!persistent) {
            state.requests[slot] = null;
            state.buffers[slot] = null;
        }
    }

    /** What was received counts, in order unless a wildcard or a cancel made it a matter of time. */
    private void took(Object data, MessageStatus status, boolean any, boolean chance) {
        long digest = mix(status.sourceWorldRank, status.tag);
        digest = mix(digest, status.count);
        if (data instanceof long[] numbers) {
            for (int i = 0; i < status.count; i++) {
                digest = mix(digest, numbers[i]);
                numbers[i] = 0;
            }
        } else if (data instanceof Object[] elements) {
            for (int i = 0; i < status.count; i++) {
                digest = mix(digest, Objects.hashCode(elements[i]));
            }
        }
        if (any) {
            state.order = mix(state.order, digest);
            state.sum += digest;
        } else if (!chance) {
            state.hash = mix(state.hash, digest);
        }
    }

    /** What a message says depends on all that its sender has seen. */
    private long[] message(int sender, int tag, int count) {
        long[] data = new long[count];
        for (int i = 0; i < count; i++) {
            data[i] = mix(state.hash + sender, (long) tag * 1000 + i);
        }
        return data;
    }

    private Object[] objects(int sender, int tag, int count) {
        Object[] data = new Object[count];
        for (int i = 0; i < count; i++) {
            data[i] = "message " + mix(state.hash + sender, tag) + " " + i;
        }
        return data;
    }

    private static TypeMap type(CutProgram.Op op) {
        return op.objects() ? OBJECT : LONG;
    }

    private Communicator world() {
        return communicator(0);
    }

    private Communicator communicator(int index) {
        return Objects.requireNonNull(state.communicators[index]);
    }

    /** Rank in the split of the member that stands first in world. */
    private int leader(int colour) {
        return communicator(1).group().rankOf(worldLeader(colour));
    }

    private static int worldLeader(int colour) {
        return colour;
    }

    private static long mix(long a, long b) {
        long z = (a ^ (b + 0x9E3779B97F4A7C15L + (a << 6) + (a >>> 2))) * 0xBF58476D1CE4E5B9L;
        return z ^ (z >>> 31);
    }
}
