package org.gridmpj.snapshot;

/** Hears how a transparent cut goes on. Called under the engine's progress lock: must neither block nor throw. */
public interface CutListener {
    /** This rank has made its cut and the markers of all peers have come: the image lacks nothing any more. */
    void complete(int epoch, InFlightFrames inFlight);

    /**
     * The epoch and all before it that are not committed are abandoned: whatever there is of their images is to be
     * discarded. May come after {@link #complete}, and for an epoch that this rank has not heard of.
     *
     * @param here whether that was decided on this rank, which then has to report it
     */
    void abandoned(int epoch, String reason, boolean here);
}
