package mpi;

import org.gridmpj.datatype.Reducer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/** An operation of Reduce, Allreduce, Reduce_scatter, Scan and Exscan (MPI standard, 6.9). */
public class Op implements Freeable {
    private final String name;
    private @Nullable Reducer reducer;

    /**
     * An operation of the program's own.
     *
     * @param function what combines two vectors
     * @param commute whether the order of the operands is of no matter; if it is, they are combined in rank order
     */
    public Op(User_function function, boolean commute) {
        this("user operation", new UserReducer(function, commute));
    }

    Op(String name, Reducer reducer) {
        this.name = name;
        this.reducer = reducer;
    }

    /** For subclasses under another name: the same operation. */
    protected Op(Op other) {
        this.name = other.name;
        this.reducer = other.reducer;
    }

    /** Applies the operation to two vectors of the caller. */
    public final void Call(Object invec, int inoffset, Object inoutvec, int outoffset, int count, Datatype datatype) {
        try {
            reducer("Op.Call").reduce(invec, inoffset, inoutvec, outoffset, count, datatype.map("Op.Call"));
        } catch (MpiFailure failure) {
            throw new MPIException(failure);
        }
    }

    /** Gives the operation back; the predefined ones stay. */
    @Override
    public void free() {
        if (reducer instanceof UserReducer) {
            reducer = null;
        }
    }

    /** As {@link #free}. */
    public void Free() {
        free();
    }

    /** Does nothing: operations are collected. */
    @Override
    @SuppressWarnings({"removal", "Finalize"}) // mpiJava programs call it by name
    public void finalize() {}

    final Reducer reducer(String call) {
        Reducer current = reducer;
        if (current == null) {
            throw new MpiFailure(ErrorClass.OP, call + ": the operation was freed");
        }
        return current;
    }

    @Override
    public String toString() {
        return name;
    }

    /** Hands the vectors to the program's function. */
    private record UserReducer(User_function function, boolean commutative) implements Reducer {
        @Override
        public void reduce(Object in, int inOffset, Object inout, int inoutOffset, int count, TypeMap type) {
            function.Call(in, inOffset, inout, inoutOffset, count, Datatype.of(type));
        }
    }
}
