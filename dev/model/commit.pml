/*
 * The commit of an epoch: recovery picks the newest committed epoch, never a torn or mixed one.
 *
 * Rule of the design   docs/design/0004-snapshot-format.md, "Store": bytes of the image, forced, read again, its name, the
 *                      folder forced, SnapshotWritten of all ranks, the manifest's bytes, forced, its name, the folder
 *                      forced; the generation is part of every name; reports of an earlier generation are dropped; the last
 *                      two committed epochs are kept; every byte is read before an epoch is used.
 * Code                 checkpoint/FileSnapshotStore, checkpoint/EpochLedger, launcher job/Snapshots, job/Recovery
 *
 * Every step of a rank or of the launcher is one atomic step here, so a death falls between any two. A rank dies, the
 * launcher dies, or the power goes and takes along what was not forced: names are lost, bytes are torn. After a death that is
 * no power cut an old rank may go on as a zombie. Once a disk damages an image that is there.
 *
 * Left out of the model: increments and lineages, partner copies, restores that fail (SnapshotFaultTableTest).
 */
#define RANKS 2
#ifndef LIVES
#define LIVES 3 /* generations */
#endif
#ifndef EPOCHS
#define EPOCHS 3
#endif

/* A rank's image, by FILE. */
#define NONE 0
#define WRITTEN 1 /* bytes under the temporary name, in the kernel's memory */
#define FORCED 2
#define NAMED_TORN 3 /* it has its name, a power cut tears it */
#define NAMED 4      /* whole, its name is in the kernel's memory */
#define DURABLE 5
#define TORN 6
/* A manifest. */
#define MANIFEST_NAMED 1
#define MANIFEST_DURABLE 2 /* its name is forced too */

#ifdef NO_GENERATION_IN_NAME
#define FOLDER(life, epoch) (epoch)
#else
#define FOLDER(life, epoch) ((life) * EPOCHS + (epoch))
#endif
#define FILE(life, epoch, rank) (FOLDER(life, epoch) * RANKS + (rank))
#define PLACE(life, rank) ((life) * RANKS + (rank))

byte image[LIVES * EPOCHS * RANKS];
byte writer[LIVES * EPOCHS * RANKS]; /* the life that wrote it: what the image's header says */
byte manifest[LIVES * EPOCHS];

/* Ranks by PLACE; one that takes no more steps is dead. Its step counts what it has done for the image under way. */
byte step[LIVES * RANKS];
byte imaged[LIVES * RANKS];   /* number of epochs whose images it has begun */
byte begun[LIVES];            /* number of epochs begun, those before this life included */

/* The launcher. */
#define RUNNING 0
#define RENAMED 1
#define SWEEPING 2
#define CHOOSING 3
byte launcher;
byte life;
bool open; /* an epoch is under way */
byte got;  /* ranks whose images of it are there */

/* Ghosts: folder + 1 of the newest epoch that the ranks were told is real, of the one before; whether a disk was bad. */
byte announced;
byte announcedBefore;
bool damaged;
hidden byte i, r, usable, kept;

#define ALL ((1 << RANKS) - 1)
#define intact(folder) (image[(folder) * RANKS] >= NAMED_TORN && image[(folder) * RANKS] <= DURABLE \
    && image[(folder) * RANKS + 1] >= NAMED_TORN && image[(folder) * RANKS + 1] <= DURABLE)

inline removeFolder(folder) {
    r = 0;
    do
    :: r < RANKS -> image[(folder) * RANKS + r] = NONE; writer[(folder) * RANKS + r] = 0; r++
    :: r == RANKS -> break
    od;
    manifest[folder] = NONE
}

/* Committed epochs beyond the newest KEPT go, and what is older than they and not committed. */
#ifdef KEEP_ONE
#define KEPT 1
#else
#define KEPT 2
#endif
inline retain() {
    i = LIVES * EPOCHS;
    kept = 0;
    do
    :: i > 0 ->
        i--;
        if
        :: kept >= KEPT -> removeFolder(i)
        :: kept < KEPT && manifest[i] != NONE -> kept++
        :: else
        fi
    :: i == 0 -> break
    od;
    kept = 0
}

/* Generations before this one: what is not committed goes. */
inline sweep() {
    i = 0;
    do
    :: i < life * EPOCHS ->
        if :: manifest[i] == NONE -> removeFolder(i) :: else fi;
        i++
    :: i == life * EPOCHS -> break
    od;
    i = 0
}

/*
 * The newest committed epoch of which every byte is as it was written; LIVES * EPOCHS if there is none. Newer ones go to
 * quarantine. A launcher that died may have renamed the manifest and not forced the name: that is done now.
 */
inline choose() {
    i = LIVES * EPOCHS;
    usable = LIVES * EPOCHS;
    do
    :: i > 0 && usable == LIVES * EPOCHS ->
        i--;
        if
#ifdef NO_VERIFY
        :: manifest[i] != NONE -> usable = i
#else
        :: manifest[i] != NONE && intact(i) -> usable = i
        :: manifest[i] != NONE && !intact(i) -> removeFolder(i)
#endif
        :: else
        fi
    :: i == 0 || usable < LIVES * EPOCHS -> break
    od;
#ifndef NO_FORCE_ON_RECOVERY
    if
    :: usable < LIVES * EPOCHS -> manifest[usable] = MANIFEST_DURABLE
    :: else
    fi
#endif
}

inline announce(folder) {
    if
    :: announced < folder + 1 -> announcedBefore = announced; announced = folder + 1
    :: else
    fi
}

/* What ranks have gone back to stays, too: their output was passed on. */
inline check() {
    if
    :: usable < LIVES * EPOCHS ->
        assert(intact(usable)); /* never a torn one */
        assert(writer[usable * RANKS] == writer[usable * RANKS + 1]); /* never of two timelines */
        assert(usable + 1 >= announced || (damaged && usable + 1 >= announcedBefore)); /* the newest */
        announce(usable);
        begun[life] = usable % EPOCHS + 1
    :: else ->
        assert(announced == 0 || (damaged && announcedBefore == 0));
        begun[life] = 0
    fi;
    imaged[PLACE(life, 0)] = begun[life];
    imaged[PLACE(life, 1)] = begun[life]
}

inline damageNewest() {
    damaged = true;
    i = LIVES * EPOCHS;
    do
    :: i > 0 && manifest[i - 1] == NONE -> i--
    :: i > 0 && manifest[i - 1] != NONE -> image[(i - 1) * RANKS] = TORN; break
    :: i == 0 -> break
    od;
    i = 0
}

/* Names and bytes that were not forced are gone; a name whose bytes were not forced has some of them. */
inline powerCut() {
    i = 0;
    do
    :: i < LIVES * EPOCHS * RANKS ->
        if
        :: image[i] == NAMED_TORN -> image[i] = TORN
        :: image[i] == WRITTEN || image[i] == FORCED || image[i] == NAMED -> image[i] = NONE
        :: else
        fi;
        i++
    :: i == LIVES * EPOCHS * RANKS -> break
    od;
    i = 0;
    do
    :: i < LIVES * EPOCHS ->
        if :: manifest[i] == MANIFEST_NAMED -> manifest[i] = NONE :: else fi;
        i++
    :: i == LIVES * EPOCHS -> break
    od;
    i = 0;
    do
    :: i < LIVES * RANKS -> step[i] = 0; imaged[i] = EPOCHS; i++
    :: i == LIVES * RANKS -> break
    od
}

inline stop(place) {
    step[place] = 0;
    imaged[place] = EPOCHS
}

/* Of the ranks that were, the last one is the zombie, until the life after. */
inline nextLife() {
    stop(PLACE(life, 0));
    if :: life > 0 -> stop(PLACE(life - 1, 1)) :: else fi;
    life++;
    launcher = SWEEPING;
    open = false;
    got = 0
}

#define EPOCH(place) (imaged[place] - 1)
/* What comes by a connection of an earlier generation is dropped. */
#ifdef OLD_REPORTS
#define HEARD(mine) true
#else
#define HEARD(mine) (mine == life)
#endif

#define place PLACE(mine, me)
#define file FILE(mine, EPOCH(place), me)

/* A rank of a life. */
proctype Rank(byte mine; byte me) {
end:
    do
    :: d_step { step[place] == 0 && imaged[place] < begun[mine] ->
        imaged[place] = begun[mine];
        step[place] = 1;
        if :: image[file] == NONE -> image[file] = WRITTEN :: else fi }
#ifdef NO_FORCE
    :: d_step { step[place] == 1 -> step[place] = 2 }
#else
    :: d_step { step[place] == 1 ->
        step[place] = 2;
        if :: image[file] == WRITTEN -> image[file] = FORCED :: else fi }
#endif
    :: d_step { step[place] == 2 ->
        step[place] = 3;
        if
        :: image[file] == NONE -> step[place] = 0 /* removed meanwhile: given up */
        :: image[file] == WRITTEN -> image[file] = NAMED_TORN; writer[file] = mine + 1
        :: image[file] > WRITTEN -> image[file] = NAMED; writer[file] = mine + 1
        fi }
    :: d_step { step[place] == 3 ->
        step[place] = 0;
        if :: image[file] == NAMED -> image[file] = DURABLE :: else fi;
        if
        :: HEARD(mine) && open && EPOCH(place) == begun[life] - 1 -> got = got | (1 << me)
        :: else
        fi }
    /* its disk is full: the launcher gives the epoch up */
    :: d_step { step[place] == 1 && mine == life && launcher == RUNNING && open && EPOCH(place) == begun[life] - 1 ->
        step[place] = 0;
        open = false;
        got = 0;
        removeFolder(FOLDER(life, begun[life] - 1)) }
    od
}

#define folderUnderWay FOLDER(life, begun[life] - 1)
#ifdef COMMIT_EARLY
#define allGot (got != 0)
#else
#define allGot (got == ALL)
#endif

active proctype Launcher() {
    atomic { run Rank(0, 0); run Rank(0, 1); run Rank(1, 0); run Rank(1, 1); run Rank(2, 0); run Rank(2, 1) }
end:
    do
    :: d_step { launcher == RUNNING && !open && begun[life] < EPOCHS -> begun[life]++; open = true; got = 0 }
    /* the manifest's bytes are written and forced: nobody looks at its temporary name */
    :: d_step { launcher == RUNNING && open && allGot ->
        manifest[folderUnderWay] = MANIFEST_NAMED;
#ifdef ANNOUNCE_EARLY
        announce(folderUnderWay);
#endif
        launcher = RENAMED }
    :: d_step { launcher == RENAMED ->
        manifest[folderUnderWay] = MANIFEST_DURABLE;
        announce(folderUnderWay);
        retain();
        open = false;
        launcher = RUNNING }
    :: d_step { launcher == SWEEPING -> sweep(); launcher = CHOOSING }
    /* a disk has damaged the newest: if any other, nobody notices */
    :: d_step { launcher == CHOOSING && !damaged -> damageNewest() }
    :: d_step { launcher == CHOOSING -> choose(); check(); launcher = RUNNING }
    od
}

/* What befalls a job. */
active proctype Fate() {
end:
    do
    /* a rank or the launcher dies; the other processes of that life may go on or not */
    :: d_step { life < LIVES - 1 -> nextLife() }
    :: d_step { life < LIVES - 1 -> powerCut(); nextLife() }
    od
}
