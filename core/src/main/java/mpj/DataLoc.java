package mpj;

/** A value and where it was found: an element of the root's buffer in a Reduce with MPJ.MAXLOC or MPJ.MINLOC. */
public class DataLoc {
    /** The value; an int of the data is exact here, a long beyond 2⁵³ is not. */
    public double data;

    /** The rank that had it, or the index that was sent with it. */
    public int loc;

    public DataLoc() {}

    public DataLoc(double data, int loc) {
        this.data = data;
        this.loc = loc;
    }

    public double getData() {
        return data;
    }

    public int getLoc() {
        return loc;
    }

    @Override
    public String toString() {
        return data + "@" + loc;
    }
}
