package org.gridmpj.pt2pt;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random parallel program as one list of operations for each rank: the same for the same seed, free of deadlocks, its
 * result the same whatever the timing. Uses wildcards, polls, all send modes, persistent requests, collectives, creation of
 * communicators, cancels, messages to oneself, requests that are freed, and ranks that call Finalize before the others.
 */
record CutProgram(int size, List<List<Op>> ranks, boolean isWithoutChances) {
    /** What an operation does; each is at most one MPI call. */
    enum Kind {
        SEND,
        RECEIVE,
        RECEIVE_ANY,
        ISEND,
        IRECEIVE,
        IRECEIVE_ANY,
        WAIT,
        TEST,
        WAIT_ANY,
        WAIT_SOME,
        WAIT_ALL,
        PROBE,
        IPROBE,
        SENDRECV,
        BARRIER,
        BCAST,
        REDUCE,
        ALLREDUCE,
        ALLGATHER,
        SCAN,
        ALLTOALL,
        SPLIT,
        INTERCOMM,
        MERGE,
        PERSISTENT_SEND,
        PERSISTENT_RECEIVE,
        START,
        CANCEL,
        SEND_FLAG,
        RECEIVE_FLAG,
        RECEIVE_UNLESS_CANCELLED,
        FREE,
        TOSS_COIN,
        LEARN_COIN,
        TELL_COIN,
        CHECK_COIN,
        TELL_ORDER,
        SHOW_ORDER,
        POLL_TEST,
        POLL_ANY,
        POLL_SOME,
        POLL_ALL,
        POLL_MESSAGE,
        LISTEN,
        RECEIVE_FOUND,
        RECEIVE_CANCELLED,
        CHECK_UNMATCHED,
        NEW_WORLD,
        START_THREADS,
        JOIN_THREADS,
        COMPUTE
    }

    /**
     * An operation.
     *
     * @param peer rank, root or colour
     * @param count elements, or steps to compute, or how many slots
     * @param slot of requests
     */
    record Op(Kind kind, SendMode mode, int peer, int tag, int count, int slot, boolean objects, boolean capturable) {}

    static final int SLOTS = 64;

    /** A program of a seed. */
    static CutProgram random(long seed) {
        return new Author(new Random(seed * 7919 + 13), false).write();
    }

    /** One without wildcards, polls and cancels: what each rank does depends on nothing but what it receives. */
    static CutProgram withoutChances(long seed) {
        return new Author(new Random(seed * 7919 + 17), true).write();
    }

    /** The same, with coins: a rank tosses one, tells another, and hears later what that one knows. */
    static CutProgram withCoins(long seed) {
        Author author = new Author(new Random(seed * 7919 + 19), true);
        author.coins = true;
        return author.write();
    }

    /**
     * With operations of any source, but without polls and cancels: what comes first is told to others, who remember it and
     * tell it later, and shown to the world.
     */
    static CutProgram withAnySource(long seed) {
        Author author = new Author(new Random(seed * 7919 + 23), true);
        author.anySource = true;
        return author.write();
    }

    /** With polls and cancels of receives: after some noes, and after each yes, another rank is told, or the world is shown. */
    static CutProgram withPolls(long seed) {
        Author author = new Author(new Random(seed * 7919 + 29), true);
        author.polls = true;
        return author.write();
    }

    /**
     * One for each of two or three threads, main's first, on the same ranks. Main makes a communicator of its own for each of
     * the others, starts them, and waits for them before its end.
     */
    static List<CutProgram> withThreads(long seed) {
        Random random = new Random(seed * 7919 + 31);
        Author main = new Author(random, false);
        main.threads = 2 + random.nextInt(2);
        List<CutProgram> all = new ArrayList<>(List.of(main.write()));
        for (int thread = 1; thread < main.threads; thread++) {
            Author author = new Author(new Random(seed * 7919 + 37 + thread), false);
            author.resize(main.size);
            all.add(author.write());
        }
        return all;
    }

    private static final class Author {
        private final Random random;
        private int size;
        private final double uncapturable;
        private final List<List<Op>> ranks = new ArrayList<>();
        private final List<Runnable> later = new ArrayList<>();
        private int tag = 1;
        private int slot;
        private final boolean withoutChances;
        private boolean coins;
        private boolean anySource;
        private boolean polls;
        /** Of each rank; main itself starts the others. */
        private int threads = 1;

        Author(Random random, boolean withoutChances) {
            this.random = random;
            this.withoutChances = withoutChances;
            this.size = 2 + random.nextInt(withoutChances ? 4 : 3);
            this.uncapturable = random.nextInt(3) == 0 ? 0.1 + 0.4 * random.nextDouble() : 0;
            resize(size);
        }

        void resize(int newSize) {
            size = newSize;
            ranks.clear();
            for (int rank = 0; rank < size; rank++) {
                ranks.add(new ArrayList<>());
            }
        }

        CutProgram write() {
            for (int rank = 0; rank < size; rank++) {
                add(rank, Kind.PERSISTENT_SEND, (rank + 1) % size, 0, 40, 0);
                add(rank, Kind.PERSISTENT_RECEIVE, (rank + size - 1) % size, 0, 40, 1);
            }
            slot = 2;
            for (int thread = 1; thread < threads; thread++) {
                all(Kind.NEW_WORLD, thread, 0);
            }
            if (threads > 1) {
                all(Kind.START_THREADS, 0, 0);
            }
            int phases = 3 + random.nextInt(8);
            for (int phase = 0; phase < phases; phase++) {
                phase();
                tag++;
                if (random.nextBoolean()) {
                    flush();
                }
            }
            flush();
            if (threads > 1) {
                all(Kind.JOIN_THREADS, 0, 0);
            }
            earlyEnd();
            return new CutProgram(size, ranks, withoutChances);
        }

        private void flush() {
            later.forEach(Runnable::run);
            later.clear();
            slot = 2;
        }

        private int count() {
            return switch (random.nextInt(4)) {
                case 0 -> 0;
                case 1 -> 1 + random.nextInt(4);
                case 2 -> 20 + random.nextInt(10);
                default -> 40 + random.nextInt(120);
            };
        }

        private void add(int rank, Kind kind, int peer, int opTag, int count, int opSlot) {
            add(rank, kind, SendMode.STANDARD, peer, opTag, count, opSlot, false);
        }

        private void add(
                int rank, Kind kind, SendMode mode, int peer, int opTag, int count, int opSlot, boolean objects) {
            if (random.nextInt(4) == 0) {
                ranks.get(rank).add(new Op(Kind.COMPUTE, mode, 0, 0, 1 + random.nextInt(12), 0, false, true));
            }
            boolean capturable = random.nextDouble() >= uncapturable;
            ranks.get(rank).add(new Op(kind, mode, peer, opTag, count, opSlot, objects, capturable));
        }

        private void all(Kind kind, int peer, int count) {
            for (int rank = 0; rank < size; rank++) {
                add(rank, kind, peer, tag, count, 0);
            }
        }

        private void phase() {
            int kind = random.nextInt(16);
            if (coins && kind <= 5) {
                coin();
                return;
            }
            if (anySource && kind <= 5) {
                whoeverIsFirst();
                return;
            }
            if (polls && kind <= 6) {
                if (kind == 6) {
                    cancelOfSynchronous();
                } else {
                    whoeverPolls();
                }
                return;
            }
            if (withoutChances && kind >= 3 && kind <= 5) {
                gatherInOrder();
                return;
            }
            switch (withoutChances ? kind % 13 : kind) {
                case 0 -> ring();
                case 1, 2 -> halo();
                case 3, 4, 5 -> gatherAny();
                case 6 -> all(Kind.BARRIER, 0, 0);
                case 7 -> all(Kind.BCAST, random.nextInt(size), count());
                case 8 -> {
                    if (tag % 3 == 0) {
                        all(Kind.REDUCE, tag % size, count());
                    } else {
                        all(Kind.ALLREDUCE, 0, count());
                    }
                    all(random.nextBoolean() ? Kind.SCAN : Kind.ALLGATHER, 0, 1 + count());
                }
                case 9 -> all(Kind.ALLTOALL, 0, 1 + count());
                case 10 -> communicators();
                case 11 -> persistent();
                case 12 -> self();
                default -> cancel();
            }
        }

        private void ring() {
            int count = count();
            for (int rank = 0; rank < size; rank++) {
                add(rank, Kind.SENDRECV, (rank + 1) % size, tag, count, 0);
            }
        }

        private void halo() {
            int count = count();
            boolean objects = random.nextInt(4) == 0;
            int first = slot;
            if (first + 4 > SLOTS) {
                return;
            }
            slot += 4;
            int myTag = tag;
            for (int rank = 0; rank < size; rank++) {
                int left = (rank + size - 1) % size;
                int right = (rank + 1) % size;
                add(rank, Kind.IRECEIVE, SendMode.STANDARD, left, myTag, count, first, objects);
                add(rank, Kind.IRECEIVE, SendMode.STANDARD, right, 1000 + myTag, count, first + 1, objects);
                SendMode mode = random.nextInt(3) == 0 ? SendMode.SYNCHRONOUS : SendMode.STANDARD;
                add(rank, Kind.ISEND, mode, right, myTag, count, first + 2, objects);
                add(rank, Kind.ISEND, mode, left, 1000 + myTag, count, first + 3, objects);
            }
            later.add(() -> {
                for (int rank = 0; rank < size; rank++) {
                    if (random.nextBoolean()) {
                        add(rank, Kind.WAIT_ALL, 0, 0, 4, first);
                    } else {
                        for (int i = 0; i < 4; i++) {
                            add(
                                    rank,
                                    (withoutChances && !polls) || random.nextBoolean() ? Kind.WAIT : Kind.TEST,
                                    0,
                                    0,
                                    0,
                                    first + i);
                        }
                    }
                }
            });
        }

        private void gatherAny() {
            int root = random.nextInt(size);
            int style = random.nextInt(4);
            int first = slot;
            if (first + size > SLOTS) {
                return;
            }
            slot += size;
            int count = count();
            for (int rank = 0; rank < size; rank++) {
                if (rank != root) {
                    SendMode mode = switch (random.nextInt(3)) {
                        case 0 -> SendMode.STANDARD;
                        case 1 -> SendMode.BUFFERED;
                        default -> SendMode.SYNCHRONOUS;
                    };
                    add(rank, Kind.SEND, mode, root, tag, count, 0, false);
                }
            }
            if (style == 0) {
                for (int i = 0; i < size - 1; i++) {
                    add(root, Kind.IRECEIVE_ANY, 0, tag, count, first + i);
                }
                for (int i = 0; i < size - 1; i++) {
                    add(root, Kind.WAIT_ANY, 0, 0, size - 1, first);
                }
                return;
            }
            for (int i = 0; i < size - 1; i++) {
                if (style == 1) {
                    add(root, random.nextBoolean() ? Kind.PROBE : Kind.IPROBE, 0, tag, 0, 0);
                }
                if (style == 2) {
                    add(root, Kind.IRECEIVE_ANY, 0, tag, count, first);
                    add(root, Kind.TEST, 0, 0, 0, first);
                } else {
                    add(root, Kind.RECEIVE_ANY, 0, tag, count, 0);
                }
            }
        }

        /** Each sends some messages in each mode, the root takes them one rank after the other, late. */
        private void gatherInOrder() {
            int root = random.nextInt(size);
            int count = count();
            int messages = 1 + random.nextInt(3);
            SendMode[] modes = {SendMode.STANDARD, SendMode.BUFFERED, SendMode.SYNCHRONOUS};
            for (int rank = 0; rank < size; rank++) {
                for (int i = 0; rank != root && i < messages; i++) {
                    add(rank, Kind.SEND, modes[random.nextInt(modes.length)], root, tag, count, 0, false);
                }
            }
            for (int rank = 0; rank < size; rank++) {
                for (int i = 0; rank != root && i < messages; i++) {
                    add(root, Kind.RECEIVE, rank, tag, count, 0);
                }
            }
        }

        /** Some messages of each to the root, which takes them as they come, but for some of one rank that it names first. */
        private void whoeverIsFirst() {
            int root = random.nextInt(size);
            int first = slot;
            int messages = 1 + random.nextInt(3);
            int all = messages * (size - 1);
            if (first + all > SLOTS) {
                return;
            }
            slot += all;
            int count = count();
            SendMode[] modes = {SendMode.STANDARD, SendMode.BUFFERED, SendMode.SYNCHRONOUS};
            for (int rank = 0; rank < size; rank++) {
                for (int i = 0; rank != root && i < messages; i++) {
                    add(rank, Kind.SEND, modes[random.nextInt(modes.length)], root, tag, count, 0, false);
                }
            }
            int named = random.nextInt(3) == 0 ? (root + 1 + random.nextInt(size - 1)) % size : -1;
            int taken = 0;
            if (named >= 0) {
                add(root, Kind.IRECEIVE, named, tag, count, first);
                taken = 1;
            }
            boolean slow = random.nextInt(3) == 0;
            boolean ahead = !slow && random.nextBoolean();
            boolean byName = random.nextInt(3) == 0;
            for (int i = taken; ahead && i < all; i++) {
                // each rank sends as many; one of the named one's is taken
                int from = named >= 0 ? (named - root + size) % size - 1 : 0;
                int source = (root + 1 + (from + i / messages) % (size - 1)) % size;
                add(root, byName ? Kind.IRECEIVE : Kind.IRECEIVE_ANY, byName ? source : 0, tag, count, first + i);
            }
            if (named >= 0) {
                add(root, Kind.WAIT, 0, 0, 0, first);
            }
            int waits = random.nextInt(4);
            if (ahead && waits == 0) {
                add(root, Kind.WAIT_ALL, 0, 0, all - taken, first + taken);
            } else if (ahead && waits == 1 && all > taken) {
                add(root, Kind.WAIT_SOME, 0, 0, all - taken, first + taken);
            } else {
                for (int i = taken; i < all; i++) {
                    boolean probed = !ahead && random.nextInt(3) == 0;
                    if (probed) {
                        add(root, Kind.PROBE, 0, tag, 0, 0);
                    }
                    if (ahead && waits == 2) {
                        add(root, Kind.WAIT_ANY, 0, 0, all - taken, first + taken);
                    } else if (ahead) {
                        add(root, Kind.WAIT, 0, 0, 0, first + i);
                    } else {
                        add(root, Kind.RECEIVE_ANY, 0, tag, count, 0);
                    }
                    if (slow) {
                        // nobody but the world knows what came
                        add(root, Kind.SHOW_ORDER, 0, 0, 0, 0);
                        add(root, Kind.COMPUTE, 0, 0, 5 + random.nextInt(20), 0);
                    }
                }
            }
            if (random.nextInt(3) == 0) {
                add(root, Kind.SHOW_ORDER, 0, 0, 0, 0);
            }
            int to = (root + 1 + random.nextInt(size - 1)) % size;
            int orderTag = 6000 + 2 * tag;
            add(root, Kind.TELL_ORDER, to, orderTag, 1, 0);
            add(to, Kind.LEARN_COIN, root, orderTag, 1, 0);
            hearsAgain(root, to, orderTag + 1);
        }

        /** Some messages of each to the root, which polls for them, and tells another rank all along how that goes. */
        private void whoeverPolls() {
            int root = random.nextInt(size);
            int to = (root + 1 + random.nextInt(size - 1)) % size;
            int first = slot;
            int messages = 1 + random.nextInt(3);
            int all = messages * (size - 1);
            if (first + all > SLOTS) {
                return;
            }
            slot += all;
            int count = count();
            int told = 8000 + 3 * tag;
            SendMode[] modes = {SendMode.STANDARD, SendMode.BUFFERED, SendMode.SYNCHRONOUS};
            for (int rank = 0; rank < size; rank++) {
                for (int i = 0; rank != root && i < messages; i++) {
                    if (random.nextBoolean()) {
                        add(rank, Kind.COMPUTE, 0, 0, 1 + random.nextInt(30), 0);
                    }
                    add(rank, Kind.SEND, modes[random.nextInt(modes.length)], root, tag, count, 0, false);
                }
            }
            int style = random.nextInt(6);
            boolean byName = random.nextBoolean();
            for (int i = 0; style != 4 && i < all; i++) {
                int source = (root + 1 + i / messages) % size;
                add(root, byName ? Kind.IRECEIVE : Kind.IRECEIVE_ANY, byName ? source : 0, tag, count, first + i);
            }
            int ends = style == 2 || style == 3 ? 1 : all;
            switch (style) {
                case 0 -> {
                    for (int i = 0; i < all; i++) {
                        add(root, Kind.POLL_TEST, to, told, 1, first + i);
                    }
                }
                case 1 -> {
                    for (int i = 0; i < all; i++) {
                        add(root, Kind.POLL_ANY, to, told, all, first);
                    }
                }
                case 2 -> add(root, Kind.POLL_SOME, to, told, all, first);
                case 3 -> add(root, Kind.POLL_ALL, to, told, all, first);
                case 4 -> {
                    for (int i = 0; i < all; i++) {
                        add(root, Kind.POLL_MESSAGE, to, told, tag, 0);
                        add(root, Kind.RECEIVE_FOUND, 0, tag, count, 0);
                    }
                }
                default -> {
                    add(root, Kind.COMPUTE, 0, 0, 1 + random.nextInt(30), 0);
                    for (int i = 0; i < all; i++) {
                        if (random.nextInt(3) > 0) {
                            add(root, Kind.CANCEL, 0, 0, 0, first + i);
                        }
                    }
                    for (int i = 0; i < all; i++) {
                        add(root, Kind.POLL_TEST, to, told, 1, first + i);
                    }
                    add(root, Kind.RECEIVE_CANCELLED, 0, tag, count, 0);
                }
            }
            if (random.nextInt(3) == 0) {
                add(root, Kind.SHOW_ORDER, 0, 0, 0, 0);
            }
            add(to, Kind.LISTEN, root, told, ends, 0);
            hearsAgain(root, to, told + 1);
        }

        /** A rank is told what it has told another, by that one or a third one, and checks it. */
        private void hearsAgain(int root, int told, int saidTag) {
            int third = random.nextInt(size);
            int to = third == root ? told : third;
            if (to != told) {
                add(told, Kind.TELL_COIN, to, 7000 + tag, 1, 0);
                add(to, Kind.LEARN_COIN, told, 7000 + tag, 1, 0);
            }
            if (random.nextBoolean()) {
                all(Kind.BARRIER, 0, 0);
            }
            add(to, Kind.TELL_COIN, root, saidTag, 1, 0);
            add(root, Kind.CHECK_COIN, to, saidTag, 1, 0);
        }

        /** Who sends in synchronous mode says behind it that it was matched: not if the receive could be cancelled. */
        private void cancelOfSynchronous() {
            int root = random.nextInt(size);
            int from = (root + 1 + random.nextInt(size - 1)) % size;
            int first = slot;
            if (first == SLOTS) {
                return;
            }
            slot++;
            int count = count();
            int matched = 8002 + 3 * tag;
            add(root, Kind.IRECEIVE, from, tag, count, first);
            add(root, Kind.COMPUTE, 0, 0, 3 + random.nextInt(6), 0);
            add(root, Kind.CANCEL, 0, 0, 0, first);
            add(root, Kind.COMPUTE, 0, 0, 40 + random.nextInt(100), 0);
            add(root, Kind.POLL_TEST, from, 8000 + 3 * tag, 1, first);
            add(root, Kind.COMPUTE, 0, 0, 1 + random.nextInt(60), 0);
            add(root, Kind.CHECK_UNMATCHED, from, matched, 0, 0);
            add(root, Kind.RECEIVE_CANCELLED, 0, tag, count, 0);
            add(root, Kind.RECEIVE, from, matched, 1, 0);
            add(from, Kind.SEND, SendMode.SYNCHRONOUS, root, tag, count, 0, false);
            add(from, Kind.SEND, root, matched, 1, 0);
            add(from, Kind.LISTEN, root, 8000 + 3 * tag, 1, 0);
        }

        private void coin() {
            int from = random.nextInt(size);
            int to = (from + 1 + random.nextInt(size - 1)) % size;
            int coinTag = 5000 + 2 * tag;
            add(from, Kind.TOSS_COIN, to, coinTag, 1, 0);
            add(to, Kind.LEARN_COIN, from, coinTag, 1, 0);
            all(Kind.BARRIER, 0, 0);
            add(to, Kind.TELL_COIN, from, coinTag + 1, 1, 0);
            add(from, Kind.CHECK_COIN, to, coinTag + 1, 1, 0);
        }

        private void communicators() {
            for (int rank = 0; rank < size; rank++) {
                add(rank, Kind.SPLIT, rank % 2, tag, random.nextInt(3), 0);
            }
            if (random.nextBoolean()) {
                all(Kind.ALLREDUCE, 1, count());
            }
            if (random.nextBoolean()) {
                all(Kind.INTERCOMM, 0, 0);
                all(Kind.MERGE, 0, 0);
                all(Kind.ALLREDUCE, 3, count());
            }
        }

        private void persistent() {
            for (int round = 0; round < 2; round++) {
                for (int rank = 0; rank < size; rank++) {
                    add(rank, Kind.START, 0, 0, 0, 1);
                    add(rank, Kind.START, 0, 0, 0, 0);
                }
                for (int rank = 0; rank < size; rank++) {
                    add(rank, Kind.WAIT_ALL, 0, 0, 2, 0);
                }
            }
        }

        private void self() {
            int rank = random.nextInt(size);
            int count = count();
            int first = slot;
            if (first + 2 > SLOTS) {
                return;
            }
            slot += 2;
            SendMode mode = random.nextBoolean() ? SendMode.SYNCHRONOUS : SendMode.STANDARD;
            add(rank, Kind.ISEND, mode, rank, tag, count, first, false);
            add(rank, Kind.SENDRECV, rank, 2000 + tag, count, 0);
            add(rank, Kind.RECEIVE, rank, tag, count, 0);
            add(rank, Kind.WAIT, 0, 0, 0, first);
        }

        private void cancel() {
            int from = random.nextInt(size);
            int to = (from + 1 + random.nextInt(size - 1)) % size;
            int first = slot;
            if (first + 9 > SLOTS) {
                return;
            }
            slot += 9;
            // an eager one can be taken back only while it waits for room
            int count = random.nextBoolean() ? 20 : 60;
            // something before it, so that it waits for room
            for (int i = 0; i < 8; i++) {
                add(from, Kind.ISEND, SendMode.STANDARD, to, 3000 + tag, 2, first + 1 + i, false);
            }
            add(from, Kind.ISEND, SendMode.STANDARD, to, tag, count, first, false);
            add(from, Kind.COMPUTE, 0, 0, 2, 0);
            add(from, Kind.CANCEL, 0, 0, 0, first);
            add(from, Kind.WAIT, 0, 0, -1, first);
            add(from, Kind.WAIT_ALL, 0, 0, 8, first + 1);
            for (int i = 0; i < 8; i++) {
                add(to, Kind.RECEIVE, from, 3000 + tag, 2, 0);
            }
            int flagTag = 4000 + tag;
            add(from, Kind.SEND_FLAG, to, flagTag, 1, first);
            add(to, Kind.RECEIVE_FLAG, from, flagTag, 1, 0);
            add(to, Kind.RECEIVE_UNLESS_CANCELLED, from, tag, count, 0);
        }

        /** One rank leaves; what it owes is fetched by the others when it waits in Finalize. */
        private void earlyEnd() {
            int leaving = random.nextInt(size);
            int count = 40 + random.nextInt(60);
            int last = tag++;
            for (int rank = 0; rank < size; rank++) {
                if (rank != leaving) {
                    add(leaving, Kind.ISEND, SendMode.STANDARD, rank, last, count, 10 + rank, false);
                    add(leaving, Kind.FREE, 0, 0, 0, 10 + rank);
                }
            }
            List<Integer> others = new ArrayList<>();
            for (int rank = 0; rank < size; rank++) {
                if (rank != leaving) {
                    others.add(rank);
                }
            }
            for (int round = 0; round < 3; round++) {
                for (int i = 0; others.size() > 1 && i < others.size(); i++) {
                    int to = others.get((i + 1) % others.size());
                    int from = others.get((i + others.size() - 1) % others.size());
                    add(others.get(i), Kind.IRECEIVE, SendMode.STANDARD, from, tag, count, 20, false);
                    add(others.get(i), Kind.SEND, SendMode.STANDARD, to, tag, count, 0, false);
                    add(others.get(i), Kind.WAIT, 0, 0, 0, 20);
                }
                tag++;
            }
            for (int rank : others) {
                add(rank, Kind.COMPUTE, 0, 0, 5 + random.nextInt(20), 0);
                add(rank, Kind.RECEIVE, leaving, last, count, 0);
            }
        }
    }
}
