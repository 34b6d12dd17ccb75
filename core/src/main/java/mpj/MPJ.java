package mpj;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mpi.MPI;
import mpi.MPIException;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/** Start, end, constants and predefined objects, as the report of 2005 names them; the rest is as in {@link MPI}. */
public final class MPJ {
    public static final int ANY_SOURCE = MPI.ANY_SOURCE;
    public static final int ANY_TAG = MPI.ANY_TAG;
    public static final int PROC_NULL = MPI.PROC_NULL;
    public static final int UNDEFINED = MPI.UNDEFINED;
    public static final int IDENT = MPI.IDENT;
    public static final int CONGRUENT = MPI.CONGRUENT;
    public static final int SIMILAR = MPI.SIMILAR;
    public static final int UNEQUAL = MPI.UNEQUAL;
    public static final int BSEND_OVERHEAD = MPI.BSEND_OVERHEAD;

    public static final Datatype BYTE = new Datatype(MPI.BYTE);
    public static final Datatype CHAR = new Datatype(MPI.CHAR);
    public static final Datatype SHORT = new Datatype(MPI.SHORT);
    public static final Datatype BOOLEAN = new Datatype(MPI.BOOLEAN);
    public static final Datatype INT = new Datatype(MPI.INT);
    public static final Datatype LONG = new Datatype(MPI.LONG);
    public static final Datatype FLOAT = new Datatype(MPI.FLOAT);
    public static final Datatype DOUBLE = new Datatype(MPI.DOUBLE);
    public static final Datatype PACKED = new Datatype(MPI.PACKED);
    public static final Datatype OBJECT = new Datatype(MPI.OBJECT);
    public static final Datatype LB = new Datatype(MPI.LB);
    public static final Datatype UB = new Datatype(MPI.UB);
    public static final Datatype SHORT2 = new Datatype(MPI.SHORT2);
    public static final Datatype INT2 = new Datatype(MPI.INT2);
    public static final Datatype LONG2 = new Datatype(MPI.LONG2);
    public static final Datatype FLOAT2 = new Datatype(MPI.FLOAT2);
    public static final Datatype DOUBLE2 = new Datatype(MPI.DOUBLE2);

    public static final Op MAX = new Op(MPI.MAX);
    public static final Op MIN = new Op(MPI.MIN);
    public static final Op SUM = new Op(MPI.SUM);
    public static final Op PROD = new Op(MPI.PROD);
    public static final Op LAND = new Op(MPI.LAND);
    public static final Op BAND = new Op(MPI.BAND);
    public static final Op LOR = new Op(MPI.LOR);
    public static final Op BOR = new Op(MPI.BOR);
    public static final Op LXOR = new Op(MPI.LXOR);
    public static final Op BXOR = new Op(MPI.BXOR);

    /** Greatest value and where it is; the root's buffer may be a {@code DataLoc[]}. */
    public static final Op MAXLOC = new Op(MPI.MAXLOC);

    /** Least value and where it is; the root's buffer may be a {@code DataLoc[]}. */
    public static final Op MINLOC = new Op(MPI.MINLOC);

    /** All processes of the job. */
    public static final Communicator COMM_WORLD = Communicator.of(MPI.COMM_WORLD);

    /** This process alone. */
    public static final Communicator COMM_SELF = Communicator.of(MPI.COMM_SELF);

    private MPJ() {}

    /**
     * Joins the other processes, started by mpjrun or by hand: {@code host port -np N} for the master, which is rank 0,
     * {@code host port -yourrank r -amslave -yourname ownHost -np N} for the others.
     *
     * @return the program's own arguments
     */
    public static String[] Init(String[] args) {
        try {
            return MPI.Init(args);
        } catch (MPIException e) {
            throw new MPJException(e);
        }
    }

    /**
     * Joins the processes of an IP table: everyone knows everyone from the start.
     *
     * @param args the program's own arguments, which are returned
     * @param ipTable one line for each rank, in any order
     * @param gridTcp which of the ranks this process is
     */
    public static String[] Init(String[] args, IpTableEntry[] ipTable, GridTcp gridTcp) {
        if (gridTcp.isLaunched()) {
            String[] own = Init(args);
            if (ipTable.length != COMM_WORLD.Size()) {
                throw wrongTable("it has " + ipTable.length + " lines, the job " + COMM_WORLD.Size() + " ranks");
            }
            return own;
        }
        String[] hosts = new String[ipTable.length];
        for (IpTableEntry entry : ipTable) {
            if (entry.getRank() >= hosts.length || hosts[entry.getRank()] != null) {
                throw wrongTable("rank " + entry.getRank() + " stands twice, or another one is missing");
            }
            hosts[entry.getRank()] = entry.getIpName();
        }
        int rank = gridTcp.getRank();
        if (rank < 0 || rank >= hosts.length) {
            throw wrongTable("it has no line of rank " + rank);
        }
        List<String> byHand = new ArrayList<>(List.of(hosts[0], Integer.toString(gridTcp.getPort())));
        byHand.addAll(List.of("-np", Integer.toString(hosts.length)));
        if (rank > 0) {
            byHand.addAll(List.of("-yourrank", Integer.toString(rank), "-amslave", "-yourname", hosts[rank]));
        }
        byHand.addAll(Arrays.asList(args));
        return Init(byHand.toArray(String[]::new));
    }

    /** Ends communication. */
    public static void Finalize() {
        try {
            MPI.Finalize();
        } catch (MPIException e) {
            throw new MPJException(e);
        }
    }

    /** Whether Init was called, and not Finalize since. */
    public static boolean Initialized() {
        return MPI.Initialized();
    }

    /** Name of this host. */
    public static String Get_processor_name() {
        return MPI.Get_processor_name();
    }

    /** Seconds since some time in the past. */
    public static double Wtime() {
        return MPI.Wtime();
    }

    /** Seconds between two readings that Wtime can tell apart. */
    public static double Wtick() {
        return MPI.Wtick();
    }

    /** Gives room to Bsend. */
    public static void Buffer_attach(byte[] buffer) {
        MPI.Buffer_attach(buffer);
    }

    /** Waits until all buffered messages have left; the array that was attached. */
    public static byte[] Buffer_detach() {
        return MPI.Buffer_detach();
    }

    private static MPJException wrongTable(String why) {
        return new MPJException(new MpiFailure(ErrorClass.ARG, "MPJ.Init: the IP table is wrong: " + why));
    }
}
