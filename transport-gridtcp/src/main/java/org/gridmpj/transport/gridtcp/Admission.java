package org.gridmpj.transport.gridtcp;

/** Answer to a handshake. The codes are on the wire: never reordered. */
enum Admission {
    /** Go on: sending anew from the numbers of the handshakes. */
    ACCEPTED(0, "accepted", false),
    /** The peer is of another timeline of the job. */
    OTHER_GENERATION(1, "it belongs to another generation of the job", true),
    /** The peer was replaced by a higher incarnation. */
    FENCED(2, "its rank has been started anew or moved: this process is the old one", true),
    /** The peer is of an incarnation that the IP table here does not know yet. */
    NOT_YET_KNOWN(3, "the IP table with its new incarnation has not come yet", false),
    /** The peer looks for a lower incarnation of this rank than it has. */
    OLD_TABLE(4, "its IP table is out of date", false),
    /** The peer expects frames that are retained no more, or were never sent: one side has lost its state. */
    NUMBERS_LOST(5, "the numbers of the two ends do not fit together: one end has lost its state", true),
    /** The peer has said goodbye, or this rank has ended. */
    ENDED(6, "the rank has ended", true),
    /** The handshake does not fit the job: size or rank. */
    OTHER_JOB(7, "rank or size do not fit this job", true);

    private static final Admission[] ALL = values();

    private final int code;
    private final String text;
    private final boolean lasting;

    Admission(int code, String text, boolean lasting) {
        this.code = code;
        this.text = text;
        this.lasting = lasting;
    }

    int code() {
        return code;
    }

    /** A clause for people, "it …" being the refused peer. */
    String text() {
        return text;
    }

    /** Whether trying again is of no use before a new IP table comes. */
    boolean isLasting() {
        return lasting;
    }

    static Admission of(int code) {
        for (Admission admission : ALL) {
            if (admission.code == code) {
                return admission;
            }
        }
        throw new IllegalArgumentException("no admission has code " + code);
    }
}
