/*
 * Live migration: one decision. Never do the old and the new process both run, never neither.
 *
 * Rule of the design   docs/design/0014-live-migration.md: the old process stands still from its image until it is told to
 *                      stay or killed; the decision is one compare-and-set by the launcher; before it every failure has the
 *                      same answer: the new process is killed, the old one stays; nothing is taken back after it.
 * Code                 launcher job/Migration, coordination/Coordination.raiseIncarnation; checkpoint/RankDeparture
 *
 * A rank is to move, and once more if the first attempt is given up. Messages between the launcher and each process are in
 * order and take their time; kills take theirs. At any step one process dies, the launcher's patience ends, or another
 * launcher takes the job over and starts the rank anew. Wherever nothing more happens one process must run, or the launcher
 * must know of a death, after which all ranks go back (commit.pml).
 *
 * That a rank and its successor of another launcher may both run for a while is left to the fences (fence.pml); here the two
 * must not have the same incarnation.
 */
#ifndef ATTEMPTS
#define ATTEMPTS 2
#endif
mtype = { depart, stay, prepared, departed, arrive, arrived, go, notMoved };
mtype = { unborn, started, runs, stands, wrote, ready, adopted, dead };
mtype = { idle, starting, leaving, arriving, decided };

chan toOld = [2 * ATTEMPTS] of { mtype, byte };
chan fromOld = [3 * ATTEMPTS] of { mtype };
chan toNew[ATTEMPTS] = [2] of { mtype };
chan fromNew[ATTEMPTS] = [3] of { mtype };

mtype old = runs;
mtype new[ATTEMPTS] = unborn;
bool killOld;
bool killNew[ATTEMPTS];
bool image[ATTEMPTS]; /* the file is whole */

/* Coordination: compare-and-set. */
byte incarnation;
/* The rank of another launcher: its incarnation, or 0. */
byte successor;

/* The launcher. */
mtype step = idle;
byte attempt;
bool oldEnded;
bool goesBack; /* a death is known: all ranks go back */
bool isDecided; /* ghost */

#define NOBODY ATTEMPTS
#define newRuns (new[0] == runs || new[ATTEMPTS - 1] == runs)

inline enterNew(k) {
    assert(old != runs);                /* never both */
    assert(isDecided);
    assert(successor != 1);             /* one process for an incarnation */
    new[k] = runs
}

proctype Old() {
    byte wanted = NOBODY;
    byte standsFor = NOBODY;
    byte asked = NOBODY;
    byte stayed = 0; /* attempts that it was told to stay in */
    byte k;
    mtype said;
end:
    do
    :: d_step { old != dead && nempty(toOld) ->
        toOld?said,k;
        if
        :: said == depart -> wanted = k; asked = k
        :: said == stay ->
            wanted = NOBODY;
            if :: asked != NOBODY -> stayed = asked + 1 :: else fi
        fi;
        k = 0;
        said = 0 }
    /* at an MPI call */
    :: d_step { old == runs && wanted != NOBODY -> standsFor = wanted; wanted = NOBODY; old = stands }
    /* it cannot be captured, or it takes too long */
    :: d_step { old == runs && wanted != NOBODY -> wanted = NOBODY; fromOld!notMoved }
    :: d_step { old == stands ->
        image[standsFor] = true;
        fromOld!departed;
        old = wrote }
    :: d_step { old == stands -> fromOld!notMoved; old = runs; assert(!newRuns); standsFor = NOBODY }
#ifdef OLD_RUNS_ON
    :: d_step { old == wrote -> old = runs; assert(!newRuns); standsFor = NOBODY }
#else
    :: d_step { old == wrote && stayed > standsFor -> old = runs; assert(!newRuns); standsFor = NOBODY }
#endif
    :: d_step { killOld && old != dead -> old = dead; wanted = NOBODY; standsFor = NOBODY }
    od
}

proctype New(byte k) {
    mtype said;
end:
    do
    :: d_step { new[k] == started -> new[k] = ready; fromNew[k]!prepared }
    :: d_step { new[k] == ready && nempty(toNew[k]) ->
        toNew[k]?said;
        said = 0;
        if
        :: image[k] ->
            new[k] = adopted;
            fromNew[k]!arrived
        :: else -> fromNew[k]!notMoved
        fi }
#ifdef GO_WHEN_READ
    :: d_step { new[k] == adopted -> assert(old != runs); new[k] = runs }
#endif
    :: d_step { new[k] == adopted && nempty(toNew[k]) -> toNew[k]?said; said = 0; enterNew(k) }
    :: d_step { killNew[k] && new[k] != dead && new[k] != unborn -> new[k] = dead }
    od
}

/* The new process is killed, the old one stays. */
inline abort() {
    killNew[attempt] = true;
#ifndef NO_STAY
    toOld!stay,attempt;
#endif
    step = idle;
    attempt++
}

inline decide() {
    if
    :: oldEnded -> abort()
#ifdef NO_COMPARE
    :: !oldEnded ->
        incarnation = 1;
#else
    :: !oldEnded && incarnation != 0 -> abort()
    :: !oldEnded && incarnation == 0 ->
        incarnation++;
#endif
        isDecided = true;
        step = decided;
        killOld = true;
        toNew[attempt]!go
    fi
}

proctype Launcher() {
    mtype said;
end:
    do
    :: d_step { step == idle && attempt < ATTEMPTS && !goesBack && !oldEnded -> step = starting; new[attempt] = started }
    :: d_step { nempty(fromOld) ->
        fromOld?said;
        if
        :: said == departed && step == leaving -> step = arriving; toNew[attempt]!arrive
        :: said == notMoved && (step == starting || step == leaving || step == arriving) -> abort()
        :: else
        fi;
        said = 0 }
    :: d_step { attempt < ATTEMPTS && step != idle && step != decided && nempty(fromNew[attempt]) ->
        fromNew[attempt]?said;
        if
        :: said == prepared && step == starting -> step = leaving; toOld!depart,attempt
        :: said == arrived && step == arriving -> decide()
        :: else -> abort()
        fi;
        said = 0 }
    /* its patience ends */
    :: d_step { step == starting || step == leaving || step == arriving -> abort() }
#ifdef ABORT_AFTER_DECISION
    :: d_step { step == decided -> abort() }
#endif
    /* a process has ended that was not told to */
    :: d_step { old == dead && !oldEnded && !killOld ->
        oldEnded = true;
        goesBack = true;
        if :: step == starting || step == leaving || step == arriving -> abort() :: else fi }
    :: d_step { attempt < ATTEMPTS && new[attempt] == dead && !killNew[attempt] && step != idle && step != decided -> abort() }
    :: d_step { attempt < ATTEMPTS && new[attempt] == dead && step == decided && !goesBack -> goesBack = true }
    od
}

proctype Fate() {
    bool dies;
    bool takesOver;
    if :: dies = true :: dies = false fi;
    if :: takesOver = true :: takesOver = false fi;
end:
    do
    :: d_step { dies && old != dead -> dies = false; old = dead }
    :: d_step { dies && attempt < ATTEMPTS && new[attempt] != dead && new[attempt] != unborn ->
        dies = false;
        new[attempt] = dead }
    /* another launcher takes the job over */
    :: d_step { takesOver -> takesOver = false; incarnation++; successor = incarnation; assert(!newRuns || successor != 1) }
    /* nothing more happens: never neither */
    :: timeout -> assert(old == runs || newRuns || goesBack); break
    od
}

init {
    atomic { run Old(); run New(0); run New(ATTEMPTS - 1); run Launcher(); run Fate() }
}
