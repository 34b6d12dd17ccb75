package org.gridmpj.coll;

import java.util.Set;
import org.gridmpj.datatype.Reducer;

/** One step of a schedule, as plain data. */
sealed interface Action {
    /** Collects the regions that the step refers to. */
    default void addRegionsTo(Set<Region> regions) {
        switch (this) {
            case Send send -> regions.add(send.region());
            case Receive receive -> regions.add(receive.region());
            case Copy copy -> {
                regions.add(copy.from());
                regions.add(copy.to());
            }
            case Combine combine -> {
                regions.add(combine.lower());
                regions.add(combine.inout());
            }
        }
    }

    /** Starts a send. */
    record Send(Region region, int worldRank) implements Action {}

    /**
     * Starts a receive.
     *
     * @param exact whether fewer elements than the region has are an error of the program
     * @param ahead whether it may be posted rounds before its own, if the round allows it
     */
    record Receive(Region region, int worldRank, boolean exact, boolean ahead) implements Action {}

    /** Copies elements of one contiguous region to another; of objects, the references. */
    record Copy(Region from, Region to) implements Action {}

    /** inout = lower ∘ inout, item by item. */
    record Combine(Region lower, Region inout, Reducer op) implements Action {}
}
