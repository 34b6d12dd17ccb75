package org.gridmpj.datatype;

/**
 * A datatype: a base type and the displacements of its elements (MPI standard, 5.1). Immutable.
 *
 * All displacements, extents and sizes count elements of the base type, as in mpiJava.
 */
public final class TypeMap {
    /** The predefined type of one element. */
    public static TypeMap of(BaseType base) {
        throw new IllegalStateException("skeleton");
    }

    /** count copies, one extent apart. */
    public static TypeMap contiguous(int count, TypeMap old) {
        throw new IllegalStateException("skeleton");
    }

    /** count blocks of blockLength copies; starts stride extents of old apart. */
    public static TypeMap vector(int count, int blockLength, int stride, TypeMap old) {
        throw new IllegalStateException("skeleton");
    }

    /** As vector; stride in base elements (mpiJava has no bytes). */
    public static TypeMap hvector(int count, int blockLength, int stride, TypeMap old) {
        throw new IllegalStateException("skeleton");
    }

    /** Blocks at displacements that count extents of old. */
    public static TypeMap indexed(int[] blockLengths, int[] displacements, TypeMap old) {
        throw new IllegalStateException("skeleton");
    }

    /** Blocks at displacements that count base elements. */
    public static TypeMap hindexed(int[] blockLengths, int[] displacements, TypeMap old) {
        throw new IllegalStateException("skeleton");
    }

    /** Blocks of several types of one base type; displacements count base elements; LB and UB markers allowed. */
    public static TypeMap struct(int[] blockLengths, int[] displacements, TypeMap[] olds) {
        throw new IllegalStateException("skeleton");
    }

    /** The marker of a lower bound, for struct only. */
    public static TypeMap lowerBoundMarker() {
        throw new IllegalStateException("skeleton");
    }

    /** The marker of an upper bound, for struct only. */
    public static TypeMap upperBoundMarker() {
        throw new IllegalStateException("skeleton");
    }

    /** The base type of all elements. */
    public BaseType base() {
        throw new IllegalStateException("skeleton");
    }

    /** Number of base elements in one item. */
    public int size() {
        throw new IllegalStateException("skeleton");
    }

    /** Upper minus lower bound. */
    public int extent() {
        throw new IllegalStateException("skeleton");
    }

    /** Lower bound. */
    public int lowerBound() {
        throw new IllegalStateException("skeleton");
    }

    /** Upper bound. */
    public int upperBound() {
        throw new IllegalStateException("skeleton");
    }

    /** Whether count items are one run of elements without a gap. */
    public boolean isContiguous() {
        throw new IllegalStateException("skeleton");
    }
}
