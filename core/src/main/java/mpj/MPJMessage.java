package mpj;

import org.jspecify.annotations.Nullable;

/**
 * A message that Recv took in: its status and where its data is. It is its status, so that mpiJava's
 * {@code Status s = comm.Recv(…)} and {@code MPJMessage m = comm.Recv(…)} are both right.
 */
public final class MPJMessage extends Status {
    private @Nullable Object message;

    MPJMessage() {}

    /** The receive buffer that the data is in; null for Probe and requests. */
    public @Nullable Object getMessage() {
        return message;
    }

    /** The status of the message. */
    public Status getStatus() {
        return this;
    }

    MPJMessage in(Object buffer) {
        message = buffer;
        return this;
    }
}
