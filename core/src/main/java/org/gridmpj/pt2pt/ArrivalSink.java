package org.gridmpj.pt2pt;

import org.gridmpj.transport.PayloadSink;
import org.jspecify.annotations.Nullable;

/** Where the payload of a message goes while it arrives. Guarded by the progress lock. */
interface ArrivalSink extends PayloadSink {
    /** From here on what comes is copied into a log too; null: not any more. */
    void tap(@Nullable LoggedFrame log);
}
