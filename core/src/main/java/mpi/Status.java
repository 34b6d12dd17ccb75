package mpi;

import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.pt2pt.MessageStatus;

/** What is known of a received message (MPI standard, 3.2.5). */
public class Status implements Freeable {
    /** Rank of the sender in the communicator. */
    public int source;

    /** Tag of the message. */
    public int tag;

    /** Place of the request in the array of Waitany, Testany, Waitsome, Testsome; else 0. */
    public int index;

    /**
     * Number of elements of the base type in the message; 0 if there is none. MPJ Express has this field; MPI's own way is
     * {@link #Get_count}, which also counts items of derived datatypes.
     */
    public int count;

    private int elements;
    private long bytes;
    private int typeCode;
    private boolean cancelled;

    /** The empty status: any source, any tag, no elements. */
    public Status() {
        this.source = MPI.ANY_SOURCE;
        this.tag = MPI.ANY_TAG;
    }

    /** For subclasses under another name: the same message. */
    protected Status(Status other) {
        this.source = other.source;
        this.tag = other.tag;
        this.index = other.index;
        this.count = other.count;
        this.elements = other.elements;
        this.bytes = other.bytes;
        this.typeCode = other.typeCode;
        this.cancelled = other.cancelled;
    }

    /** Takes over what the engine knows; source is a rank of the communicator. */
    final void fill(MessageStatus message, int sourceRank) {
        source = sourceRank;
        tag = message.tag;
        count = message.count;
        elements = message.count;
        bytes = message.bytes;
        typeCode = message.typeCode;
        cancelled = message.cancelled;
    }

    /** What a receive from PROC_NULL gives (MPI standard, 3.11). */
    final void fillProcNull() {
        source = MPI.PROC_NULL;
        tag = MPI.ANY_TAG;
    }

    /** Number of items of a datatype; MPI.UNDEFINED if it is not a whole number. */
    public int Get_count(Datatype datatype) {
        TypeMap map = mapOf(datatype, "Get_count");
        int count = elementsOf(map.base());
        int size = map.size();
        if (size == 0) {
            return count == 0 ? 0 : MPI.UNDEFINED;
        }
        return count < 0 || count % size != 0 ? MPI.UNDEFINED : count / size;
    }

    /** Number of elements of the base type of a datatype. */
    public int Get_elements(Datatype datatype) {
        return elementsOf(mapOf(datatype, "Get_elements").base());
    }

    /** Whether the operation was cancelled. */
    public boolean Test_cancelled() {
        return cancelled;
    }

    public int getSource() {
        return source;
    }

    public int getTag() {
        return tag;
    }

    public int getIndex() {
        return index;
    }

    /** MPI's error class: always 0, since an error throws. */
    public int getError() {
        return 0;
    }

    @Override
    public void free() {}

    /** Does nothing: a status is collected. */
    @Override
    @SuppressWarnings({"removal", "Finalize"}) // mpiJava programs call it by name
    public void finalize() {}

    @Override
    public String toString() {
        return "Status[source=" + source + ", tag=" + tag + ", elements=" + elements + ", bytes=" + bytes
                + (cancelled ? ", cancelled]" : "]");
    }

    /** BaseType.code() of what was sent. */
    final int typeCode() {
        return typeCode;
    }

    /** A message of one type may be counted in another (PACKED, BYTE) by its bytes. */
    private int elementsOf(BaseType base) {
        if (base == BaseType.OBJECT || base.code() == typeCode) {
            return elements;
        }
        return bytes % base.sizeBytes() == 0 ? Math.toIntExact(bytes / base.sizeBytes()) : MPI.UNDEFINED;
    }

    private static TypeMap mapOf(Datatype datatype, String call) {
        return Arguments.type(datatype, "Status." + call);
    }
}
