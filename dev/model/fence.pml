/*
 * Fencing: a process that was replaced never gets a frame accepted by a receiver that has been told so, nor by one of another
 * generation; and the process that replaces it is not locked out.
 *
 * Rule of the design   docs/design/0003-gridtcp.md, "A cut is not a death": handshakes and frames of a lower incarnation or of
 *                      another generation are refused; docs/design/0014-live-migration.md, "Fences": the new process is
 *                      refused until the table has come (NOT_YET_KNOWN, to be tried again), the old one from then on.
 * Code                 transport-gridtcp Channel.admit, Channel.peerMoved, Inbound (linkIncarnation), Admission
 *
 * Rank 0 is a chain of processes: one begins, each next one is a move (incarnation + 1), a rollback (generation and
 * incarnation + 1) or a job resumed after its launcher's death (generation + 1 only). None of the earlier ones ever ends: each
 * dials whom it likes, again and again, and sends frames over links that it still has. Rank 1
 * has a process for each generation, which hears of moves some time after the decision. Frames are numbered; whatever link
 * they come by, the receiver takes each number once, in order.
 */
#define PROCESSES 3 /* of rank 0, one after the other */
#define LIVES 3     /* generations, and so processes of rank 1 */
#ifndef FRAMES
#define FRAMES 2
#endif

/* Processes of rank 0. */
byte processes = 1;
byte generation[PROCESSES];
byte incarnation[PROCESSES];
bool refused[PROCESSES * LIVES]; /* told, too early, that trying again is of no use */
/* Processes of rank 1, by generation. */
byte lives = 1;
byte table[LIVES];           /* incarnation of rank 0 */
byte expected[LIVES];        /* number of the next frame */
byte linkOf[LIVES];          /* process of rank 0 + 1 that the link leads to, 0 for none */
byte linkIncarnation[LIVES]; /* what the table said when it shook hands */
byte sending[LIVES];         /* number that the other end of the link sends next */
chan frames[LIVES] = [FRAMES] of { byte };
hidden byte number;

#define rightful (processes - 1)
#define here generation[rightful]
#define done (expected[here] == FRAMES)
#define DOOR(process, life) ((process) * LIVES + (life))

inline breakLink(life) {
    do
    :: nempty(frames[life]) -> frames[life]?_
    :: empty(frames[life]) -> break
    od;
    linkOf[life] = 0;
    sending[life] = 0
}

#ifdef NO_GENERATION_FENCE
#define ofThisJob(process, life) true
#else
#define ofThisJob(process, life) (generation[process] == life)
#endif
#ifdef NO_HANDSHAKE_FENCE
#define inTable(process, life) true
#else
#define inTable(process, life) (incarnation[process] == table[life])
#endif

/*
 * A handshake is read, whenever it was sent: it says the same. One that is refused changes nothing here, so it is no step. Any
 * older link is forgotten; what is sent begins with what is expected.
 */
inline admit(process, life) {
    breakLink(life);
    linkOf[life] = process + 1;
    linkIncarnation[life] = table[life];
    sending[life] = expected[life]
}

inline receive(life) {
    frames[life]?number;
    if
#ifndef NO_FRAME_FENCE
    :: linkIncarnation[life] != table[life] -> breakLink(life)
    :: linkIncarnation[life] == table[life] ->
#else
    :: true ->
#endif
        /* never of a process that it knows to be replaced, never of another timeline */
        assert(generation[linkOf[life] - 1] == life);
        assert(incarnation[linkOf[life] - 1] == table[life]);
        assert(number <= expected[life]);
        if
        :: number == expected[life] -> expected[life]++
        :: else
        fi
    fi
}

#define canDial (process < processes && life < lives && !refused[DOOR(process, life)] && linkOf[life] != process + 1 && !done)

/* A process of rank 0 that dials process `life` of rank 1. */
proctype Dialer(byte process; byte life) {
    do
    :: d_step { canDial && ofThisJob(process, life) && inTable(process, life) -> admit(process, life) }
#ifdef NOT_YET_KNOWN_IS_LASTING
    :: d_step { canDial && ofThisJob(process, life) && incarnation[process] > table[life] ->
        refused[DOOR(process, life)] = true }
#endif
    :: d_step { linkOf[life] == process + 1 && sending[life] < FRAMES && !done ->
        frames[life]!sending[life];
        sending[life]++ }
    :: done && processes == PROCESSES -> break
    od
}

/* A process of rank 1. */
proctype Receiver(byte life) {
    do
    :: d_step { nempty(frames[life]) && !done -> receive(life) }
    /* a table has come */
    :: d_step { generation[rightful] == life && table[life] < incarnation[rightful] -> table[life] = incarnation[rightful] }
    /* a connection is cut, with what is in it */
    :: d_step { linkOf[life] != 0 && nempty(frames[life]) && !done -> breakLink(life) }
    :: done && processes == PROCESSES -> break
    od
}

inline next(lifeToo, incarnationToo) {
    processes++;
    generation[rightful] = generation[rightful - 1] + lifeToo;
    incarnation[rightful] = incarnation[rightful - 1] + incarnationToo;
    if
    :: lifeToo == 1 -> lives++; table[here] = incarnation[rightful]
    :: else
    fi
}

init {
    atomic {
        run Dialer(0, 0); run Dialer(0, 1); run Dialer(0, 2);
        run Dialer(1, 0); run Dialer(1, 1); run Dialer(1, 2);
        run Dialer(2, 0); run Dialer(2, 1); run Dialer(2, 2);
        run Receiver(0); run Receiver(1); run Receiver(2)
    }
    do
    :: d_step { processes < PROCESSES -> next(0, 1) } /* moved */
    :: d_step { processes < PROCESSES -> next(1, 1) } /* rolled back */
    :: d_step { processes < PROCESSES -> next(1, 0) } /* resumed by another launcher */
    :: done && processes == PROCESSES -> break
    od
}
