package mpj;

/** An operation of the program's own, as in {@link mpi.User_function}. */
public abstract class User_function extends mpi.User_function {
    public User_function() {}

    @Override
    public final void Call(
            Object invec, int inoffset, Object inoutvec, int outoffset, int count, mpi.Datatype datatype) {
        Call(invec, inoffset, inoutvec, outoffset, count, new Datatype(datatype));
    }

    /** Sets {@code inoutvec[i] = invec[i] ∘ inoutvec[i]}. */
    public abstract void Call(Object invec, int inoffset, Object inoutvec, int outoffset, int count, Datatype datatype);
}
