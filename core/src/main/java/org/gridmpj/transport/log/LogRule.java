package org.gridmpj.transport.log;

/**
 * The rules of a lone return of which each is there because leaving it out loses or doubles messages, gives wrong results
 * unnoticed, never ends, or makes all go back where some could alone. A test leaves out one after the other and demands that
 * the simulator notices.
 */
public enum LogRule {
    /** What is sent is kept until the peer's snapshot is committed. */
    LOG_WHAT_IS_SENT,
    /** A rank that keeps nothing of what it sends says so before anybody can rely on it. */
    SAY_WHAT_IS_NOT_LOGGED,
    /** What was logged is trimmed when an epoch is committed, not when its cut is drawn. */
    TRIM_AT_COMMIT,
    /** What was logged is given to the transport again when the peer goes back. */
    REFILL,
    /** What was spilled is compared with its checksum when it is read back: a disk may turn bits. */
    CHECK_WHAT_COMES_BACK,
    /** A message that was received before is dropped. */
    DROP_WHAT_COMES_AGAIN,
    /** A message that comes again is compared with the first one. */
    COMPARE_HASHES,
    /** A message that was half here when its sender died goes on where its first half went. */
    HALF_HERE_GOES_ON,
    /** The rank that goes back has not caught up before the others have compared all that it had sent. */
    COMPARE_BEFORE_CAUGHT_UP,
    /** An answer to what this rank has not sent again yet is held until it has. */
    HOLD_EARLY_ANSWERS,
    /** That a peer has called Finalize is news only when this rank has sent again all that the peer had of it. */
    HOLD_FAREWELL,
    /** An answer names the operation of the present life. */
    NAME_OPERATIONS_ANEW,
    /** Markers of epochs that were given up are not refilled. */
    SKIP_OLD_MARKERS,
    /** The log of a rank that went back begins at its image. */
    LOG_FROM_IMAGE,
    /** No epoch begins before the rank that went back has caught up. */
    CATCH_UP_BEFORE_EPOCHS,
    /** What depends on a determinant leaves this rank, and is shown, only when its holders have it. */
    HOLD_BACK_WHAT_DEPENDS,
    /** A holder has a determinant when it says so, not when it was sent. */
    HELD_WHEN_HOLDER_SAYS_SO,
    /** A rank that has gone back matches nothing before it knows its determinants. */
    AWAIT_DETERMINANTS,
    /** Where there is a determinant it is followed. */
    FOLLOW_DETERMINANTS,
    /** A holder that has gone back is given again what it held before it has caught up. */
    REFILL_HOLDER,
    /** Determinants are kept until an epoch is committed, not until its cut is drawn. */
    KEEP_DETERMINANTS_TO_COMMIT,
    /** A rank has not caught up before it has followed all its determinants: no image has them. */
    FOLLOW_BEFORE_CAUGHT_UP,
    /** Determinants are held when every holder has them: any one of them may be the one that is left. */
    HELD_BY_EVERY_HOLDER,
    /** A rank that goes back hears every holder: one that went back itself has nothing to say. */
    AWAIT_EVERY_HOLDER,
    /** A holder that went back, too, is given what another one had. */
    GIVE_WHAT_OTHERS_HAD,
    /** Nobody goes back alone when all its holders go back. */
    A_HOLDER_IS_LEFT,
    /** The holders of a rank are at other hosts: all ranks of a host may die together. */
    HOLDERS_AT_OTHER_HOSTS,
    /** How many polls have said no is recorded before anything leaves that may depend on it. */
    COUNT_NOES,
    /** A poll that said no says no again, whatever is complete. */
    SAY_NO_AS_BEFORE,
    /** A poll that said yes waits until it can say so again. */
    SAY_YES_AS_BEFORE,
    /** An image has the number of the next poll. */
    POLL_NUMBERS_IN_IMAGE,
    /** A receive that is going to be cancelled gets no message. */
    CANCELLED_GETS_NOTHING,
    /** A cancel of which nothing is known waits until all has come that may have matched before. */
    REFILL_BEFORE_CANCEL,
    /** A rank that goes back says "that was all" to another one that does when it is back itself: till then that one may get more. */
    BACK_BEFORE_THAT_WAS_ALL,
    /** What depends on a determinant goes to a holder, too, only when the others have it: it tells third ones without waiting. */
    HOLDER_AWAITS_THE_OTHERS,
    /** What a rank has sent again before it has heard that this is owed is not owed any more. */
    EARLY_DATA_IS_NOT_OWED
}
