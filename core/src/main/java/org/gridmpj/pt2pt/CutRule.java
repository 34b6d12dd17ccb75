package org.gridmpj.pt2pt;

/**
 * The rules of a transparent cut of which each is there because leaving it out loses, doubles or reorders messages, gives
 * wrong results, or never ends. A test leaves out one after the other and demands that the simulator notices.
 */
enum CutRule {
    /** What peers that were sooner have begun, or given up, before this rank could take part is taken up when it can. */
    TAKE_UP_WHAT_HAS_BEGUN,
    /** Frames behind a marker are held until the own cut. */
    HOLD_BEHIND_MARKER,
    /** Frames that come after the own cut and before the peer's marker belong to the image. */
    LOG_UNTIL_MARKER,
    /** Of a frame whose payload is half here at the cut, the rest belongs to the image. */
    LOG_REST_OF_ARRIVING,
    /** The marker goes behind everything that was emitted before, also what waits for room. */
    MARKER_BEHIND_OUTBOX,
    /** A call that is entered again attaches to what it has started. */
    START_ONCE,
    /** Temporary arrays of a call belong to its journal: its operations refer to them. */
    KEEP_TEMPORARIES,
    /** Of a call that goes on behind it, its journal knows also what was sent or received without an operation. */
    KEEP_DIRECT,
    /** A message that belongs to the image is not taken past the log. */
    LOG_WHAT_GOES_DIRECT,
    /** The names of operations that peers will echo are kept. */
    KEEP_TOKENS,
    /** Who was on which host when the job began is kept, wherever a rank goes on: collectives have their shape from it. */
    KEEP_HOSTS,
    /** What had been emitted before the cut is in the receiver's custody: at restore the send has left. */
    EMITTED_IS_SENT,
    /** What waits for room at the cut cannot be taken back by a cancel after it. */
    NO_WITHDRAWAL_ACROSS_CUT,
    /** A rank that cannot be captured and would block abandons the epoch. */
    ABANDON_WHEN_BLOCKED,
    /** A rank that cannot be captured and polls abandons the epoch after a while. */
    ABANDON_AFTER_POLLING,
    /** An epoch that was abandoned anywhere is abandoned everywhere. */
    ABANDON_EVERYWHERE,
    /** The frames held behind an abandoned marker are let go. */
    RELEASE_WHEN_ABANDONED,
    /** The frames held behind a marker that is passed over belong before the cut of the epoch that this rank takes part in. */
    RELEASE_WHEN_PASSED_OVER,
    /** Nothing is logged for the cut of an earlier epoch when a rank takes part in a later one: the earlier one was given up. */
    END_LOG_WHEN_PASSED_OVER,
    /** A rank that waits in Finalize takes part: it still answers. */
    FINALIZED_TAKE_PART,
    /** What comes before a restored rank has its state is held. */
    HOLD_UNTIL_ADOPTED,
    /** What was in flight at the cut is delivered before what the restored peers send. */
    IN_FLIGHT_FIRST,
    /** Program and engine are one graph with one identity. */
    ONE_GRAPH,
    /** Messages that have come before their receives belong to the image. */
    KEEP_UNEXPECTED,
    /** A rank that leaves its process alone takes the frames along that wait for room: nobody else has them. */
    WAITING_GOES_ALONG,
    /** A frame that was half here when the rank left is sent anew, and belongs where its first half went. */
    HALF_HERE_GOES_ON,
    /** A rank that is captured while it waits for the others in shared memory has not come there. */
    WITHDRAW_FROM_MEETING,
    /** It is out of there before its other threads are asked to unwind with it, or it could come to stay when they have. */
    WITHDRAW_BEFORE_ASKING,
    /** Where all have come together in shared memory, nobody is cut before the call is over. */
    NO_CUT_IN_A_MEETING,
    /** Ranks come together in shared memory only when they have passed the same epochs. */
    MEET_IN_ONE_EPOCH,
    /** An epoch that was abandoned is passed. */
    PASS_WHAT_IS_ABANDONED,
    /** A rank that leaves its process alone closes the memory that it shares with others. */
    CLOSE_WHEN_LEAVING,
    /** A rank does not leave while it takes part in an epoch. */
    NO_DEPARTURE_IN_EPOCH;

    /** Whether it shows in runs in which ranks leave alone rather than in those with cuts through the job only. */
    boolean isOfDepartures() {
        return this == WAITING_GOES_ALONG
                || this == HALF_HERE_GOES_ON
                || this == NO_DEPARTURE_IN_EPOCH
                || this == CLOSE_WHEN_LEAVING;
    }

    /** Whether it shows where ranks have several threads only. */
    boolean isOfThreads() {
        return this == WITHDRAW_BEFORE_ASKING || this == END_LOG_WHEN_PASSED_OVER;
    }
}
