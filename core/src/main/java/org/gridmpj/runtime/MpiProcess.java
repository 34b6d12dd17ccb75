package org.gridmpj.runtime;

import org.gridmpj.comm.Communicator;

/**
 * One rank: everything that was constructed for it. The facade binds its statics to one; a test may hold several.
 */
public final class MpiProcess implements AutoCloseable {
    /** Opens the transport, meets the other ranks and builds COMM_WORLD (MPI_Init). */
    static MpiProcess start(RankContext context) {
        throw new IllegalStateException("skeleton");
    }

    /** COMM_WORLD. */
    public Communicator world() {
        throw new IllegalStateException("skeleton");
    }

    /** COMM_SELF. */
    public Communicator self() {
        throw new IllegalStateException("skeleton");
    }

    /** Drains what is in flight, says goodbye, and closes the transport (MPI_Finalize). */
    public void shutdown() {
        throw new IllegalStateException("skeleton");
    }

    /** Ends the whole job with a code (MPI_Abort); does not return. */
    public void abort(int code, String reason) {
        throw new IllegalStateException("skeleton");
    }

    @Override
    public void close() {
        throw new IllegalStateException("skeleton");
    }
}
