package mpi;

import java.lang.reflect.Array;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/** What the arguments of a call must be; a violation names the call, the communicator, the rank and the numbers. */
final class Arguments {
    private Arguments() {}

    /** A failure of a call on a communicator. */
    static MpiFailure bad(ErrorClass errorClass, String call, Comm comm, String what) {
        return new MpiFailure(errorClass, call + " on " + comm.describe() + ": " + what);
    }

    /** The items of a datatype, outside of a communicator. */
    static TypeMap type(@Nullable Datatype type, String call) {
        try {
            if (type == null) {
                throw new MpiFailure(ErrorClass.TYPE, call + ": the datatype is null");
            }
            return type.map(call);
        } catch (MpiFailure failure) {
            throw new MPIException(failure);
        }
    }

    static TypeMap type(String call, Comm comm, @Nullable Datatype type) {
        if (type == null) {
            throw bad(ErrorClass.TYPE, call, comm, "the datatype is null");
        }
        return type.map(call);
    }

    static void peer(String call, Comm comm, String role, int rank, int peers) {
        if (rank < 0 || rank >= peers) {
            throw bad(ErrorClass.RANK, call, comm, role + " " + rank + " is not in 0.." + (peers - 1));
        }
    }

    static void root(String call, Comm comm, int root, int ranks) {
        if (root < 0 || root >= ranks) {
            throw bad(ErrorClass.ROOT, call, comm, "root " + root + " is not in 0.." + (ranks - 1));
        }
    }

    static void tag(String call, Comm comm, int tag) {
        if (tag < 0) {
            throw bad(ErrorClass.TAG, call, comm, "tag " + tag + " is not in 0.." + MPI.TAG_MAX);
        }
    }

    static void count(String call, Comm comm, int count) {
        if (count < 0) {
            throw bad(ErrorClass.COUNT, call, comm, "count is " + count + ", must be 0 or more");
        }
    }

    /** The same failure, with the call, the communicator and the rank in front. */
    static MpiFailure within(String call, Comm comm, MpiFailure failure) {
        if (failure.errorClass() == ErrorClass.NOT_INITIALIZED) {
            return failure;
        }
        return new MpiFailure(
                failure.errorClass(), call + " on " + comm.describe() + ": " + failure.getMessage(), failure);
    }

    /** All count items must lie in the array. */
    static Object buffer(String call, Comm comm, @Nullable Object buf, int offset, int count, TypeMap items) {
        count(call, comm, count);
        Object array = array(call, comm, buf, count, items);
        if (count > 0) {
            int length = Array.getLength(array);
            long lastItem = (long) (count - 1) * items.extent();
            long first = (long) offset + items.firstElement() + Math.min(0, lastItem);
            long end = (long) offset + items.endElement() + Math.max(0, lastItem);
            if (offset < 0 || (items.size() > 0 && (first < 0 || end > length))) {
                throw bad(
                        ErrorClass.BUFFER,
                        call,
                        comm,
                        count + " items from offset " + offset + " are the elements " + first + ".." + (end - 1)
                                + ", but the array has " + length);
            }
        }
        return array;
    }

    /**
     * How many of count items the array has room for. A receive may announce more than the array holds, as with mpiJava
     * and MPJ Express: what counts is whether the message fits.
     */
    static int room(String call, Comm comm, @Nullable Object buf, int offset, int count, TypeMap items) {
        count(call, comm, count);
        if (count == 0 || items.size() == 0) {
            return 0;
        }
        int length = Array.getLength(array(call, comm, buf, count, items));
        if (offset < 0 || offset > length) {
            throw bad(ErrorClass.BUFFER, call, comm, "offset " + offset + " is outside of an array of " + length);
        }
        long end = (long) offset + (long) (count - 1) * items.extent() + items.endElement();
        if (end <= length || items.extent() <= 0) {
            return count;
        }
        long left = (long) length - offset - items.endElement() + items.extent();
        return (int) Math.max(0, left / items.extent());
    }

    /** An array of the kind that the datatype needs; any array will do for no items, or items without elements. */
    static Object array(String call, Comm comm, @Nullable Object buf, int count, TypeMap items) {
        if (buf == null || items.size() == 0) {
            if (count == 0 || items.size() == 0) {
                return NOTHING;
            }
            throw bad(ErrorClass.BUFFER, call, comm, "the buffer is null, but count is " + count);
        }
        BaseType base = items.base();
        if (!base.arrayClass().isInstance(buf) && count > 0) {
            throw bad(
                    ErrorClass.BUFFER,
                    call,
                    comm,
                    "the buffer is " + buf.getClass().getTypeName() + ", but MPI." + base + " needs "
                            + base.arrayClass().getTypeName());
        }
        return buf;
    }

    /** The elements that count items reach, in an array of their own; {@link #reachBelow} is their offset there. */
    static Object copy(String call, Comm comm, @Nullable Object buf, int offset, int count, TypeMap items) {
        Object array = buffer(call, comm, buf, offset, count, items);
        if (items.size() == 0) {
            return array;
        }
        int below = reachBelow(count, items);
        int span = count == 0 ? 0 : below + items.endElement() + Math.max(0, (count - 1) * items.extent());
        Object copy = Array.newInstance(array.getClass().getComponentType(), span);
        System.arraycopy(array, span == 0 ? 0 : offset - below, copy, 0, span);
        return copy;
    }

    /** How many elements before the offset count items reach; 0 but for negative displacements. */
    static int reachBelow(int count, TypeMap items) {
        return count == 0 ? 0 : -Math.min(0, items.firstElement() + Math.min(0, (count - 1) * items.extent()));
    }

    /** Stands for a buffer that has no items or does not matter on this rank. */
    static final byte[] NOTHING = {};

    /** Length in bytes of count items, for a recording; 0 for objects. */
    static long bytes(int count, @Nullable Datatype type) {
        return type == null ? 0 : (long) count * type.getByteSize();
    }
}
