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
    /** What stands under a name. */
    private sealed interface Variable {
        @Nullable
        Object get();
    }

    private record Value(@Nullable Object get) implements Variable {}

    private record Source(Supplier<?> current) implements Variable {
        @Override
        public @Nullable Object get() {
            return current.get();
        }
    }

    private final Map<String, Variable> variables = new LinkedHashMap<>();

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
        variables.put(name, new Value(value));
    }

    /** Registers something that gives the value at each snapshot. */
    synchronized void putSource(String name, Supplier<?> current) {
        variables.put(name, new Source(current));
    }

    /**
     * Registers the variables of a snapshot: a value that the program registered before it asked is the one that it
     * started anew with. A source is kept, as it gives what the program has by then put in its place.
     */
    synchronized void putRestored(Map<String, @Nullable Object> restored) {
        restored.forEach((name, value) -> {
            if (!(variables.get(name) instanceof Source)) {
                put(name, value);
            }
        });
    }

    /** The values of now; the map is the caller's. */
    synchronized Map<String, @Nullable Object> current() {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        variables.forEach((name, variable) -> values.put(name, variable.get()));
        return values;
    }
}
