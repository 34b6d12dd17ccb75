package mpj;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What is known of a received message: source, tag, index, Get_count. */
public class Status extends mpi.Status {
    public Status() {}

    private Status(mpi.Status other) {
        super(other);
    }

    /** The same message as a status of this kind. */
    static @Nullable Status of(mpi.@Nullable Status status) {
        return status == null || status instanceof Status ? (Status) status : new Status(status);
    }

    /** As {@link #of(mpi.Status)} for each. */
    static Status @Nullable [] of(mpi.Status @Nullable [] statuses) {
        return statuses == null ? null : Arrays.stream(statuses).map(Status::of).toArray(Status[]::new);
    }
}
