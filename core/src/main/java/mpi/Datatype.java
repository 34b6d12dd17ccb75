package mpi;

import java.util.function.Supplier;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * What an item of a message is: a base type and where its elements lie (MPI standard, 5.1). Sizes, extents and
 * displacements count elements of the base type.
 */
public class Datatype implements Freeable {
    /** MPJ Express' number of the base type (MPI.INT: 5), or of a bound marker; 0 for MPI.NULL. */
    public final int baseType;

    private final String name;
    private @Nullable TypeMap map;

    Datatype(String name, @Nullable TypeMap map, int baseType) {
        this.name = name;
        this.map = map;
        this.baseType = baseType;
    }

    /** For subclasses under another name: the same items as another datatype. */
    protected Datatype(Datatype other) {
        this(other.name, other.map, other.baseType);
    }

    static Datatype of(TypeMap map) {
        return new Datatype("derived from " + map.base(), map, codeOf(map.base()));
    }

    static Datatype basic(BaseType base) {
        return new Datatype("MPI." + base, TypeMap.of(base), codeOf(base));
    }

    private static int codeOf(BaseType base) {
        return base == BaseType.OBJECT ? 12 : base.code();
    }

    /** count copies, one after the other (MPI_Type_contiguous). */
    public static Datatype Contiguous(int count, Datatype oldtype) {
        return derive(() -> TypeMap.contiguous(count(count, "Contiguous"), oldtype.map("Contiguous")));
    }

    /** count blocks of blocklength items; the starts of blocks are stride items apart (MPI_Type_vector). */
    public static Datatype Vector(int count, int blocklength, int stride, Datatype oldtype) {
        return derive(() ->
                TypeMap.vector(count(count, "Vector"), count(blocklength, "Vector"), stride, oldtype.map("Vector")));
    }

    /** As Vector; stride counts elements of the base type (MPI_Type_hvector). */
    public static Datatype Hvector(int count, int blocklength, int stride, Datatype oldtype) {
        return derive(() -> TypeMap.hvector(
                count(count, "Hvector"), count(blocklength, "Hvector"), stride, oldtype.map("Hvector")));
    }

    /** Blocks of several lengths at displacements that count items (MPI_Type_indexed). */
    public static Datatype Indexed(int[] blocklengths, int[] displacements, Datatype oldtype) {
        return derive(() ->
                TypeMap.indexed(counts(blocklengths, displacements, "Indexed"), displacements, oldtype.map("Indexed")));
    }

    /** As Indexed; displacements count elements of the base type (MPI_Type_hindexed). */
    public static Datatype Hindexed(int[] blocklengths, int[] displacements, Datatype oldtype) {
        return derive(() -> TypeMap.hindexed(
                counts(blocklengths, displacements, "Hindexed"), displacements, oldtype.map("Hindexed")));
    }

    /** Blocks of several datatypes of one base type; MPI.LB and MPI.UB set the bounds (MPI_Type_struct). */
    public static Datatype Struct(int[] blocklengths, int[] displacements, Datatype[] oldtypes) {
        return derive(() -> {
            TypeMap[] maps = new TypeMap[counts(blocklengths, displacements, "Struct").length];
            if (oldtypes.length < maps.length) {
                throw bad("Struct", ErrorClass.ARG, maps.length + " blocks, but " + oldtypes.length + " datatypes");
            }
            for (int i = 0; i < maps.length; i++) {
                maps[i] = oldtypes[i].map("Struct");
            }
            return TypeMap.struct(blocklengths, displacements, maps);
        });
    }

    /** Elements of the base type in one item: 1 for a basic datatype. */
    public int Size() {
        return called("Size").size();
    }

    /** Upper minus lower bound. */
    public int Extent() {
        return called("Extent").extent();
    }

    /** Lower bound. */
    public int Lb() {
        return called("Lb").lowerBound();
    }

    /** Upper bound. */
    public int Ub() {
        return called("Ub").upperBound();
    }

    /** Bytes of one item; 0 for objects. */
    public int getByteSize() {
        TypeMap items = called("getByteSize");
        return items.size() * items.base().sizeBytes();
    }

    /** As {@link #baseType}. */
    public int getType() {
        return baseType;
    }

    /** Does nothing: a datatype is ready when it is made. */
    public void Commit() {
        called("Commit");
    }

    /** Gives the datatype back; communication under way and datatypes made from it go on. */
    @Override
    public void free() {
        if (!name.startsWith("MPI.")) {
            map = null;
        }
    }

    /** As {@link #free}. */
    public void Free() {
        free();
    }

    /** Does nothing: datatypes are collected. */
    @Override
    @SuppressWarnings({"removal", "Finalize"}) // mpiJava programs call it by name
    public void finalize() {}

    @Override
    public String toString() {
        return name;
    }

    final TypeMap map(String call) {
        TypeMap current = map;
        if (current == null) {
            throw bad(call, ErrorClass.TYPE, "the datatype is MPI.NULL or was freed");
        }
        return current;
    }

    private TypeMap called(String method) {
        TypeMap current = map;
        if (current != null) {
            return current;
        }
        try {
            return map("Datatype." + method);
        } catch (MpiFailure failure) {
            throw new MPIException(failure);
        }
    }

    private static Datatype derive(Supplier<TypeMap> map) {
        try {
            return of(map.get());
        } catch (MpiFailure failure) {
            throw new MPIException(failure);
        }
    }

    private static int count(int count, String call) {
        if (count < 0) {
            throw bad(call, ErrorClass.COUNT, "count is " + count + ", must be 0 or more");
        }
        return count;
    }

    private static int[] counts(int[] blocklengths, int[] displacements, String call) {
        if (blocklengths.length != displacements.length) {
            throw bad(
                    call,
                    ErrorClass.ARG,
                    blocklengths.length + " block lengths, but " + displacements.length + " displacements");
        }
        for (int length : blocklengths) {
            count(length, call);
        }
        return blocklengths;
    }

    private static MpiFailure bad(String call, ErrorClass errorClass, String what) {
        return new MpiFailure(errorClass, "Datatype." + call + ": " + what);
    }
}
