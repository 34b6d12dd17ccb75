package org.gridmpj.transport.gridtcp;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.FrameSink;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.ShortMessages;
import org.jspecify.annotations.Nullable;

/**
 * Two ranks and the network between them in one thread, all choices drawn from a seed: connections are cut in mid-frame,
 * lose what is in flight, are noticed to be broken late and by each end at another time; frames of an old connection appear
 * on the next one; bits turn in heads; a rank moves to another process while the old one goes on as a zombie; the whole job
 * is rolled back to its start in a new generation while the old one's processes go on dialing. Connections fall silent: they
 * stay and carry nothing. Who says nothing for long speaks, and no sound connection may be given up.
 *
 * <p>A third of the connections are shared memory: they carry records and short frames, and no byte of theirs turns or
 * comes again, since nobody else writes there.
 *
 * <p>It must end with every message delivered once, in order and undamaged, every buffer released once, nothing retained.
 * In every other seed nothing is acknowledged by the clock before all messages have arrived, so that no message may ever
 * depend on it: a small message never waits for an acknowledgement.
 */
final class ChannelSimulation {
    private static final ChannelSizes SIZES = new ChannelSizes(2048, 16, 64, 100, 64, 150, 512, 4096);
    private static final int FLIGHT_BYTES = 1500;
    private static final int STEP_LIMIT = 60_000;
    /** Ticks after which an end that has written nothing speaks, and one that has heard nothing gives the connection up. */
    private static final int QUIET_TICKS = 20;

    private static final int SILENT_TICKS = 80;
    /** For so many steps nothing is left to be done, in some seeds. */
    private static final int IDLE_STEPS = 4000;

    /** A process: the channel of one rank in one incarnation and generation. */
    private final class RankProcess implements FrameSink {
        final SimulatedEngine engine;
        final int incarnation;
        final Channel channel;

        @Nullable
        Connection link;

        @Nullable
        Connection dialing;
        /** It has been replaced and should be dead. */
        boolean zombie;
        /** It has handed its state over and stands still until it is replaced. */
        boolean still;
        /** Ticks since the link brought something. */
        int unheard;
        /** Ticks since something was written. */
        int unsaid;

        RankProcess(SimulatedEngine engine, int generation, int incarnation, int peerIncarnation) {
            this.engine = engine;
            this.incarnation = incarnation;
            channel = new Channel(
                    new ChannelIdentity(engine.rank, 1 - engine.rank, generation, incarnation),
                    2,
                    peerIncarnation,
                    SIZES,
                    rules,
                    this);
        }

        /** What a zombie receives is nobody's concern. */
        @Override
        public PayloadSink onFrame(int peerRank, FrameHeader header) {
            return zombie ? (position, source, offset, length) -> {} : engine.onFrame(peerRank, header);
        }

        @Override
        public void onFrameComplete(int peerRank, FrameHeader header, PayloadSink sink) {
            if (!zombie) {
                engine.onFrameComplete(peerRank, header, sink);
            }
        }

        @Override
        public void onPeerLost(int peerRank, MpiFailure cause) {
            engine.onPeerLost(peerRank, cause);
        }

        void drop() {
            Connection old = link;
            if (old != null) {
                old.cut();
                link = null;
                channel.linkDown();
            }
        }
    }

    private final class Connection {
        final RankProcess dialer;
        final RankProcess acceptor;
        final SimulatedStream toDialer = new SimulatedStream();
        final SimulatedStream toAcceptor = new SimulatedStream();
        final boolean sharesMemory = random.nextInt(3) == 0;
        /** From so many bytes on either end takes arrays. */
        final int arraysFrom = random.nextInt(3 * FLIGHT_BYTES);

        int sent;
        final SimulatedRecords recordsToDialer = new SimulatedRecords();
        final SimulatedRecords recordsToAcceptor = new SimulatedRecords();

        @Nullable
        Hello hello;

        @Nullable
        Hello answer;

        boolean broken;
        /** It carries nothing, and neither end is told. */
        boolean silent;
        /** An end stands still or was replaced, and cannot answer. */
        boolean deserted;

        Connection(RankProcess dialer, RankProcess acceptor) {
            this.dialer = dialer;
            this.acceptor = acceptor;
            hello = dialer.channel.hello(Admission.ACCEPTED);
        }

        SimulatedStream to(RankProcess process) {
            return process == dialer ? toDialer : toAcceptor;
        }

        SimulatedRecords recordsTo(RankProcess process) {
            return process == dialer ? recordsToDialer : recordsToAcceptor;
        }

        void cut() {
            if (!broken) {
                broken = true;
                recordsToDialer.cut(random);
                recordsToAcceptor.cut(random);
                toDialer.cut(random);
                toAcceptor.cut(random);
            }
        }
    }

    private final SplittableRandom random;
    private final ChannelRules rules;
    private final boolean clockless;
    private final boolean orderlyEnd;
    private final byte[] scratch = new byte[1 << 16];

    private final SimulatedEngine[] engines = new SimulatedEngine[2];
    /** The process of each rank that counts. */
    private final RankProcess[] current = new RankProcess[2];

    private final List<RankProcess> zombies = new ArrayList<>();
    private final List<Connection> opening = new ArrayList<>();
    private @Nullable Connection last;
    private int generation;
    private int faults;
    /** The move that the other rank does not know yet. */
    private @Nullable RankProcess arriving;

    private ChannelSimulation(long seed, ChannelRules rules) {
        random = new SplittableRandom(seed);
        this.rules = rules;
        clockless = (seed & 1) == 0;
        orderlyEnd = (seed & 2) == 0;
        faults = random.nextInt(3) == 0 ? 0 : random.nextInt(25);
        start();
    }

    /** Runs one seed; an AssertionError says what was broken. */
    static void run(long seed, ChannelRules rules) {
        new ChannelSimulation(seed, rules).run();
    }

    private void start() {
        for (int rank = 0; rank < 2; rank++) {
            engines[rank] = new SimulatedEngine(rank, random.nextInt(60), SIZES.connectionCopiedPayloadBytes());
        }
        for (int rank = 0; rank < 2; rank++) {
            engines[rank].peer(engines[1 - rank]);
            current[rank] = new RankProcess(engines[rank], generation, 0, 0);
        }
    }

    private void run() {
        int idle = random.nextInt(8) == 0 ? IDLE_STEPS : 0;
        for (int step = 0; step < STEP_LIMIT; step++) {
            RankProcess process = pick();
            switch (random.nextInt(12)) {
                case 0, 1 -> send(process);
                case 2, 3, 4 -> transmit(process);
                case 5, 6, 7 -> deliver(process);
                case 8 -> dial(process);
                case 9 -> shakeHands();
                case 10 -> tick(process);
                default -> fault();
            }
            if (isOver() && idle-- <= 0) {
                end();
                return;
            }
        }
        throw new AssertionError("it does not end: rank 0 has received " + engines[0].received + " of "
                + engines[1].messages + ", rank 1 " + engines[1].received + " of " + engines[0].messages
                + "; retained " + current[0].channel.retainedFrames() + " and "
                + current[1].channel.retainedFrames());
    }

    private RankProcess pick() {
        if (!zombies.isEmpty() && faults > 0 && random.nextInt(4) == 0) {
            return zombies.get(random.nextInt(zombies.size()));
        }
        return current[random.nextInt(2)];
    }

    private boolean isAllReceived() {
        return engines[0].received == engines[1].messages && engines[1].received == engines[0].messages;
    }

    private boolean isOver() {
        return isAllReceived()
                && arriving == null
                && current[0].channel.retainedFrames() == 0
                && current[1].channel.retainedFrames() == 0
                && (!orderlyEnd || (current[0].channel.isFinished() && current[1].channel.isFinished()));
    }

    private void end() {
        for (RankProcess process : current) {
            process.drop();
            process.channel.close();
            SimulatedEngine.check(process.engine.isAllReleased(), "a buffer is never released");
        }
    }

    /** The memory of a process's link, if it has any and may take a frame before it is staged. */
    private ShortFrame.@Nullable Taker taker(RankProcess process) {
        Connection link = process.link;
        if (link == null || !link.sharesMemory || link.broken || random.nextInt(4) == 0) {
            return null;
        }
        return link.recordsTo(process == link.dialer ? link.acceptor : link.dialer)
                .keptBy(process.channel.keeper());
    }

    private void send(RankProcess process) {
        if (process.still) {
            return;
        }
        if (process.zombie) {
            process.engine.sendAsZombie(process.channel, random.nextInt(60));
        } else if (process.engine.hasMore()) {
            process.engine.send(process.channel, taker(process));
        } else if (orderlyEnd && isAllReceived()) {
            process.channel.sayBye();
        }
    }

    private void transmit(RankProcess process) {
        Connection link = process.link;
        if (link == null || process.still) {
            return;
        }
        RankProcess peer = process == link.dialer ? link.acceptor : link.dialer;
        SimulatedStream stream = link.to(peer);
        ByteRun run = process.channel.outgoing(!link.sharesMemory && link.sent >= link.arraysFrom);
        if (link.sharesMemory) {
            if (run.lengthBytes > 0) {
                process.channel.wrote(link.broken ? 0 : link.recordsTo(peer).write(run, random));
            }
            return;
        }
        int room = FLIGHT_BYTES - stream.available();
        if (run.lengthBytes == 0 || room <= 0) {
            return;
        }
        int offered = run.array == null ? run.lengthBytes : (int) run.payloadBytes;
        int length = Math.min(room, random.nextBoolean() ? offered : 1 + random.nextInt(offered));
        link.sent += length;
        process.unsaid = 0;
        if (run.array != null) {
            if (!link.broken && !link.silent) {
                System.arraycopy(run.array, (int) run.arrayOffsetBytes, scratch, 0, length);
                stream.write(scratch, length);
            }
        } else if (!link.broken && !link.silent) {
            boolean head = stream.atHead() && length >= LinkPrefix.BYTES;
            run.memory().view(run.offsetBytes, length).get(scratch, 0, length);
            stream.write(scratch, length);
            if (head && length <= LinkPrefix.HEAD_BYTES && faults > 0 && random.nextInt(60) == 0) {
                faults--;
                stream.turnBit(random, length);
            }
        }
        process.channel.wrote(length);
    }

    private void deliver(RankProcess process) {
        Connection link = process.link;
        if (link == null || process.still) {
            return;
        }
        if (link.silent && !link.broken) {
            return;
        }
        if (link.sharesMemory && !link.recordsTo(process).isEmpty()) {
            if (link.recordsTo(process).deliver(process.channel) != Reception.OK) {
                process.drop();
            }
            return;
        }
        SimulatedStream stream = link.to(process);
        if (!link.sharesMemory && random.nextBoolean() && takesOne(process, stream)) {
            return;
        }
        if (process.channel.isUndecoded() && process.channel.received(0) != Reception.OK) {
            process.drop();
            return;
        }
        // A link that shares memory asks for no room: its next record would be taken for bytes of an array.
        ByteRun room = process.channel.incoming(!link.sharesMemory && link.sent >= link.arraysFrom);
        int most = (int) room.mostBytes();
        SimulatedEngine.check(most > 0, "no room to receive");
        int length = stream.read(scratch, random.nextBoolean() ? most : 1 + random.nextInt(most));
        if (length > 0) {
            process.unheard = 0;
            if (room.array != null) {
                System.arraycopy(scratch, 0, room.array, (int) room.arrayOffsetBytes, length);
            } else {
                room.memory().view(room.offsetBytes, length).put(scratch, 0, length);
            }
            if (process.channel.received(length) != Reception.OK) {
                process.drop();
            }
        } else if (link.broken) {
            process.drop();
        }
    }

    /** A receive waits for a short message and looks whether it comes next; it may be another one's. */
    private boolean takesOne(RankProcess process, SimulatedStream stream) {
        Channel channel = process.channel;
        int found = channel.look();
        if (found == ShortMessages.NOTHING && stream.available() > 0) {
            ByteRun room = channel.roomToLook();
            SimulatedEngine.check(room.lengthBytes > 0, "no room to look");
            int most = room.lengthBytes;
            int length = stream.read(scratch, random.nextBoolean() ? most : 1 + random.nextInt(most));
            process.unheard = 0;
            room.memory().view(room.offsetBytes, length).put(scratch, 0, length);
            channel.arrived(length);
            found = channel.look();
        }
        if (found < 0 || random.nextInt(4) == 0) {
            return false;
        }
        FrameHeader header = channel.foundHeader();
        PayloadSink sink = process.onFrame(1 - process.engine.rank, header);
        if (found > 0) {
            sink.write(0, channel.arrivedMemory(), channel.foundPayloadOffset(), found);
        }
        process.onFrameComplete(1 - process.engine.rank, header, sink);
        boolean _ = channel.tookMessage();
        return true;
    }

    private void tick(RankProcess process) {
        if (!process.still && (!clockless || isAllReceived())) {
            listen(process);
            process.channel.tick();
        }
    }

    private void listen(RankProcess process) {
        Connection link = process.link;
        if (link == null || link.sharesMemory) {
            return;
        }
        if (++process.unsaid > QUIET_TICKS) {
            process.channel.speak();
        }
        if (++process.unheard > SILENT_TICKS) {
            boolean sound = !link.broken
                    && !link.silent
                    && !link.deserted
                    && link.dialer.link == link
                    && link.acceptor.link == link;
            SimulatedEngine.check(!sound, "a sound connection is given up");
            process.drop();
        }
    }

    /** Rank 1 dials rank 0, by the IP table's rule; an old process of rank 1 dials the new one's peer. */
    private void dial(RankProcess process) {
        if (process.engine.rank == 1 && process.link == null && process.dialing == null && !process.still) {
            Connection connection = new Connection(process, current[0]);
            process.dialing = connection;
            opening.add(connection);
        }
    }

    private void shakeHands() {
        if (opening.isEmpty()) {
            return;
        }
        Connection connection = opening.get(random.nextInt(opening.size()));
        Hello hello = connection.hello;
        if (connection.acceptor.still || connection.dialer.still) {
            return;
        }
        if (hello != null) {
            connection.hello = null;
            RankProcess acceptor = connection.acceptor;
            Admission admission = acceptor.channel.admit(hello);
            if (admission == Admission.ACCEPTED) {
                acceptor.drop();
                acceptor.link = connection;
                connection.answer = acceptor.channel.hello(admission);
                acceptor.unheard = 0;
                acceptor.channel.linkUp(hello, connection.sharesMemory);
                haunt(connection);
            } else {
                connection.answer = acceptor.channel.hello(admission);
                connection.broken = true;
            }
            return;
        }
        opening.remove(connection);
        RankProcess dialer = connection.dialer;
        dialer.dialing = null;
        Hello answer = connection.answer;
        boolean lost = connection.broken && random.nextBoolean();
        if (answer == null
                || lost
                || answer.verdict() != Admission.ACCEPTED
                || dialer.channel.admit(answer) != Admission.ACCEPTED) {
            connection.cut();
        } else {
            dialer.link = connection;
            dialer.unheard = 0;
            dialer.channel.linkUp(answer, connection.sharesMemory);
        }
    }

    /** Frames of the last connection come once more, before those of the new one. */
    private void haunt(Connection connection) {
        Connection old = last;
        if (old != null && !old.sharesMemory && !connection.sharesMemory && faults > 0 && random.nextInt(3) == 0) {
            byte[] ghosts = old.toAcceptor.ghosts(random);
            connection.toAcceptor.write(ghosts, ghosts.length);
            byte[] others = old.toDialer.ghosts(random);
            connection.toDialer.write(others, others.length);
        }
        last = connection;
    }

    private void fault() {
        RankProcess moved = arriving;
        if (moved != null && random.nextInt(3) == 0) {
            arrive(moved);
            return;
        }
        if (faults == 0) {
            bury();
            return;
        }
        Connection link = current[0].link;
        switch (random.nextInt(40)) {
            case 0, 1, 2, 3, 4, 5 -> {
                if (link != null) {
                    faults--;
                    link.cut();
                }
            }
            case 6 -> {
                if (moved == null && !isAllReceived()) {
                    faults--;
                    move(random.nextInt(2));
                }
            }
            case 8 -> {
                if (link != null && !link.sharesMemory && !clockless) {
                    faults--;
                    link.silent = true;
                }
            }
            case 7 -> {
                if (moved == null && generation < 2 && random.nextInt(4) == 0) {
                    faults--;
                    rollBack();
                }
            }
            default -> {}
        }
    }

    /** In the end the zombies' connections break, too. */
    private void bury() {
        for (RankProcess process : current) {
            Connection link = process.link;
            if (link != null && (link.dialer.zombie || link.acceptor.zombie)) {
                link.cut();
            }
        }
    }

    /** A rank stands still and its state goes to a new process. */
    private void move(int rank) {
        RankProcess old = current[rank];
        old.still = true;
        desert(old);
        byte[] image = old.channel.freeze().encode();
        old.engine.moved();
        RankProcess successor =
                new RankProcess(old.engine, generation, old.incarnation + 1, old.channel.peerIncarnation());
        successor.channel.thaw(FrozenChannel.decode(image));
        successor.still = true;
        arriving = successor;
    }

    private static void desert(RankProcess process) {
        Connection link = process.link;
        if (link != null) {
            link.deserted = true;
        }
    }

    /** The IP table with the new incarnation comes: the old process is a zombie, whether it knows or not. */
    private void arrive(RankProcess successor) {
        arriving = null;
        int rank = successor.engine.rank;
        RankProcess old = current[rank];
        old.zombie = true;
        desert(old);
        old.still = false;
        zombies.add(old);
        successor.still = false;
        current[rank] = successor;
        RankProcess other = current[1 - rank];
        other.channel.peerMoved(successor.incarnation);
        if (random.nextBoolean()) {
            other.drop();
        }
    }

    /** All ranks go back to the start of the program, in new processes; the old ones go on. */
    private void rollBack() {
        generation++;
        for (RankProcess process : current) {
            process.zombie = true;
            desert(process);
            process.engine.moved();
            zombies.add(process);
        }
        start();
    }
}
