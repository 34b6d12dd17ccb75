package org.gridmpj.snapshot;

/** Hears how a transparent cut goes on. Called under the engine's progress lock: must neither block nor throw. */
public interface CutListener {
    /** This rank has made its cut and the markers of all peers have come: the image lacks nothing any more. */
    void complete(int epoch, InFlightFrames inFlight);

    /**
     * The epoch is abandoned: whatever there is of its image is to be discarded. May come after {@link #complete}, and for
     * an epoch that this rank has not heard of.
     */
    void abandoned(int epoch, String reason);
}
