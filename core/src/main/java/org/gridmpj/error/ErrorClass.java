package org.gridmpj.error;

/**
 * The error classes of MPI (standard, chapter 9.4). The numbers are part of the interface and are never reordered.
 */
public enum ErrorClass {
    SUCCESS(0, "no error"),
    BUFFER(1, "invalid buffer"),
    COUNT(2, "invalid count"),
    TYPE(3, "invalid datatype"),
    TAG(4, "invalid tag"),
    COMM(5, "invalid communicator"),
    RANK(6, "invalid rank"),
    REQUEST(7, "invalid request"),
    ROOT(8, "invalid root"),
    GROUP(9, "invalid group"),
    OP(10, "invalid operation"),
    TOPOLOGY(11, "invalid topology"),
    DIMS(12, "invalid dimensions"),
    ARG(13, "invalid argument"),
    UNKNOWN(14, "unknown error"),
    TRUNCATE(15, "message truncated"),
    OTHER(16, "known error of no other class"),
    INTERN(17, "internal error: please report it"),
    IN_STATUS(18, "error code in the status"),
    PENDING(19, "pending request"),
    /** A peer is gone for good and the transport cannot bring it back (ULFM's MPI_ERR_PROC_FAILED). */
    PROC_FAILED(20, "process failed"),
    /** A call after MPI.Finalize or before MPI.Init. */
    NOT_INITIALIZED(21, "MPI is not initialised");

    private final int code;
    private final String text;

    ErrorClass(int code, String text) {
        this.code = code;
        this.text = text;
    }

    /** The fixed number of this class. */
    public int code() {
        return code;
    }

    /** A few words for people. */
    public String text() {
        return text;
    }
}
