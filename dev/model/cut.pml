/*
 * Transparent cuts: messages in flight at an epoch's cut are delivered exactly once after a recovery.
 *
 * Rule of the design   docs/design/0010-transparent-cuts.md: a marker goes behind everything emitted before; frames behind a
 *                      marker are held until the own cut; frames that come after the own cut and before the peer's marker
 *                      belong to the image; an abandoned epoch is abandoned everywhere and lets go what it held.
 * Code                 core pt2pt/EpochCut, pt2pt/MarkerGate, pt2pt/InFlightLog; checkpoint/EpochCoordinator
 *
 * Each ordered pair of ranks exchanges MESSAGES numbered messages over FIFO channels. Rank 0 begins epochs; a rank cuts at
 * some later call, or abandons the epoch; one rank (deaf, if any) cannot be captured before its program has ended. At any
 * step the job may be thrown away and go back to the last committed epoch. A message that is lost, doubled or overtaken
 * fails the assertion in deliver(); a job that never ends is an invalid end state.
 *
 * Left out of the model: links that break (ChannelSimulationTest), frames half here, writing and committing (commit.pml).
 */
#ifndef RANKS
#define RANKS 2
#endif
#ifndef MESSAGES
#define MESSAGES 2
#endif
#ifndef EPOCHS
#define EPOCHS 2
#endif
#ifndef CRASHES
#define CRASHES 2
#endif
#define ROOM (MESSAGES + EPOCHS * 2)
#define MARKER 16 /* + epoch */
#define ABORT 32  /* + epoch */
#define PAIR(from, to) ((from) * RANKS + (to))
#define SLOT(epoch, from, to) (((epoch) - 1) * RANKS * RANKS + PAIR(from, to))
#define LEFT(me) (((me) + 1) % RANKS)
#define RIGHT(me) (((me) + RANKS - 1) % RANKS)

/* Channels: by PAIR. What a receiver holds behind a marker, and what it takes up again first after a recovery. */
chan channel[RANKS * RANKS] = [ROOM] of { byte };
chan held[RANKS * RANKS] = [MESSAGES] of { byte };
chan inFlight[RANKS * RANKS] = [MESSAGES] of { byte };
/* The program's state: how many messages were sent and received, by PAIR. */
byte sent[RANKS * RANKS];
byte received[RANKS * RANKS];
/* A rank's part in epochs, which count from 1; a restored rank begins with those after the one it comes from. */
byte wanted[RANKS];
byte cutEpoch[RANKS];
byte abandonedEpoch[RANKS];
byte markerEpoch[RANKS * RANKS];
byte written[RANKS];
/* Images: by SLOT. */
byte imageSent[EPOCHS * RANKS * RANKS];
byte imageReceived[EPOCHS * RANKS * RANKS];
chan imageLog[EPOCHS * RANKS * RANKS] = [MESSAGES] of { byte };

byte begun;     /* rank 0's clock, never set back: numbers are not used twice */
byte settled;   /* the last epoch that is committed or given up */
byte committed; /* 0: the beginning */
byte crashes;
byte deaf = RANKS;
hidden byte frame, count;

/* Among three ranks messages go round one way only, markers go everywhere. */
#define QUOTA(from, to) ((RANKS == 2 || (to) == LEFT(from)) -> MESSAGES : 0)
#define finished(me) ( \
    sent[PAIR(me, LEFT(me))] == QUOTA(me, LEFT(me)) && sent[PAIR(me, RIGHT(me))] == QUOTA(me, RIGHT(me)) && \
    received[PAIR(LEFT(me), me)] == QUOTA(LEFT(me), me) && received[PAIR(RIGHT(me), me)] == QUOTA(RIGHT(me), me))
#define cutWanted(me) (wanted[me] > cutEpoch[me] && wanted[me] > abandonedEpoch[me])
#define logging(from, me) (cutEpoch[me] > abandonedEpoch[me] && written[me] < cutEpoch[me] \
    && markerEpoch[PAIR(from, me)] < cutEpoch[me])
#if RANKS > 2
#define allWritten (written[0] == begun && written[1] == begun && written[2] == begun)
#define allFinished (finished(0) && finished(1) && finished(2))
#else
#define allWritten (written[0] == begun && written[1] == begun)
#define allFinished (finished(0) && finished(1))
#endif
#define jobDone (allFinished && begun == EPOCHS && settled == EPOCHS)
#define markersAreIn(me) (cutEpoch[me] > abandonedEpoch[me] \
    && markerEpoch[PAIR(LEFT(me), me)] >= cutEpoch[me] && markerEpoch[PAIR(RIGHT(me), me)] >= cutEpoch[me])
#define capturable(me) (me != deaf || finished(me))

/* Frames behind a marker wait for the own cut. */
#ifdef NO_HOLD
#define holding(from, me) false
#else
#define holding(from, me) (markerEpoch[PAIR(from, me)] > cutEpoch[me] && markerEpoch[PAIR(from, me)] > abandonedEpoch[me])
#endif

inline deliver(from, me, number) {
    assert(number == received[PAIR(from, me)]); /* exactly once, in order */
    received[PAIR(from, me)]++
}

inline release(from, me) {
    do
    :: nempty(held[PAIR(from, me)]) -> held[PAIR(from, me)]?frame; deliver(from, me, frame)
    :: empty(held[PAIR(from, me)]) -> break
    od
}

inline complete(me) {
    if
    :: markersAreIn(me) -> written[me] = cutEpoch[me]
    :: else
    fi
}

inline save(me, peer) {
    imageSent[SLOT(cutEpoch[me], me, peer)] = sent[PAIR(me, peer)];
    imageReceived[SLOT(cutEpoch[me], peer, me)] = received[PAIR(peer, me)];
    do
    :: nempty(imageLog[SLOT(cutEpoch[me], peer, me)]) -> imageLog[SLOT(cutEpoch[me], peer, me)]?_
    :: empty(imageLog[SLOT(cutEpoch[me], peer, me)]) -> break
    od
}

/* Markers out, copy, let go of what was held: one step, under the progress lock. */
inline cut(me) {
    channel[PAIR(me, LEFT(me))]!MARKER + wanted[me];
    if :: RANKS > 2 -> channel[PAIR(me, RIGHT(me))]!MARKER + wanted[me] :: else fi;
    cutEpoch[me] = wanted[me];
    save(me, LEFT(me));
    save(me, RIGHT(me));
    release(LEFT(me), me);
    release(RIGHT(me), me);
    complete(me)
}

inline abandonHere(me, epoch) {
    if
    :: epoch > abandonedEpoch[me] ->
        abandonedEpoch[me] = epoch;
        if :: settled < epoch -> settled = epoch :: else fi;
#ifndef NO_RELEASE
        release(LEFT(me), me);
        release(RIGHT(me), me)
#endif
    :: else
    fi
}

inline abandon(me) {
#ifndef ABANDON_ALONE
    channel[PAIR(me, LEFT(me))]!ABORT + wanted[me];
    if :: RANKS > 2 -> channel[PAIR(me, RIGHT(me))]!ABORT + wanted[me] :: else fi;
#endif
    abandonHere(me, wanted[me])
}

inline arrive(from, me) {
    channel[PAIR(from, me)]?frame;
    if
    :: frame >= ABORT -> abandonHere(me, frame - ABORT)
    :: frame >= MARKER && frame < ABORT ->
        markerEpoch[PAIR(from, me)] = frame - MARKER;
        if
        :: frame - MARKER > wanted[me] -> wanted[me] = frame - MARKER
        :: else
        fi;
        complete(me)
    :: frame < MARKER && holding(from, me) -> held[PAIR(from, me)]!frame
    :: frame < MARKER && !holding(from, me) ->
#ifndef NO_LOG
        if
        :: logging(from, me) -> imageLog[SLOT(cutEpoch[me], from, me)]!frame
        :: else
        fi;
#endif
        deliver(from, me, frame)
    fi
}

/* In flight at the cut comes first; what the restored peer has sent waits for it. */
#ifdef IN_FLIGHT_LATER
#define mayArrive(from, me) nempty(channel[PAIR(from, me)])
#else
#define mayArrive(from, me) (nempty(channel[PAIR(from, me)]) && empty(inFlight[PAIR(from, me)]))
#endif

#define PEER(me, peer) \
    :: d_step { sent[PAIR(me, peer)] < QUOTA(me, peer) -> channel[PAIR(me, peer)]!sent[PAIR(me, peer)]; sent[PAIR(me, peer)]++ } \
    :: d_step { nempty(inFlight[PAIR(peer, me)]) -> inFlight[PAIR(peer, me)]?frame; deliver(peer, me, frame) } \
    :: d_step { mayArrive(peer, me) -> arrive(peer, me) }

active [RANKS] proctype Rank() {
    byte me = _pid;
    do
    PEER(me, LEFT(me))
#if RANKS > 2
    PEER(me, RIGHT(me))
#endif
    :: d_step { me == 0 && begun < EPOCHS && (committed == begun || abandonedEpoch[0] >= begun) -> begun++; wanted[0] = begun }
    :: d_step { cutWanted(me) && capturable(me) && empty(inFlight[PAIR(LEFT(me), me)]) && empty(inFlight[PAIR(RIGHT(me), me)])
        -> cut(me) }
    /* cannot be captured where it is: its disk is full, or it has polled for too long, or it would block */
#ifndef NO_ABANDON
    :: d_step { cutWanted(me) && !capturable(me) -> abandon(me) }
#endif
    :: jobDone -> break
    od
}

inline goBack(from, to) {
    do :: nempty(channel[PAIR(from, to)]) -> channel[PAIR(from, to)]?_ :: empty(channel[PAIR(from, to)]) -> break od;
    do :: nempty(held[PAIR(from, to)]) -> held[PAIR(from, to)]?_ :: empty(held[PAIR(from, to)]) -> break od;
    do :: nempty(inFlight[PAIR(from, to)]) -> inFlight[PAIR(from, to)]?_ :: empty(inFlight[PAIR(from, to)]) -> break od;
    markerEpoch[PAIR(from, to)] = begun;
    if
    :: committed == 0 -> sent[PAIR(from, to)] = 0; received[PAIR(from, to)] = 0
    :: else ->
        sent[PAIR(from, to)] = imageSent[SLOT(committed, from, to)];
        received[PAIR(from, to)] = imageReceived[SLOT(committed, from, to)];
        count = len(imageLog[SLOT(committed, from, to)]);
        do
        :: count > 0 ->
            imageLog[SLOT(committed, from, to)]?frame;
            imageLog[SLOT(committed, from, to)]!frame;
            inFlight[PAIR(from, to)]!frame;
            count--
        :: count == 0 -> break
        od
    fi
}

inline rankBack(me) {
    wanted[me] = begun;
    cutEpoch[me] = begun;
    abandonedEpoch[me] = begun;
    written[me] = begun
}

inline rollback() {
    settled = begun;
    rankBack(0);
    rankBack(1);
    goBack(0, 1);
    goBack(1, 0);
#if RANKS > 2
    rankBack(2);
    goBack(0, 2);
    goBack(2, 0);
    goBack(1, 2);
    goBack(2, 1);
#endif
}

active proctype Launcher() {
    if :: deaf = RANKS :: deaf = 0 :: deaf = 1 fi;
    do
    /* all images are written: one step (commit.pml) */
    :: d_step { begun > settled && allWritten -> committed = begun; settled = begun }
    /* any process dies, in whatever state the others are: all go back, nothing of the old timeline comes through (fence.pml) */
    :: d_step { crashes < CRASHES && !jobDone -> crashes++; rollback() }
    :: jobDone -> break
    od
}
