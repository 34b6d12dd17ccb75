package org.gridmpj.comm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a program caches on a communicator (MPI standard, 7.7). Guarded by itself; callbacks are made without the lock,
 * so that they may use the communicator.
 */
public final class Attributes {
    private final Map<Keyval, Object> values = new LinkedHashMap<>();

    /** The value of a key, or null. */
    public synchronized @Nullable Object get(Keyval keyval) {
        return values.get(keyval);
    }

    /** Sets a value; the old one, if any, goes first through its delete callback. */
    public void put(Communicator owner, Keyval keyval, Object value) {
        delete(owner, keyval);
        synchronized (this) {
            values.put(keyval, value);
        }
    }

    /** Takes a value away; whether there was one. */
    public boolean delete(Communicator owner, Keyval keyval) {
        Object old;
        synchronized (this) {
            old = values.remove(keyval);
        }
        if (old == null) {
            return false;
        }
        keyval.delete().delete(owner, keyval, old);
        return true;
    }

    /** Gives a duplicate what the copy callbacks say. */
    void copyTo(Communicator owner, Communicator duplicate) {
        for (Map.Entry<Keyval, Object> entry : entries()) {
            Object copied = entry.getKey().copy().copy(owner, entry.getKey(), entry.getValue());
            if (copied != null) {
                duplicate.attributes().put(duplicate, entry.getKey(), copied);
            }
        }
    }

    /** In the reverse order of their setting (MPI standard, 11.2.4, says so for COMM_SELF). */
    void deleteAll(Communicator owner) {
        for (Map.Entry<Keyval, Object> entry : entries().reversed()) {
            delete(owner, entry.getKey());
        }
    }

    private synchronized List<Map.Entry<Keyval, Object>> entries() {
        List<Map.Entry<Keyval, Object>> copy = new ArrayList<>();
        values.forEach((keyval, value) -> copy.add(Map.entry(keyval, value)));
        return copy;
    }
}
