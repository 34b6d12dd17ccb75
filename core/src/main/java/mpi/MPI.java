package mpi;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.pt2pt.CallJournal;
import org.gridmpj.pt2pt.PointToPoint;
import org.jspecify.annotations.Nullable;

/**
 * Start, end, constants and predefined objects of MPI (MPI standard, chapters 2 and 8).
 *
 * <p>Where the values of the constants come from: {@code docs/design/0002-drop-in.md}.
 */
public class MPI {
    /** Any sender. */
    public static final int ANY_SOURCE = -2;

    /** Any tag. */
    public static final int ANY_TAG = -1;

    /** Nobody: sends to it vanish, receives from it are empty (MPI standard, 3.11). */
    public static final int PROC_NULL = -1;

    /** Root argument of the root itself in a collective of an intercommunicator; its neighbours say PROC_NULL. */
    public static final int ROOT = -3;

    /** No rank, no color, no count. */
    public static final int UNDEFINED = -1;

    /** The same. */
    public static final int IDENT = 0;

    /** Same processes in another order. */
    public static final int SIMILAR = 1;

    /** Different. */
    public static final int UNEQUAL = 2;

    /** Another communicator of the same processes in the same order. */
    public static final int CONGRUENT = 3;

    /** Kind of topology. */
    public static final int GRAPH = 1;

    /** Kind of topology. */
    public static final int CART = 2;

    /** Key of the attribute that is the greatest tag. */
    public static final int TAG_UB = 81;

    /** Key of the attribute that is the rank of the host process. */
    public static final int HOST = 83;

    /** Key of the attribute that is the rank that can do input and output. */
    public static final int IO = 85;

    /** Key of the attribute that is 1 if the clocks of all processes run together. */
    public static final int WTIME_IS_GLOBAL = 87;

    /** Bytes that a message in the buffer of Bsend takes up beyond its data. */
    public static final int BSEND_OVERHEAD = 512;

    public static final int SEND_OVERHEAD = BSEND_OVERHEAD;

    public static final int RECV_OVERHEAD = BSEND_OVERHEAD;

    public static final int THREAD_SINGLE = 1;

    public static final int THREAD_FUNNELED = 2;

    public static final int THREAD_SERIALIZED = 3;

    public static final int THREAD_MULTIPLE = 4;

    /** Processors of this machine. */
    public static final int NUM_OF_PROCESSORS = Runtime.getRuntime().availableProcessors();

    public static final Datatype BYTE = Datatype.basic(BaseType.BYTE);
    public static final Datatype CHAR = Datatype.basic(BaseType.CHAR);
    public static final Datatype SHORT = Datatype.basic(BaseType.SHORT);
    public static final Datatype BOOLEAN = Datatype.basic(BaseType.BOOLEAN);
    public static final Datatype INT = Datatype.basic(BaseType.INT);
    public static final Datatype LONG = Datatype.basic(BaseType.LONG);
    public static final Datatype FLOAT = Datatype.basic(BaseType.FLOAT);
    public static final Datatype DOUBLE = Datatype.basic(BaseType.DOUBLE);
    public static final Datatype PACKED = Datatype.basic(BaseType.PACKED);

    /** Elements of an {@code Object[]}, serialized; rows of arrays too. */
    public static final Datatype OBJECT = Datatype.basic(BaseType.OBJECT);

    /** Marks the lower bound in {@link Datatype#Struct}. */
    public static final Datatype LB = new Datatype("MPI.LB", TypeMap.lowerBoundMarker(), 10);

    /** Marks the upper bound in {@link Datatype#Struct}. */
    public static final Datatype UB = new Datatype("MPI.UB", TypeMap.upperBoundMarker(), 11);

    /** No datatype. */
    public static final Datatype NULL = new Datatype("MPI.NULL", null, 0);

    /** Two in a row, for MINLOC and MAXLOC: a value and its index. */
    public static final Datatype SHORT2 = pair("MPI.SHORT2", BaseType.SHORT);

    public static final Datatype INT2 = pair("MPI.INT2", BaseType.INT);
    public static final Datatype LONG2 = pair("MPI.LONG2", BaseType.LONG);
    public static final Datatype FLOAT2 = pair("MPI.FLOAT2", BaseType.FLOAT);
    public static final Datatype DOUBLE2 = pair("MPI.DOUBLE2", BaseType.DOUBLE);

    public static final Op MAX = new Op("MPI.MAX", PredefinedOp.MAX);
    public static final Op MIN = new Op("MPI.MIN", PredefinedOp.MIN);
    public static final Op SUM = new Op("MPI.SUM", PredefinedOp.SUM);
    public static final Op PROD = new Op("MPI.PROD", PredefinedOp.PROD);
    public static final Op LAND = new Op("MPI.LAND", PredefinedOp.LAND);
    public static final Op BAND = new Op("MPI.BAND", PredefinedOp.BAND);
    public static final Op LOR = new Op("MPI.LOR", PredefinedOp.LOR);
    public static final Op BOR = new Op("MPI.BOR", PredefinedOp.BOR);
    public static final Op LXOR = new Op("MPI.LXOR", PredefinedOp.LXOR);
    public static final Op BXOR = new Op("MPI.BXOR", PredefinedOp.BXOR);

    /** Greatest of pairs (value, index), with its least index. */
    public static final Op MAXLOC = new Op("MPI.MAXLOC", PredefinedOp.MAXLOC);

    /** Least of pairs (value, index), with its least index. */
    public static final Op MINLOC = new Op("MPI.MINLOC", PredefinedOp.MINLOC);

    /** Throws a {@link MPIException}. */
    public static final Errhandler ERRORS_RETURN = Errhandler.RETURNS;

    /** Ends the job. */
    public static final Errhandler ERRORS_ARE_FATAL = Errhandler.IS_FATAL;

    public static final Group GROUP_EMPTY = new Group(org.gridmpj.comm.Group.of());
    public static final Group GROUP_NULL = new Group((org.gridmpj.comm.Group) null);
    public static final Request REQUEST_NULL = new Request();
    public static final Status EMPTY_STATUS = new Status();

    /** All processes of the job. */
    public static final Intracomm COMM_WORLD = new Intracomm("COMM_WORLD");

    /** This process alone. */
    public static final Intracomm COMM_SELF = new Intracomm("COMM_SELF");

    public static final Comm COMM_NULL = new Comm(Comm.NULL_NAME);

    /** Greatest tag. */
    static final int TAG_MAX = Integer.MAX_VALUE;

    /** When Wtime was 0; earlier than this JVM after a restart, so that Wtime goes on. */
    private static volatile long epochNanos = System.nanoTime();

    private static final byte[] NO_BYTES = {};

    /** The array that the program attached for Bsend; guarded by the class. */
    private static byte @Nullable [] attached;

    public MPI() {}

    /**
     * Joins the other processes of the job (MPI_Init); works again after Finalize.
     *
     * @param args what {@code main} was given
     * @return the program's own arguments
     */
    public static String[] Init(String[] args) {
        try {
            return Binding.init(args);
        } catch (MpiFailure failure) {
            throw new MPIException(failure);
        }
    }

    /** As Init; all levels of threads are supported. */
    public static String[] initThread(int required, int provided, String[] args) {
        return Init(args);
    }

    /** THREAD_MULTIPLE: any thread may call at any time. */
    public static int queryThread() {
        return THREAD_MULTIPLE;
    }

    /** Whether this thread has called Init. */
    public static boolean isMainThread() {
        return Binding.isMainThread();
    }

    /** Ends communication (MPI_Finalize). */
    public static void Finalize() {
        try {
            Binding.shutDown();
        } catch (MpiFailure failure) {
            throw new MPIException(failure);
        }
    }

    /** Whether Init was called (MPI_Initialized); false again after Finalize. */
    public static boolean Initialized() {
        return Binding.isOpen();
    }

    /** Whether Finalize was called (MPI_Finalized), and not Init since. */
    public static boolean Finalized() {
        return Binding.wasFinalized();
    }

    /** Name of this host. */
    public static String Get_processor_name() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            String name = System.getenv("HOSTNAME");
            return name == null ? "localhost" : name;
        }
    }

    /** Seconds since some time in the past, in steps of {@link #Wtick}. */
    public static double Wtime() {
        return (System.nanoTime() - epochNanos) * 1e-9;
    }

    /** Seconds between two readings that {@link #Wtime} can tell apart, as observed. */
    public static double Wtick() {
        return Tick.SECONDS;
    }

    /** Gives room to Bsend (MPI_Buffer_attach). */
    public static synchronized void Buffer_attach(byte[] buffer) {
        attach(buffer, buffer.length);
    }

    /**
     * As Buffer_attach, of the buffer's capacity. It is not kept: nothing is stored in it, Buffer_detach does not give it back,
     * and no snapshot could have a direct one.
     */
    public static synchronized void Buffer_attach(ByteBuffer buffer) {
        attach(null, buffer.capacity());
    }

    /**
     * Waits until all buffered messages have left (MPI_Buffer_detach).
     *
     * @return the array that was attached; empty if it was a ByteBuffer or nothing
     */
    public static synchronized byte[] Buffer_detach() {
        try (CallJournal _ = COMM_WORLD.enter()) {
            engine("MPI.Buffer_detach").detachBuffer();
            byte[] was = attached;
            attached = null;
            return was == null ? NO_BYTES : was;
        } catch (MpiFailure failure) {
            throw COMM_WORLD.raise(failure);
        }
    }

    /** As COMM_WORLD.Errhandler_set. */
    public static void Errorhandler_set(Errhandler handler) {
        COMM_WORLD.Errhandler_set(handler);
    }

    /** As COMM_WORLD.Errorhandler_get. */
    public static Errhandler Errorhandler_get() {
        return COMM_WORLD.Errorhandler_get();
    }

    static synchronized byte @Nullable [] attached() {
        return attached;
    }

    /** Takes over what a snapshot has: what is attached for Bsend, and the time. */
    static synchronized void adopt(byte @Nullable [] restored, double seconds) {
        attached = restored;
        epochNanos = System.nanoTime() - (long) (seconds * 1e9);
    }

    private static void attach(byte @Nullable [] buffer, int capacityBytes) {
        try {
            engine("MPI.Buffer_attach").attachBuffer(capacityBytes);
            attached = buffer;
        } catch (MpiFailure failure) {
            throw COMM_WORLD.raise(failure);
        }
    }

    private static PointToPoint engine(String call) {
        return Binding.open(call).world().pointToPoint();
    }

    private static Datatype pair(String name, BaseType base) {
        return new Datatype(name, TypeMap.contiguous(2, TypeMap.of(base)), base.code());
    }

    /** Measures the clock when it is asked for first. */
    private static final class Tick {
        static final double SECONDS = observe();

        private static double observe() {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < 1000; i++) {
                long before = System.nanoTime();
                long after = System.nanoTime();
                least = after > before ? Math.min(least, after - before) : least;
            }
            return (least == Long.MAX_VALUE ? 1 : least) * 1e-9;
        }
    }
}
