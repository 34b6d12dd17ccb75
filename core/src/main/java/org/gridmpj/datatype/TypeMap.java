package org.gridmpj.datatype;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * A datatype: a base type and the displacements of its elements (MPI standard, 5.1). Immutable.
 *
 * <p>All displacements, extents and sizes count elements of the base type, as in mpiJava. Elements that follow each
 * other in the map and in the array are held as one run:
 *
 * <pre>
 *   vector(2, 3, 5, INT)      ■■■□□■■■        runs {0,3} {5,3}, size 6, extent 8
 *   contiguous(2, vector)     ■■■□□■■■■■■□□■■■  runs {0,3} {5,6} {13,3}
 * </pre>
 */
public final class TypeMap {
    private static final Map<BaseType, TypeMap> PREDEFINED = new EnumMap<>(BaseType.class);
    private static final TypeMap LOWER_BOUND =
            new TypeMap(null, new int[0], new int[0], new int[] {0}, 0, 0, true, false);
    private static final TypeMap UPPER_BOUND =
            new TypeMap(null, new int[0], new int[0], new int[] {0}, 0, 0, false, true);

    static {
        for (BaseType base : BaseType.values()) {
            PREDEFINED.put(base, new TypeMap(base, new int[] {0}, new int[] {1}, new int[] {0, 1}, 0, 1, false, false));
        }
    }

    /** Null for the two markers, and for types without elements that are made of nothing else. */
    private final @Nullable BaseType base;

    private final int[] runStarts;
    private final int[] runLengths;
    /** runPrefix[i] elements come before run i; the last entry is the size. */
    private final int[] runPrefix;

    private final int lowerBound;
    private final int upperBound;
    /** Bounds set by a marker stay set in types that are built from this one (MPI standard, LB and UB). */
    private final boolean explicitLower;

    private final boolean explicitUpper;
    private final int firstElement;
    private final int endElement;
    private final boolean contiguous;

    private TypeMap(
            @Nullable BaseType base,
            int[] runStarts,
            int[] runLengths,
            int[] runPrefix,
            int lowerBound,
            int upperBound,
            boolean explicitLower,
            boolean explicitUpper) {
        this.base = base;
        this.runStarts = runStarts;
        this.runLengths = runLengths;
        this.runPrefix = runPrefix;
        this.lowerBound = lowerBound;
        this.upperBound = upperBound;
        this.explicitLower = explicitLower;
        this.explicitUpper = explicitUpper;
        int first = Integer.MAX_VALUE;
        int end = Integer.MIN_VALUE;
        for (int i = 0; i < runStarts.length; i++) {
            first = Math.min(first, runStarts[i]);
            end = Math.max(end, runStarts[i] + runLengths[i]);
        }
        this.firstElement = runStarts.length == 0 ? 0 : first;
        this.endElement = runStarts.length == 0 ? 0 : end;
        int size = runPrefix[runStarts.length];
        this.contiguous = size == 0 || (runStarts.length == 1 && runStarts[0] == 0 && upperBound - lowerBound == size);
    }

    /** The predefined type of one element. */
    public static TypeMap of(BaseType base) {
        return Objects.requireNonNull(PREDEFINED.get(base));
    }

    /** count copies, one extent apart. */
    public static TypeMap contiguous(int count, TypeMap old) {
        requireCount(count);
        TypeMapBuilder map = new TypeMapBuilder(old);
        map.add(old, 0, count);
        return map.build();
    }

    /** count blocks of blockLength copies; starts stride extents of old apart. */
    public static TypeMap vector(int count, int blockLength, int stride, TypeMap old) {
        return strided(count, blockLength, (long) stride * old.extent(), old);
    }

    /** As vector; stride in base elements (mpiJava has no bytes). */
    public static TypeMap hvector(int count, int blockLength, int stride, TypeMap old) {
        return strided(count, blockLength, stride, old);
    }

    private static TypeMap strided(int count, int blockLength, long strideElements, TypeMap old) {
        requireCount(count);
        requireCount(blockLength);
        TypeMapBuilder map = new TypeMapBuilder(old);
        for (int i = 0; i < count; i++) {
            map.add(old, i * strideElements, blockLength);
        }
        return map.build();
    }

    /** Blocks at displacements that count extents of old. */
    public static TypeMap indexed(int[] blockLengths, int[] displacements, TypeMap old) {
        return blocks(blockLengths, displacements, old.extent(), old);
    }

    /** Blocks at displacements that count base elements. */
    public static TypeMap hindexed(int[] blockLengths, int[] displacements, TypeMap old) {
        return blocks(blockLengths, displacements, 1, old);
    }

    private static TypeMap blocks(int[] blockLengths, int[] displacements, int unit, TypeMap old) {
        requireEqualLengths(blockLengths.length, displacements.length, "displacements");
        TypeMapBuilder map = new TypeMapBuilder(old);
        for (int i = 0; i < blockLengths.length; i++) {
            requireCount(blockLengths[i]);
            map.add(old, (long) displacements[i] * unit, blockLengths[i]);
        }
        return map.build();
    }

    /** Blocks of several types of one base type; displacements count base elements; LB and UB markers allowed. */
    public static TypeMap struct(int[] blockLengths, int[] displacements, TypeMap[] olds) {
        requireEqualLengths(blockLengths.length, displacements.length, "displacements");
        requireEqualLengths(blockLengths.length, olds.length, "types");
        BaseType base = null;
        for (TypeMap old : olds) {
            if (old.base == null) {
                continue;
            }
            if (base != null && base != old.base) {
                throw new MpiFailure(
                        ErrorClass.TYPE,
                        "a struct mixes " + base + " and " + old.base
                                + ": an array has elements of one base type only; send the parts packed, or as OBJECT");
            }
            base = old.base;
        }
        TypeMapBuilder map = new TypeMapBuilder(base);
        for (int i = 0; i < olds.length; i++) {
            requireCount(blockLengths[i]);
            map.add(olds[i], displacements[i], blockLengths[i]);
        }
        return map.build();
    }

    /** The marker of a lower bound, for struct only. */
    public static TypeMap lowerBoundMarker() {
        return LOWER_BOUND;
    }

    /** The marker of an upper bound, for struct only. */
    public static TypeMap upperBoundMarker() {
        return UPPER_BOUND;
    }

    /**
     * The base type of all elements; BYTE for a struct of no blocks, whose messages are empty.
     *
     * @throws MpiFailure TYPE for a marker: it has none
     */
    public BaseType base() {
        if (base == null) {
            if (this != LOWER_BOUND && this != UPPER_BOUND) {
                return BaseType.BYTE;
            }
            throw new MpiFailure(
                    ErrorClass.TYPE,
                    "the marker " + this + " has no elements: it can stand in a struct, not in a message");
        }
        return base;
    }

    /** As {@link #base}, null for a marker or a type without a base type of its own. */
    @Nullable
    BaseType baseOrNull() {
        return base;
    }

    /** Number of base elements in one item. */
    public int size() {
        return runPrefix[runStarts.length];
    }

    /** Upper minus lower bound. */
    public int extent() {
        return upperBound - lowerBound;
    }

    /** Lower bound. */
    public int lowerBound() {
        return lowerBound;
    }

    /** Upper bound. */
    public int upperBound() {
        return upperBound;
    }

    /** Smallest displacement of an element, bounds set by markers apart; 0 if there is none. */
    public int firstElement() {
        return firstElement;
    }

    /** One more than the largest displacement of an element; 0 if there is none. */
    public int endElement() {
        return endElement;
    }

    /** Whether count items are one run of elements without a gap, beginning at the offset. */
    public boolean isContiguous() {
        return contiguous;
    }

    /** Number of runs in one item. */
    public int runCount() {
        return runStarts.length;
    }

    /** Displacement of a run. */
    public int runStart(int run) {
        return runStarts[run];
    }

    /** Elements of a run. */
    public int runLength(int run) {
        return runLengths[run];
    }

    /** Elements of an item that come before a run. */
    public int elementsBefore(int run) {
        return runPrefix[run];
    }

    /** The run that holds an element of an item, counted in the order of the map. */
    public int runOf(int element) {
        int found = Arrays.binarySearch(runPrefix, element);
        return found >= 0 ? found : -found - 2;
    }

    boolean hasExplicitLower() {
        return explicitLower;
    }

    boolean hasExplicitUpper() {
        return explicitUpper;
    }

    static TypeMap ofRuns(
            @Nullable BaseType base,
            int[] runStarts,
            int[] runLengths,
            int lowerBound,
            int upperBound,
            boolean explicitLower,
            boolean explicitUpper) {
        int[] prefix = new int[runStarts.length + 1];
        long sum = 0;
        for (int i = 0; i < runLengths.length; i++) {
            sum += runLengths[i];
            if (sum > Integer.MAX_VALUE) {
                throw new MpiFailure(
                        ErrorClass.ARG,
                        "a datatype of more than " + Integer.MAX_VALUE + " elements: use a count instead");
            }
            prefix[i + 1] = (int) sum;
        }
        return new TypeMap(base, runStarts, runLengths, prefix, lowerBound, upperBound, explicitLower, explicitUpper);
    }

    private static void requireCount(int count) {
        if (count < 0) {
            throw new MpiFailure(ErrorClass.COUNT, "a count or block length of a datatype is negative: " + count);
        }
    }

    private static void requireEqualLengths(int blocks, int others, String what) {
        if (blocks != others) {
            throw new MpiFailure(
                    ErrorClass.ARG,
                    blocks + " block lengths but " + others + " " + what + ": there must be one for each");
        }
    }

    @Override
    public String toString() {
        if (base == null) {
            return this == LOWER_BOUND ? "LB" : this == UPPER_BOUND ? "UB" : "a datatype without elements";
        }
        if (this == PREDEFINED.get(base)) {
            return base.name();
        }
        return "derived " + base + " (size " + size() + ", extent " + extent() + ", " + runCount() + " runs)";
    }
}
