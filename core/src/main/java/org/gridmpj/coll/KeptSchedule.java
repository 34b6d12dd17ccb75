package org.gridmpj.coll;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.gridmpj.datatype.Reducer;
import org.gridmpj.datatype.TypeMap;
import org.jspecify.annotations.Nullable;

/**
 * A complete schedule and the calls that it fits: all that agree in everything but the arrays and where in them the data
 * begin. Rounds, temporary arrays and operations are used again; the regions in the program's arrays are bound by each call.
 *
 * <p>Confined to the call that has it; {@link BlockingCollectives} hands it from call to call.
 */
final class KeptSchedule {
    private final Schedule schedule;
    private final String operation;
    private final int root;
    private final int count;
    private final TypeMap type;
    private final @Nullable Reducer op;
    private final boolean oneArray;
    private final Region[] inSend;
    private final Region[] inReceive;
    private int sendOffset;
    private int receiveOffset;

    /** The arrays are those that the schedule was made for, null where the operation has none. */
    @SuppressWarnings("ReferenceEquality") // the question is whether it is one array
    KeptSchedule(
            Schedule schedule,
            String operation,
            int root,
            int count,
            TypeMap type,
            @Nullable Reducer op,
            @Nullable Object send,
            int sendOffset,
            @Nullable Object receive,
            int receiveOffset) {
        this.schedule = schedule;
        this.operation = operation;
        this.root = root;
        this.count = count;
        this.type = type;
        this.op = op;
        this.oneArray = send == receive;
        this.sendOffset = sendOffset;
        this.receiveOffset = receiveOffset;
        this.inSend = regionsIn(schedule.rounds(), send);
        this.inReceive = oneArray ? new Region[0] : regionsIn(schedule.rounds(), receive);
    }

    private static Region[] regionsIn(List<Round> rounds, @Nullable Object array) {
        Set<Region> found = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Round round : rounds) {
            for (Action action : round.communications()) {
                action.addRegionsTo(found);
            }
            for (Action action : round.local()) {
                action.addRegionsTo(found);
            }
        }
        return found.stream().filter(region -> region.isIn(array)).toArray(Region[]::new);
    }

    /** Whether a call would make this very schedule, but for its arrays. */
    @SuppressWarnings("ReferenceEquality") // the question is whether it is one array
    boolean fits(
            String wantedOperation,
            int wantedRoot,
            int wantedCount,
            TypeMap wantedType,
            @Nullable Reducer wantedOp,
            @Nullable Object send,
            int newSendOffset,
            @Nullable Object receive,
            int newReceiveOffset) {
        boolean one = send == receive;
        return count == wantedCount
                && root == wantedRoot
                && operation.equals(wantedOperation)
                && type.equals(wantedType)
                && Objects.equals(op, wantedOp)
                && one == oneArray
                // whether the two overlap decides what is copied
                && (!one || newSendOffset - newReceiveOffset == sendOffset - receiveOffset);
    }

    Schedule bind(@Nullable Object send, int newSendOffset, @Nullable Object receive, int newReceiveOffset) {
        bind(inSend, send, newSendOffset - sendOffset);
        bind(inReceive, receive, newReceiveOffset - receiveOffset);
        sendOffset = newSendOffset;
        receiveOffset = newReceiveOffset;
        return schedule;
    }

    private static void bind(Region[] regions, @Nullable Object array, int shiftElements) {
        if (array != null) {
            for (Region region : regions) {
                region.bind(array, shiftElements);
            }
        }
    }

    /** Forgets the program's arrays. */
    void unbind() {
        for (Region region : inSend) {
            region.unbind();
        }
        for (Region region : inReceive) {
            region.unbind();
        }
        schedule.release();
    }
}
