package org.gridmpj.pt2pt;

/** Hears that a rank has met something that another run would meet otherwise. */
@FunctionalInterface
public interface ChanceListener {
    /**
     * The first such event since a cut; it has not had its outcome yet.
     *
     * @param cutEpoch of the last cut of this rank, −1 for none
     * @param what it was, for people
     */
    void met(int cutEpoch, String what);
}
