package org.gridmpj.event;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/**
 * One MPI call of the program, from entry to return.
 *
 * <p>Costs one field read when no recording runs: {@link #start} then gives null and nothing is allocated.
 */
@Name("org.gridmpj.MpiCall")
@Label("MPI call")
@Category("GridMPJ")
@Description("One call of the MPI interface, from entry to return")
@StackTrace(false)
@SuppressWarnings("UnusedVariable") // the recording reads the fields
public final class MpiCall extends Event {
    /** Never committed: asks whether a recording wants this event without making one. */
    private static final MpiCall PROBE = new MpiCall();

    @Label("Operation")
    private @Nullable String operation;

    @Label("Communicator")
    private @Nullable String communicator;

    @Label("Peer")
    @Description("Rank of the peer or root in the communicator; negative for none or any")
    private int peer;

    @Label("Bytes")
    @Description("Length of the own buffer; 0 for objects")
    @DataAmount
    private long bytes;

    @Label("Tag")
    private int tag;

    /** A started event, or null when no recording wants it. */
    public static @Nullable MpiCall start() {
        if (!PROBE.isEnabled()) {
            return null;
        }
        MpiCall call = new MpiCall();
        call.begin();
        return call;
    }

    /** Ends a call and commits it if it lasted long enough for the recording. */
    public static void finish(
            @Nullable MpiCall call, String operation, String communicator, int peer, long bytes, int tag) {
        if (call != null && call.shouldCommit()) {
            call.operation = operation;
            call.communicator = communicator;
            call.peer = peer;
            call.bytes = bytes;
            call.tag = tag;
            call.commit();
        }
    }
}
