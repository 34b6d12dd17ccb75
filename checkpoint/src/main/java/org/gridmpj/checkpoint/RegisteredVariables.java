package org.gridmpj.checkpoint;

import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.jspecify.annotations.Nullable;

/**
 * The program's state by name, in the order of first registration. Guarded by its own monitor: several threads of a rank
 * may register.
 */
final class RegisteredVariables {
    private final Map<String, Supplier<?>> sources = new LinkedHashMap<>();

    /** Registers a value, or replaces the one of this name. */
    synchronized void put(String name, @Nullable Object value) {
        if (value != null && !(value instanceof Serializable)) {
            throw new MpiFailure(
                    ErrorClass.ARG,
                    "variable \"" + name + "\" cannot be part of a snapshot: "
                            + value.getClass().getName()
                            + " is not java.io.Serializable. Let it implement Serializable, or register the parts that"
                            + " matter");
        }
        Supplier<@Nullable Object> constant = () -> value;
        sources.put(name, constant);
    }

    /** Registers something that gives the value at each snapshot. */
    synchronized void putSource(String name, Supplier<?> current) {
        sources.put(name, current);
    }

    /** Registers the variables of a snapshot again, but for those that the program has registered meanwhile. */
    synchronized void putAllAbsent(Map<String, @Nullable Object> restored) {
        restored.forEach((name, value) -> {
            if (!sources.containsKey(name)) {
                put(name, value);
            }
        });
    }

    /** The values of now; the map is the caller's. */
    synchronized Map<String, @Nullable Object> current() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        sources.forEach((name, source) -> values.put(name, source.get()));
        return values;
    }
}
