package org.gridmpj.comm;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/** The context ids in use in this process, by owner. Thread-safe. */
final class LiveContexts {
    private final ConcurrentMap<Long, String> ownerById = new ConcurrentHashMap<>();

    /**
     * Takes an id into use.
     *
     * @throws MpiFailure of class INTERN if another communicator of this process has it: their messages would mix
     */
    void claim(long id, String owner) {
        String holder = ownerById.putIfAbsent(id, owner);
        if (holder != null) {
            throw new MpiFailure(
                    ErrorClass.INTERN,
                    "communicators " + holder + " and " + owner + " would have the same context id 0x"
                            + Long.toHexString(id)
                            + "; either the processes of a communicator made their creation calls in different orders,"
                            + " or two 64-bit ids collide. Create the communicators in the same order everywhere");
        }
    }

    void release(long id) {
        ownerById.remove(id);
    }
}
