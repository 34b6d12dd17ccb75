package org.gridmpj.checkpoint;

import java.io.Externalizable;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for what made a serialization fail, so that the message can name it: the variable, and the path of fields and
 * indexes to the first object that is not Serializable. Breadth first: the shortest path is the one that people know.
 */
final class UnserializablePath {
    private record Step(String path, Object value) {}

    private final Deque<Step> ahead = new ArrayDeque<>();
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private UnserializablePath() {}

    /** For example {@code variable "world": cells[3].owner (class Foo)}; null if nothing is found. */
    static @Nullable String find(Map<String, @Nullable Object> variables) {
        for (Map.Entry<String, @Nullable Object> variable : variables.entrySet()) {
            UnserializablePath search = new UnserializablePath();
            search.enqueue("", variable.getValue());
            String path = search.run();
            if (path != null) {
                return "variable \"" + variable.getKey() + "\"" + (path.startsWith(" ") ? path : ": " + path);
            }
        }
        return null;
    }

    private @Nullable String run() {
        while (!ahead.isEmpty()) {
            Step step = ahead.remove();
            if (!(step.value() instanceof Serializable)) {
                return step.path() + " (" + step.value().getClass().getName() + ")";
            }
            expand(step);
        }
        return null;
    }

    private void expand(Step step) {
        Object value = step.value();
        if (value instanceof Object[] array) {
            for (int i = 0; i < array.length; i++) {
                enqueue(step.path() + "[" + i + "]", array[i]);
            }
        } else if (value instanceof Map<?, ?> map) {
            map.forEach((key, mapped) -> {
                enqueue(step.path() + ".key(" + key + ")", key);
                enqueue(step.path() + ".get(" + key + ")", mapped);
            });
        } else if (value instanceof Collection<?> collection) {
            int i = 0;
            for (Object element : collection) {
                enqueue(step.path() + ".get(" + i++ + ")", element);
            }
        }
        if (!(value instanceof Externalizable)) {
            expandFields(step);
        }
    }

    private void expandFields(Step step) {
        for (Class<?> type = step.value().getClass(); type != null; type = type.getSuperclass()) {
            if (!Serializable.class.isAssignableFrom(type)
                    || type.isArray()
                    || type.getName().startsWith("java.")) {
                continue;
            }
            for (Field field : type.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                if (Modifier.isStatic(modifiers)
                        || Modifier.isTransient(modifiers)
                        || field.getType().isPrimitive()) {
                    continue;
                }
                try {
                    field.setAccessible(true);
                    String dot = step.path().isEmpty() ? "" : ".";
                    enqueue(step.path() + dot + field.getName(), field.get(step.value()));
                } catch (IllegalAccessException | InaccessibleObjectException e) {
                    // A module that does not open its classes: what is inside is its own affair.
                }
            }
        }
    }

    private void enqueue(String path, @Nullable Object value) {
        if (value != null && seen.add(value)) {
            ahead.add(new Step(path, value));
        }
    }
}
