package org.gridmpj.checkpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.gridmpj.coll.Collectives;
import org.gridmpj.comm.Communicator;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.MessageStatus;
import org.gridmpj.pt2pt.PointToPoint;
import org.gridmpj.pt2pt.SendMode;
import org.gridmpj.runtime.MpiProcess;

/**
 * A program of steps that follows from a seed: at each step messages are sent that are received up to three steps later,
 * by name or from any source, collectives are called, and perhaps a snapshot is taken. Its result, a digest on each rank,
 * depends on every byte that it receives and on the order on each channel.
 *
 * <p>Nearly all snapshots find messages on their way, and ranks that leave one early send into others that are still at
 * it.
 */
record RandomProgram(long seed, int size, int steps) {
    private static final TypeMap LONG = TypeMap.of(BaseType.LONG);
    private static final int LONGEST_DELAY = 3;
    private static final int LONGEST_MESSAGE = 300;
    private static final int ANY_SOURCE_TAG = 1000;

    /** A program that is asked, before each step, whether it is to die there. */
    interface Fate {
        void beforeStep(int worldRank, int step);
    }

    /** One message: sent at a step, received at a later one. */
    private record Message(int source, int destination, int tag, int length, int receivedAt, boolean fromAny) {}

    private List<Message> sentAt(int step) {
        Random random = new Random(seed * 31 + step);
        List<Message> messages = new ArrayList<>();
        int count = random.nextInt(3 * size);
        for (int i = 0; i < count; i++) {
            messages.add(new Message(
                    random.nextInt(size),
                    random.nextInt(size),
                    random.nextInt(3),
                    random.nextInt(LONGEST_MESSAGE),
                    step + random.nextInt(LONGEST_DELAY + 1),
                    false));
        }
        if (random.nextInt(3) == 0) {
            int destination = random.nextInt(size);
            int receivedAt = step + random.nextInt(LONGEST_DELAY + 1);
            for (int source = 0; source < size; source++) {
                messages.add(new Message(source, destination, ANY_SOURCE_TAG + step, 3, receivedAt, true));
            }
        }
        return messages;
    }

    private boolean isSnapshotAt(int step) {
        return new Random(seed * 17 + step).nextInt(3) == 0;
    }

    /** Runs the program on one rank; its digest at the end. */
    long run(MpiProcess process, ProgramSnapshots snapshots, Fate fate) {
        Communicator world = process.world();
        int rank = world.rank();
        // What every main does before it asks: it must not disturb what comes back.
        process.pointToPoint().await(Collectives.of(world).barrier());
        long[] digest = {seed + rank};
        int first = 0;
        if (snapshots.isResumed()) {
            digest = (long[]) Objects.requireNonNull(snapshots.retrieve("digest"));
            first = (Integer) Objects.requireNonNull(snapshots.retrieve("step"));
        }
        snapshots.register("digest", digest);
        for (int step = first; step < steps; step++) {
            fate.beforeStep(rank, step);
            if (step > first && isSnapshotAt(step)) {
                snapshots.register("step", step);
                snapshots.takeNow(step);
            } else {
                snapshots.take(step);
            }
            exchange(process, digest, step);
        }
        return digest[0];
    }

    private void exchange(MpiProcess process, long[] digest, int step) {
        Communicator world = process.world();
        PointToPoint messages = process.pointToPoint();
        long context = world.pointToPointContext();
        int rank = world.rank();
        for (Message message : sentAt(step)) {
            if (message.source() == rank) {
                long[] payload = new Random(digest[0] + message.tag())
                        .longs(message.length())
                        .toArray();
                messages.send(
                        SendMode.STANDARD,
                        payload,
                        0,
                        payload.length,
                        LONG,
                        message.destination(),
                        context,
                        message.tag());
            }
        }
        MessageStatus status = new MessageStatus();
        for (int sent = Math.max(0, step - LONGEST_DELAY); sent <= step; sent++) {
            long anyOrder = 0;
            for (Message message : sentAt(sent)) {
                if (message.receivedAt() == step && message.destination() == rank) {
                    long[] payload = new long[LONGEST_MESSAGE];
                    int source = message.fromAny() ? PointToPoint.ANY_SOURCE : message.source();
                    messages.receive(payload, 0, payload.length, LONG, source, context, message.tag(), false, status);
                    long hash = hash(payload, status.count);
                    if (message.fromAny()) {
                        anyOrder += hash;
                    } else {
                        digest[0] = digest[0] * 1_000_003 + hash;
                    }
                }
            }
            digest[0] += anyOrder;
        }
        if (new Random(seed * 13 + step).nextInt(4) == 0) {
            long[] sum = new long[1];
            messages.await(Collectives.of(world).allreduce(digest, 0, sum, 0, 1, LONG, PredefinedOp.SUM));
            digest[0] ^= sum[0];
        }
    }

    private static long hash(long[] payload, int count) {
        long hash = count;
        for (int i = 0; i < count; i++) {
            hash = hash * 31 + payload[i];
        }
        return hash;
    }
}
