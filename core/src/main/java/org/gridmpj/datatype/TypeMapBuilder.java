package org.gridmpj.datatype;

import java.util.Arrays;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * Collects the runs and bounds of a datatype under construction. Adjacent runs become one.
 *
 * <p>Bounds by the MPI standard (5.1.6): the smallest displacement, unless a lower bound was set by a marker somewhere
 * below, then the smallest of those; upper bounds alike.
 */
final class TypeMapBuilder {
    private final @Nullable BaseType base;
    private int[] starts = new int[8];
    private int[] lengths = new int[8];
    private int runs;
    private long lower = Long.MAX_VALUE;
    private long upper = Long.MIN_VALUE;
    private boolean explicitLower;
    private boolean explicitUpper;

    TypeMapBuilder(TypeMap old) {
        this(old.baseOrNull());
    }

    TypeMapBuilder(@Nullable BaseType base) {
        this.base = base;
    }

    /** Adds copies of a type, one extent of it apart. */
    void add(TypeMap old, long displacement, int copies) {
        if (copies == 0) {
            return;
        }
        long last = displacement + (long) (copies - 1) * old.extent();
        addBounds(old, Math.min(displacement, last), Math.max(displacement, last));
        if (old.size() == 0) {
            return;
        }
        if (old.runCount() == 1 && old.runLength(0) == old.extent()) {
            addRun(displacement + old.runStart(0), (long) copies * old.size());
            return;
        }
        for (int i = 0; i < copies; i++) {
            long origin = displacement + (long) i * old.extent();
            for (int run = 0; run < old.runCount(); run++) {
                addRun(origin + old.runStart(run), old.runLength(run));
            }
        }
    }

    private void addBounds(TypeMap old, long first, long last) {
        // a type without elements and markers has no place: it moves no bound
        if (old.size() > 0 || old.hasExplicitLower()) {
            if (old.hasExplicitLower() && !explicitLower) {
                explicitLower = true;
                lower = first + old.lowerBound();
            } else if (old.hasExplicitLower() == explicitLower) {
                lower = Math.min(lower, first + old.lowerBound());
            }
        }
        if (old.size() > 0 || old.hasExplicitUpper()) {
            if (old.hasExplicitUpper() && !explicitUpper) {
                explicitUpper = true;
                upper = last + old.upperBound();
            } else if (old.hasExplicitUpper() == explicitUpper) {
                upper = Math.max(upper, last + old.upperBound());
            }
        }
    }

    private void addRun(long start, long length) {
        if (start < Integer.MIN_VALUE || start + length > Integer.MAX_VALUE || length > Integer.MAX_VALUE) {
            throw new MpiFailure(
                    ErrorClass.ARG,
                    "a datatype reaches from displacement " + start + " over " + length
                            + " elements: no Java array is so long");
        }
        if (runs > 0
                && (long) starts[runs - 1] + lengths[runs - 1] == start
                && lengths[runs - 1] + length <= Integer.MAX_VALUE) {
            lengths[runs - 1] += (int) length;
            return;
        }
        if (runs == starts.length) {
            starts = Arrays.copyOf(starts, runs * 2);
            lengths = Arrays.copyOf(lengths, runs * 2);
        }
        starts[runs] = (int) start;
        lengths[runs] = (int) length;
        runs++;
    }

    TypeMap build() {
        long low = lower == Long.MAX_VALUE ? Math.min(0, upper == Long.MIN_VALUE ? 0 : upper) : lower;
        long high = upper == Long.MIN_VALUE ? Math.max(0, low) : upper;
        if (low < Integer.MIN_VALUE || high > Integer.MAX_VALUE || Math.abs(high - low) > Integer.MAX_VALUE) {
            throw new MpiFailure(
                    ErrorClass.ARG, "a datatype has bounds " + low + " and " + high + ": no Java array is so long");
        }
        return TypeMap.ofRuns(
                base,
                Arrays.copyOf(starts, runs),
                Arrays.copyOf(lengths, runs),
                (int) low,
                (int) high,
                explicitLower,
                explicitUpper);
    }
}
