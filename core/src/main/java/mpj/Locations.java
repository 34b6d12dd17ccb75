package mpj;

import java.lang.reflect.Array;
import mpi.MPI;
import org.jspecify.annotations.Nullable;

/**
 * MAXLOC and MINLOC as in the report of 2005: plain values go in, the root gets each result with the rank that had it.
 * They travel as pairs (value, rank), integers as longs, so that all ranks compare exactly.
 */
final class Locations {
    private Locations() {}

    /** Whether a location is wanted for plain values; pairs are as in mpiJava. */
    static boolean areWanted(mpi.Datatype datatype, mpi.Op op) {
        boolean locates =
                op.equals(MPJ.MAXLOC) || op.equals(MPJ.MINLOC) || op.equals(MPI.MAXLOC) || op.equals(MPI.MINLOC);
        return locates && datatype.Size() == 1;
    }

    /** Values, each followed by the rank. */
    static Object pairs(Object values, int offset, int count, int rank) {
        boolean real = values instanceof float[] || values instanceof double[];
        Object pairs = real ? new double[2 * count] : new long[2 * count];
        for (int i = 0; i < count; i++) {
            if (real) {
                Array.setDouble(pairs, 2 * i, Array.getDouble(values, offset + i));
                Array.setDouble(pairs, 2 * i + 1, rank);
            } else {
                Array.setLong(pairs, 2 * i, integer(values, offset + i));
                Array.setLong(pairs, 2 * i + 1, rank);
            }
        }
        return pairs;
    }

    private static long integer(Object values, int index) {
        return values instanceof char[] chars ? chars[index] : Array.getLong(values, index);
    }

    /** The datatype of what {@link #pairs} gives. */
    static mpi.Datatype typeOf(Object pairs) {
        return pairs instanceof double[] ? MPJ.DOUBLE2 : MPJ.LONG2;
    }

    /** An array like the pairs. */
    static Object like(Object pairs) {
        return Array.newInstance(pairs.getClass().getComponentType(), Array.getLength(pairs));
    }

    /** Puts pairs into the root's buffer; elements that are null are made. */
    static void store(Object pairs, @Nullable DataLoc[] target, int offset) {
        for (int i = 0; i < Array.getLength(pairs) / 2; i++) {
            DataLoc place = target[offset + i];
            if (place == null) {
                place = new DataLoc();
                target[offset + i] = place;
            }
            place.data = Array.getDouble(pairs, 2 * i);
            place.loc = (int) Array.getDouble(pairs, 2 * i + 1);
        }
    }
}
