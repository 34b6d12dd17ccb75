package org.gridmpj.pt2pt;

import org.gridmpj.datatype.TypeMap;

/**
 * Point-to-point operations in world ranks: what communicators and collectives are built on. Thread-safe
 * (MPI_THREAD_MULTIPLE). PROC_NULL never arrives here.
 *
 * A blocking call is start + wait; start happens exactly once.
 */
public final class PointToPoint {
    /** Any source. */
    public static final int ANY_SOURCE = -2;

    /** Any tag. */
    public static final int ANY_TAG = -2;

    /** Blocking send; buffers and tags are checked by the caller. */
    public void send(
            SendMode mode,
            Object array,
            int offset,
            int count,
            TypeMap type,
            int destination,
            long contextId,
            int tag) {
        throw new IllegalStateException("skeleton");
    }

    /** Blocking receive into status. */
    public void receive(
            Object array,
            int offset,
            int count,
            TypeMap type,
            int source,
            long contextId,
            int tag,
            boolean matchType,
            MessageStatus status) {
        throw new IllegalStateException("skeleton");
    }

    /** Nonblocking send. */
    public Request isend(
            SendMode mode,
            Object array,
            int offset,
            int count,
            TypeMap type,
            int destination,
            long contextId,
            int tag) {
        throw new IllegalStateException("skeleton");
    }

    /** Nonblocking receive; matchType: the datatype must match too (MPJ of 2005). */
    public Request ireceive(
            Object array, int offset, int count, TypeMap type, int source, long contextId, int tag, boolean matchType) {
        throw new IllegalStateException("skeleton");
    }

    /** An inactive persistent send. */
    public Request sendInit(
            SendMode mode,
            Object array,
            int offset,
            int count,
            TypeMap type,
            int destination,
            long contextId,
            int tag) {
        throw new IllegalStateException("skeleton");
    }

    /** An inactive persistent receive. */
    public Request receiveInit(
            Object array, int offset, int count, TypeMap type, int source, long contextId, int tag, boolean matchType) {
        throw new IllegalStateException("skeleton");
    }

    /** Starts an inactive persistent request. */
    public void start(Request request) {
        throw new IllegalStateException("skeleton");
    }

    /** Whether a message could be received now; fills status if so. */
    public boolean iprobe(int source, long contextId, int tag, MessageStatus status) {
        throw new IllegalStateException("skeleton");
    }

    /** Blocks until a message could be received. */
    public void probe(int source, long contextId, int tag, MessageStatus status) {
        throw new IllegalStateException("skeleton");
    }

    /** Blocks until complete; rethrows the failure of the operation. */
    public void await(Request request) {
        throw new IllegalStateException("skeleton");
    }

    /** One round of progress; whether complete. */
    public boolean test(Request request) {
        throw new IllegalStateException("skeleton");
    }

    /** Blocks until one of the active requests is complete; its index, or −1 if none is active. Nulls are skipped. */
    public int awaitAny(Request[] requests) {
        throw new IllegalStateException("skeleton");
    }

    /** As awaitAny without blocking; −1 if none is complete or active. */
    public int testAny(Request[] requests) {
        throw new IllegalStateException("skeleton");
    }

    /** Cancels if not yet matched (MPI standard, 3.8.4); the request must still be completed. */
    public void cancel(Request request) {
        throw new IllegalStateException("skeleton");
    }

    /** Frees an operation at its completion (MPI_Request_free). */
    public void free(Request request) {
        throw new IllegalStateException("skeleton");
    }

    /** Gives room for buffered sends. */
    public void attachBuffer(int bytes) {
        throw new IllegalStateException("skeleton");
    }

    /** Blocks until all buffered sends have left; the size attached. */
    public int detachBuffer() {
        throw new IllegalStateException("skeleton");
    }

    /** Registers an operation that the progress engine is to advance (a collective schedule). */
    public void startSchedule(Request schedule) {
        throw new IllegalStateException("skeleton");
    }
}
