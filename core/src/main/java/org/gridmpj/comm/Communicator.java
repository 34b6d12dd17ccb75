package org.gridmpj.comm;

import org.gridmpj.pt2pt.PointToPoint;
import org.jspecify.annotations.Nullable;

/**
 * A group, its context ids and what is cached on it (MPI standard, 7.4). Two context ids: point-to-point and collective.
 *
 * Context ids are derived, without communication, from the path of creations (parent, ordinal of the creation in the
 * parent): each process of a communicator computes the same number, and a program that is run again after a crash
 * computes the same ones.
 */
public final class Communicator {
    /** The own rank in the local group. */
    public int rank() {
        throw new IllegalStateException("skeleton");
    }

    /** Number of processes in the local group. */
    public int size() {
        throw new IllegalStateException("skeleton");
    }

    /** The local group. */
    public Group group() {
        throw new IllegalStateException("skeleton");
    }

    /** The remote group of an intercommunicator, else null. */
    public @Nullable Group remoteGroup() {
        throw new IllegalStateException("skeleton");
    }

    /** Context id of point-to-point messages. */
    public long pointToPointContext() {
        throw new IllegalStateException("skeleton");
    }

    /** Context id of collectives. */
    public long collectiveContext() {
        throw new IllegalStateException("skeleton");
    }

    /** What carries its messages. */
    public PointToPoint pointToPoint() {
        throw new IllegalStateException("skeleton");
    }

    /** Name for messages to people. */
    public String name() {
        throw new IllegalStateException("skeleton");
    }
}
