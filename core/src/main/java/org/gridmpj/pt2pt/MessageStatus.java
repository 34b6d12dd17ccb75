package org.gridmpj.pt2pt;

import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a received message (MPI standard, 3.2.5). Mutable, so that a blocking receive allocates nothing.
 */
public final class MessageStatus {
    /** World rank of the sender; −1 for PROC_NULL. */
    public int sourceWorldRank;

    /** Tag of the message. */
    public int tag;

    /** Number of base elements. */
    public int count;

    /** Length in bytes. */
    public long bytes;

    /** BaseType.code() of what was sent. */
    public int typeCode;

    /** Whether the operation was cancelled instead. */
    public boolean cancelled;

    /** Why the operation failed, or null. */
    public @Nullable MpiFailure failure;

    /** Takes over all fields of another status. */
    public void set(MessageStatus other) {
        sourceWorldRank = other.sourceWorldRank;
        tag = other.tag;
        count = other.count;
        bytes = other.bytes;
        typeCode = other.typeCode;
        cancelled = other.cancelled;
        failure = other.failure;
    }
}
