package mpj;

/** What an item of a message is; made as in {@link mpi.Datatype}. */
public class Datatype extends mpi.Datatype {
    Datatype(mpi.Datatype other) {
        super(other);
    }

    public static Datatype Contiguous(int count, mpi.Datatype oldtype) {
        return new Datatype(mpi.Datatype.Contiguous(count, oldtype));
    }

    public static Datatype Vector(int count, int blocklength, int stride, mpi.Datatype oldtype) {
        return new Datatype(mpi.Datatype.Vector(count, blocklength, stride, oldtype));
    }

    public static Datatype Hvector(int count, int blocklength, int stride, mpi.Datatype oldtype) {
        return new Datatype(mpi.Datatype.Hvector(count, blocklength, stride, oldtype));
    }

    public static Datatype Indexed(int[] blocklengths, int[] displacements, mpi.Datatype oldtype) {
        return new Datatype(mpi.Datatype.Indexed(blocklengths, displacements, oldtype));
    }

    public static Datatype Hindexed(int[] blocklengths, int[] displacements, mpi.Datatype oldtype) {
        return new Datatype(mpi.Datatype.Hindexed(blocklengths, displacements, oldtype));
    }

    public static Datatype Struct(int[] blocklengths, int[] displacements, mpi.Datatype[] oldtypes) {
        return new Datatype(mpi.Datatype.Struct(blocklengths, displacements, oldtypes));
    }
}
