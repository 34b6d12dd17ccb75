package mpi;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.gridmpj.comm.Communicator;
import org.gridmpj.comm.Keyval;
import org.gridmpj.error.ErrorClass;

/** The numbers that programs know keys of attributes by, and the predefined attributes (MPI standard, 7.7 and 9.1.2). */
final class Keyvals {
    private static final Map<Integer, Keyval> BY_NUMBER = new ConcurrentHashMap<>();
    private static final AtomicInteger NEXT = new AtomicInteger(1000);

    private Keyvals() {}

    static int create() {
        int number = NEXT.getAndIncrement();
        BY_NUMBER.put(number, new Keyval(Keyval.DUP, Keyval.NULL_DELETE));
        return number;
    }

    static void free(int number) {
        BY_NUMBER.remove(number);
    }

    static Map<Integer, Keyval> all() {
        return Map.copyOf(BY_NUMBER);
    }

    static int next() {
        return NEXT.get();
    }

    /** Takes over the keys of a snapshot. */
    static void adopt(Map<Integer, Keyval> keyvals, int next) {
        BY_NUMBER.clear();
        BY_NUMBER.putAll(keyvals);
        NEXT.set(next);
    }

    /** A key that the program has made. */
    static Keyval own(String call, Comm comm, int number) {
        Keyval keyval = BY_NUMBER.get(number);
        if (keyval == null) {
            throw Arguments.bad(ErrorClass.ARG, call, comm, "there is no key " + number + " that can be set");
        }
        return keyval;
    }

    static int get(Communicator communicator, Comm comm, int number) {
        return switch (number) {
            case MPI.TAG_UB -> MPI.TAG_MAX;
            case MPI.HOST -> MPI.PROC_NULL;
            case MPI.IO -> MPI.ANY_SOURCE;
            case MPI.WTIME_IS_GLOBAL -> 0;
            default ->
                communicator.attributes().get(own("Attr_get", comm, number)) instanceof Integer value
                        ? value
                        : MPI.UNDEFINED;
        };
    }
}
