package org.gridmpj.testkit;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.Reducer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.Request;

/**
 * Random collective calls of one communicator, with the oracle's results: operation, root, types (each rank its own
 * layout of the same elements), counts, displacements, offsets and data all come from the seed.
 *
 * <p>Of an intercommunicator, processes 0 … local−1 are the one group, the others the other group; from whoever gives to
 * whoever gets, an intracommunicator is the case in which both are all.
 */
final class CollectiveCases {
    /** The collectives to choose from. */
    enum Operation {
        BARRIER,
        BCAST,
        GATHER,
        GATHERV,
        SCATTER,
        SCATTERV,
        ALLGATHER,
        ALLGATHERV,
        ALLTOALL,
        ALLTOALLV,
        REDUCE,
        ALLREDUCE,
        REDUCE_SCATTER,
        SCAN,
        EXSCAN
    }

    private static final int OFFSET = 2;

    private final RandomGenerator random;
    private final int processes;
    /** Size of the first group, or 0 for an intracommunicator. */
    private final int firstGroup;
    /** The next root, or −1 for any. */
    private int fixedRoot = -1;

    private CollectiveCases(RandomGenerator random, int processes, int firstGroup) {
        this.random = random;
        this.processes = processes;
        this.firstGroup = firstGroup;
    }

    static CollectiveCases intra(RandomGenerator random, int processes) {
        return new CollectiveCases(random, processes, 0);
    }

    static CollectiveCases inter(RandomGenerator random, int processes, int firstGroup) {
        return new CollectiveCases(random, processes, firstGroup);
    }

    CollectiveCase next() {
        Operation[] all = Operation.values();
        Operation chosen = all[random.nextInt(all.length)];
        boolean prefix = chosen == Operation.SCAN || chosen == Operation.EXSCAN;
        return next(prefix && isInter() ? Operation.ALLREDUCE : chosen);
    }

    /** A call with this process as root. */
    CollectiveCase next(Operation operation, int root) {
        fixedRoot = root;
        CollectiveCase made = next(operation);
        fixedRoot = -1;
        return made;
    }

    private int root() {
        return fixedRoot >= 0 ? fixedRoot : random.nextInt(processes);
    }

    CollectiveCase next(Operation operation) {
        ElementKind kind = any(ElementKind.values());
        return switch (operation) {
            case BARRIER -> barrier();
            case BCAST -> bcast(kind, commons(), root());
            case GATHER, GATHERV, SCATTER, SCATTERV -> rooted(operation, kind);
            case ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV -> exchange(operation, kind, commons());
            case REDUCE, ALLREDUCE, REDUCE_SCATTER, SCAN, EXSCAN -> reduction(operation);
        };
    }

    private boolean isInter() {
        return firstGroup > 0;
    }

    // ---- who gives to whom

    private int groupFirst(int process) {
        return isInter() && process >= firstGroup ? firstGroup : 0;
    }

    private int groupEnd(int process) {
        return isInter() && process < firstGroup ? firstGroup : processes;
    }

    /** The processes that a process hears from, by their rank. */
    private int[] peers(int process) {
        int some = isInter() ? (process < firstGroup ? firstGroup : 0) : 0;
        return IntStream.range(groupFirst(some), groupEnd(some)).toArray();
    }

    private int rankOf(int process) {
        return process - groupFirst(process);
    }

    /** What a process says as root. */
    private int rootAt(int process, int root) {
        if (!isInter()) {
            return root;
        }
        boolean sameGroup = groupFirst(process) == groupFirst(root);
        return process == root ? Communicator.ROOT : sameGroup ? Communicator.PROC_NULL : rankOf(root);
    }

    // ---- sizes and data

    private int commons() {
        int choice = random.nextInt(20);
        return choice < 3 ? 0 : choice < 18 ? random.nextInt(1, 5) : random.nextInt(100, 300);
    }

    private int blockCommons() {
        return random.nextInt(15) == 0 ? random.nextInt(50, 150) : random.nextInt(5);
    }

    private int[] commons(int blocks, boolean equal) {
        int[] commons = new int[blocks];
        int same = commons();
        Arrays.setAll(commons, i -> equal ? same : blockCommons());
        return commons;
    }

    private Object[] arrays(ElementKind kind, int[] lengths) {
        Object[] arrays = new Object[processes];
        Arrays.setAll(arrays, process -> kind.array(lengths[process], random));
        return arrays;
    }

    private int[] lengths(BlockPlan[] plans) {
        return Arrays.stream(plans).mapToInt(plan -> plan.length(OFFSET)).toArray();
    }

    private ElementLayout[] layouts(ElementKind kind) {
        ElementLayout[] layouts = new ElementLayout[processes];
        boolean plain = random.nextInt(3) == 0;
        Arrays.setAll(layouts, i -> plain ? ElementLayout.plain(kind) : ElementLayout.any(kind, random));
        return layouts;
    }

    private static Object[] none(int processes) {
        Object[] nothing = new Object[processes];
        Arrays.setAll(nothing, i -> new int[0]);
        return nothing;
    }

    // ---- the operations

    private CollectiveCase barrier() {
        return new CollectiveCase(
                "Barrier",
                none(processes),
                none(processes),
                none(processes),
                (way, process, send, receive) -> way.barrier());
    }

    CollectiveCase bcast(ElementKind kind, int commons, int root) {
        ElementLayout[] layouts = layouts(kind);
        int[] lengths = Arrays.stream(layouts)
                .mapToInt(layout -> OFFSET + layout.span(layout.items(commons)) + 2)
                .toArray();
        Object[] buffers = arrays(kind, lengths);
        Object[] expected = CollectiveCase.copies(buffers);
        for (int process = 0; process < processes; process++) {
            boolean gets = isInter() ? groupFirst(process) != groupFirst(root) : process != root;
            if (gets) {
                CollectiveOracle.move(
                        buffers[root],
                        OFFSET,
                        layouts[root],
                        expected[process],
                        OFFSET,
                        layouts[process],
                        commons * ElementLayout.COMMON_ELEMENTS);
            }
        }
        return new CollectiveCase(
                "Bcast of " + commons + " × 12 " + kind + " from " + root,
                none(processes),
                buffers,
                expected,
                (way, process, send, receive) -> way.bcast(
                        receive,
                        OFFSET,
                        layouts[process].items(commons),
                        layouts[process].type(),
                        rootAt(process, root)));
    }

    /** Between the root's blocks and one block of each other. */
    private CollectiveCase rooted(Operation operation, ElementKind kind) {
        boolean gather = operation == Operation.GATHER || operation == Operation.GATHERV;
        boolean variable = operation == Operation.GATHERV || operation == Operation.SCATTERV;
        int root = root();
        int[] peers = peers(root);
        int[] commons = commons(peers.length, !variable);
        ElementLayout[] layouts = layouts(kind);
        ElementLayout rootLayout = ElementLayout.any(kind, random);
        BlockPlan plan =
                variable ? BlockPlan.scattered(rootLayout, commons, random) : BlockPlan.dense(rootLayout, commons);
        BlockPlan[] single = new BlockPlan[processes];
        for (int process = 0; process < processes; process++) {
            int rank = Arrays.binarySearch(peers, process);
            single[process] = BlockPlan.dense(layouts[process], new int[] {rank < 0 ? 0 : commons[rank]});
        }
        Object[] blocks = new Object[processes];
        Arrays.setAll(blocks, process -> kind.array(process == root ? plan.length(OFFSET) : 0, random));
        Object[] singles = arrays(kind, lengths(single));
        Object[] send = gather ? singles : blocks;
        Object[] receive = gather ? blocks : singles;
        Object[] expected = CollectiveCase.copies(receive);
        for (int rank = 0; rank < peers.length; rank++) {
            int process = peers[rank];
            int n = plan.elements(rank);
            if (gather) {
                CollectiveOracle.move(
                        send[process],
                        OFFSET,
                        layouts[process],
                        expected[root],
                        plan.offset(OFFSET, rank),
                        rootLayout,
                        n);
            } else {
                CollectiveOracle.move(
                        send[root],
                        plan.offset(OFFSET, rank),
                        rootLayout,
                        expected[process],
                        OFFSET,
                        layouts[process],
                        n);
            }
        }
        String description = operation + " of " + Arrays.toString(commons) + " × 12 " + kind + ", root " + root;
        return new CollectiveCase(description, send, receive, expected, (way, process, from, to) -> {
            int rootHere = rootAt(process, root);
            int count = single[process].counts()[0];
            TypeMap type = layouts[process].type();
            TypeMap rootType = rootLayout.type();
            return switch (operation) {
                case GATHER -> way.gather(from, OFFSET, count, type, to, OFFSET, plan.counts()[0], rootType, rootHere);
                case GATHERV ->
                    way.requests()
                            .gatherv(
                                    from,
                                    OFFSET,
                                    count,
                                    type,
                                    to,
                                    OFFSET,
                                    plan.counts(),
                                    plan.displacements(),
                                    rootType,
                                    rootHere);
                case SCATTER ->
                    way.requests().scatter(from, OFFSET, plan.counts()[0], rootType, to, OFFSET, count, type, rootHere);
                default ->
                    way.requests()
                            .scatterv(
                                    from,
                                    OFFSET,
                                    plan.counts(),
                                    plan.displacements(),
                                    rootType,
                                    to,
                                    OFFSET,
                                    count,
                                    type,
                                    rootHere);
            };
        });
    }

    CollectiveCase alltoall(ElementKind kind, int commons) {
        return exchange(Operation.ALLTOALL, kind, commons);
    }

    /** All give and all get; an allgather is an exchange in which one gives the same to all. */
    private CollectiveCase exchange(Operation operation, ElementKind kind, int same) {
        boolean toAll = operation == Operation.ALLTOALL || operation == Operation.ALLTOALLV;
        boolean variable = operation == Operation.ALLGATHERV || operation == Operation.ALLTOALLV;
        // commons[from][to]
        int[][] commons = new int[processes][processes];
        for (int from = 0; from < processes; from++) {
            int fromAll = blockCommons();
            for (int to = 0; to < processes; to++) {
                commons[from][to] = !variable ? same : toAll ? blockCommons() : fromAll;
            }
        }
        BlockPlan[] sends = new BlockPlan[processes];
        BlockPlan[] receives = new BlockPlan[processes];
        ElementLayout[] sendLayouts = layouts(kind);
        ElementLayout[] receiveLayouts = layouts(kind);
        for (int process = 0; process < processes; process++) {
            int self = process;
            int[] peers = peers(process);
            int[] in = Arrays.stream(peers).map(peer -> commons[peer][self]).toArray();
            int[] out = toAll
                    ? Arrays.stream(peers).map(peer -> commons[self][peer]).toArray()
                    : new int[] {commons[self][0]};
            sends[process] = variable && toAll
                    ? BlockPlan.scattered(sendLayouts[process], out, random)
                    : BlockPlan.dense(sendLayouts[process], out);
            receives[process] = variable
                    ? BlockPlan.scattered(receiveLayouts[process], in, random)
                    : BlockPlan.dense(receiveLayouts[process], in);
        }
        Object[] send = arrays(kind, lengths(sends));
        Object[] receive = arrays(kind, lengths(receives));
        Object[] expected = CollectiveCase.copies(receive);
        for (int to = 0; to < processes; to++) {
            int[] peers = peers(to);
            for (int rank = 0; rank < peers.length; rank++) {
                int from = peers[rank];
                int block = toAll ? rankOf(to) : 0;
                CollectiveOracle.move(
                        send[from],
                        sends[from].offset(OFFSET, block),
                        sendLayouts[from],
                        expected[to],
                        receives[to].offset(OFFSET, rank),
                        receiveLayouts[to],
                        receives[to].elements(rank));
            }
        }
        String description = operation + " of " + (variable ? "various" : same) + " × 12 " + kind;
        return new CollectiveCase(description, send, receive, expected, (way, process, from, to) -> {
            BlockPlan out = sends[process];
            BlockPlan in = receives[process];
            TypeMap sendType = out.layout().type();
            TypeMap receiveType = in.layout().type();
            return switch (operation) {
                case ALLGATHER ->
                    way.allgather(from, OFFSET, out.counts()[0], sendType, to, OFFSET, in.counts()[0], receiveType);
                case ALLGATHERV ->
                    way.allgatherv(
                            from,
                            OFFSET,
                            out.counts()[0],
                            sendType,
                            to,
                            OFFSET,
                            in.counts(),
                            in.displacements(),
                            receiveType);
                case ALLTOALL ->
                    way.alltoall(from, OFFSET, out.counts()[0], sendType, to, OFFSET, in.counts()[0], receiveType);
                default ->
                    way.alltoallv(
                            from,
                            OFFSET,
                            out.counts(),
                            out.displacements(),
                            sendType,
                            to,
                            OFFSET,
                            in.counts(),
                            in.displacements(),
                            receiveType);
            };
        });
    }

    // ---- reductions

    /** An operation and a type that it is for. */
    private record Reduction(Reducer op, ElementLayout layout) {}

    private Reduction reduction() {
        ElementKind[] numbers = {
            ElementKind.BYTE,
            ElementKind.SHORT,
            ElementKind.INT,
            ElementKind.LONG,
            ElementKind.FLOAT,
            ElementKind.DOUBLE
        };
        ElementKind[] integers = {ElementKind.BYTE, ElementKind.SHORT, ElementKind.INT, ElementKind.LONG};
        ElementKind[] pairable = {
            ElementKind.SHORT, ElementKind.INT, ElementKind.LONG, ElementKind.FLOAT, ElementKind.DOUBLE
        };
        return switch (random.nextInt(9)) {
            case 0 -> new Reduction(any(PredefinedOp.MAX, PredefinedOp.MIN), ElementLayout.any(any(numbers), random));
            case 1 ->
                new Reduction(
                        any(PredefinedOp.BAND, PredefinedOp.BOR, PredefinedOp.BXOR),
                        ElementLayout.any(any(integers), random));
            case 2 ->
                new Reduction(
                        any(PredefinedOp.LAND, PredefinedOp.LOR, PredefinedOp.LXOR),
                        ElementLayout.any(ElementKind.BOOLEAN, random));
            case 3 -> new Reduction(any(PredefinedOp.MAXLOC, PredefinedOp.MINLOC), pairs(any(pairable)));
            case 4 -> new Reduction(UserOps.CONCATENATION, ElementLayout.plain(ElementKind.OBJECT));
            case 5 -> new Reduction(UserOps.COMPOSITION, pairs(ElementKind.INT));
            case 6 -> new Reduction(UserOps.CELL_SUM, ElementLayout.plain(ElementKind.OBJECT));
            default -> new Reduction(any(PredefinedOp.SUM, PredefinedOp.PROD), ElementLayout.any(any(numbers), random));
        };
    }

    private static ElementLayout pairs(ElementKind kind) {
        BaseType base = kind.base();
        return new ElementLayout("pair", kind, TypeMap.contiguous(2, TypeMap.of(base)), new int[] {0, 1}, 2);
    }

    @SafeVarargs
    private <T> T any(T... choices) {
        return choices[random.nextInt(choices.length)];
    }

    private Object[] operands(Reduction reduction, int length) {
        int[] lengths = new int[processes];
        Arrays.fill(lengths, length);
        Object[] arrays = arrays(reduction.layout().kind(), lengths);
        if (reduction.op() == UserOps.CELL_SUM) {
            for (Object array : arrays) {
                Arrays.setAll((Object[]) array, i -> new int[] {random.nextInt(100)});
            }
        }
        return arrays;
    }

    private CollectiveCase reduction(Operation operation) {
        Reduction reduction = reduction();
        ElementLayout layout = reduction.layout();
        int root = root();
        int[] counts = commons(processes, operation != Operation.REDUCE_SCATTER);
        if (operation == Operation.REDUCE_SCATTER) {
            balance(counts);
        }
        for (int i = 0; i < processes; i++) {
            counts[i] = layout.items(counts[i]);
        }
        boolean scatters = operation == Operation.REDUCE_SCATTER;
        int count = scatters ? sum(counts, 0) : counts[0];
        int length = OFFSET + layout.span(count) + 2;
        Object[] send = operands(reduction, length);
        Object[] receive = operands(reduction, length);
        Object[] expected = CollectiveCase.copies(receive);
        for (int process = 0; process < processes; process++) {
            List<Object> vectors = new ArrayList<>();
            for (int peer : peers(process)) {
                boolean before = peer <= process && (operation == Operation.SCAN || peer < process);
                boolean prefix = operation == Operation.SCAN || operation == Operation.EXSCAN;
                if (!prefix || before) {
                    vectors.add(send[peer]);
                }
            }
            boolean gets = !vectors.isEmpty() && (operation != Operation.REDUCE || process == root);
            if (gets) {
                Object whole = CollectiveOracle.fold(vectors, OFFSET, count, layout, reduction.op());
                int first = scatters ? before(counts, process) : 0;
                int items = scatters ? counts[process] : count;
                CollectiveOracle.move(
                        whole,
                        OFFSET + layout.span(first),
                        layout,
                        expected[process],
                        OFFSET,
                        layout,
                        items * layout.displacements().length);
            }
        }
        String description = operation + " of " + count + " " + layout + " by " + reduction.op() + ", root " + root;
        return new CollectiveCase(
                description,
                send,
                receive,
                expected,
                (way, process, from, to) -> start(operation, reduction, way, process, from, to, count, counts, root));
    }

    /** In an intercommunicator both groups' counts of a Reduce_scatter have the same sum. */
    private void balance(int[] commons) {
        if (isInter()) {
            int difference = sum(commons, 0) - sum(commons, firstGroup);
            commons[difference > 0 ? firstGroup : 0] += Math.abs(difference);
        }
    }

    /** Of the group of a process. */
    private int sum(int[] values, int process) {
        return Arrays.stream(values, groupFirst(process), groupEnd(process)).sum();
    }

    private int before(int[] values, int process) {
        return Arrays.stream(values, groupFirst(process), process).sum();
    }

    private Request start(
            Operation operation,
            Reduction reduction,
            CallWay way,
            int process,
            Object from,
            Object to,
            int count,
            int[] counts,
            int root) {
        TypeMap type = reduction.layout().type();
        Reducer op = reduction.op();
        return switch (operation) {
            case REDUCE -> way.reduce(from, OFFSET, to, OFFSET, count, type, op, rootAt(process, root));
            case ALLREDUCE -> way.allreduce(from, OFFSET, to, OFFSET, count, type, op);
            case REDUCE_SCATTER ->
                way.reduceScatter(
                        from,
                        OFFSET,
                        to,
                        OFFSET,
                        Arrays.copyOfRange(counts, groupFirst(process), groupEnd(process)),
                        type,
                        op);
            case SCAN -> way.requests().scan(from, OFFSET, to, OFFSET, count, type, op);
            default -> way.requests().exscan(from, OFFSET, to, OFFSET, count, type, op);
        };
    }
}
