package mpj;

/** An operation of Reduce and its kin. */
public class Op extends mpi.Op {
    Op(mpi.Op other) {
        super(other);
    }

    /** An operation of the program's own. */
    public Op(mpi.User_function function, boolean commute) {
        super(function, commute);
    }
}
