package org.gridmpj.capture.heap;

import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.gridmpj.capture.frames.ProcessState;
import org.jspecify.annotations.Nullable;

/**
 * Objects that each process has its own of, by name: the engine, the transport, System.out, predefined constants. In an
 * image they are names. Confined to one thread at a time.
 */
public final class TokenRegistry {
    private final Map<String, Object> byName = new HashMap<>();
    private final IdentityHashMap<Object, String> names = new IdentityHashMap<>();
    private final Set<Class<?>> classes = new HashSet<>();

    /** Names an object of this process; the first name of an object, and the first object of a name, count. */
    public void bind(String name, Object live) {
        if (!byName.containsKey(name)) {
            byName.put(name, live);
            names.putIfAbsent(live, name);
            classes.add(live.getClass());
        }
    }

    /** What System.in, System.out and System.err were when the program began. */
    public TokenRegistry withStandardStreams() {
        ProcessState.Beginning streams = ProcessState.beginning();
        bind("System.in", streams.in());
        bind("System.out", streams.out());
        bind("System.err", streams.err());
        return this;
    }

    boolean hasOneOf(Class<?> type) {
        return classes.contains(type);
    }

    @Nullable
    String nameOf(Object live) {
        return names.get(live);
    }

    @Nullable
    Object named(String name) {
        return byName.get(name);
    }
}
