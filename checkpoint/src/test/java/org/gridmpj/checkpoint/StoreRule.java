package org.gridmpj.checkpoint;

/** The rules by which snapshots are kept of which {@link StoreSimulation} can leave one out; it must notice. */
enum StoreRule {
    /** An image's bytes are forced before it counts. */
    FORCE_IMAGES,
    /** A manifest's bytes are forced before it gets its name. */
    FORCE_MANIFESTS,
    /** Names are forced with their folders. */
    FORCE_NAMES,
    /** Every byte of an epoch is read before a job goes back to it. */
    VERIFY_BEFORE_USE,
    /** The one before the newest committed epoch is kept. */
    KEEP_TWO,
    /** An epoch that was given up leaves nothing. */
    ABANDONED_LEAVES_NOTHING,
    /** What a dead life had not committed goes when the next one begins. */
    SWEEP,
    /** A life has names of its own: the generation is part of them. */
    GENERATION_IN_NAMES,
    /** What ranks of an earlier life report does not count. */
    IGNORE_EARLIER_LIVES,
    /** An epoch that does not restore twice is put aside. */
    QUARANTINE_AFTER_TWO,
    /** Only what is committed is referred to by increments. */
    BASE_IS_COMMITTED,
    /** What increments refer to is kept with them. */
    KEEP_BASES
}
