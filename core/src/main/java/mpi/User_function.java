package mpi;

/** An operation of the program's own for Reduce and its kin (MPI_Op_create). */
public abstract class User_function {
    public User_function() {}

    /**
     * Sets {@code inoutvec[i] = invec[i] ∘ inoutvec[i]} for count items of a datatype; invec comes from the lower ranks.
     *
     * @param invec array of the left operands
     * @param inoffset first element of the left operands
     * @param inoutvec array of the right operands, overwritten by the results
     * @param outoffset first element of the right operands
     * @param count number of items of the datatype
     * @param datatype what an item is
     */
    public abstract void Call(Object invec, int inoffset, Object inoutvec, int outoffset, int count, Datatype datatype);
}
