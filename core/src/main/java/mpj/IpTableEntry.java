package mpj;

import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/** One line of the IP table: which host a rank is on. */
public final class IpTableEntry {
    private final int rank;
    private final String ipName;

    /**
     * A line.
     *
     * @param rank rank in COMM_WORLD
     * @param ipName name or address of the rank's host
     */
    public IpTableEntry(int rank, String ipName) {
        if (rank < 0 || ipName.isEmpty()) {
            throw new MPJException(new MpiFailure(
                    ErrorClass.ARG,
                    "an IpTableEntry has a rank from 0 and a host, not " + rank + " and '" + ipName + "'"));
        }
        this.rank = rank;
        this.ipName = ipName;
    }

    public int getRank() {
        return rank;
    }

    public String getIpName() {
        return ipName;
    }

    @Override
    public String toString() {
        return rank + " " + ipName;
    }
}
