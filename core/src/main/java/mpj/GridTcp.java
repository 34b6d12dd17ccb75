package mpj;

/**
 * The connections of this process, as {@link MPJ#Init(String[], IpTableEntry[], GridTcp)} is given them: which rank it
 * is, and the port where rank 0 waits for the others. A process that mpjrun has started knows both: {@link #GridTcp()}.
 */
public final class GridTcp {
    /** Of a process whose launcher knows its rank. */
    private static final int LAUNCHED = -1;

    private final int rank;
    private final int port;

    /** Of a process that mpjrun has started. */
    public GridTcp() {
        this(LAUNCHED, 0);
    }

    /**
     * Of a process that is started by hand.
     *
     * @param rank own rank
     * @param port where rank 0 waits; the same on all
     */
    public GridTcp(int rank, int port) {
        this.rank = rank;
        this.port = port;
    }

    public int getRank() {
        return rank;
    }

    public int getPort() {
        return port;
    }

    boolean isLaunched() {
        return rank == LAUNCHED;
    }
}
