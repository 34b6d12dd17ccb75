package org.gridmpj.datatype;

/**
 * An operation of Reduce: inout[i] = in[i] ∘ inout[i] (MPI standard, 6.9).
 */
public interface Reducer {
    /** Combines count items of a type, element by element; in comes from the lower ranks. */
    void reduce(Object in, int inOffset, Object inout, int inoutOffset, int count, TypeMap type);

    /** Whether a ∘ b = b ∘ a; if not, ranks are combined strictly in order. */
    boolean commutative();
}
