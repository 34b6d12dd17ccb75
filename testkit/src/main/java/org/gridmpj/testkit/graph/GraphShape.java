package org.gridmpj.testkit.graph;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Writes an object graph down as lines: each object's class and contents, references as ordinals in breadth-first order.
 * Two graphs are equal, sharing and cycles included, when their lines are.
 */
public final class GraphShape {
    private final IdentityHashMap<Object, Integer> ordinals = new IdentityHashMap<>();
    private final Deque<Object> waiting = new ArrayDeque<>();
    private final List<String> lines = new ArrayList<>();

    private GraphShape() {}

    /** The lines of the graph that begins at root. */
    public static List<String> of(@Nullable Object root) {
        GraphShape shape = new GraphShape();
        shape.lines.add(shape.reference(root));
        while (!shape.waiting.isEmpty()) {
            shape.describe(shape.waiting.removeFirst());
        }
        return shape.lines;
    }

    private String reference(@Nullable Object object) {
        if (object == null) {
            return "null";
        }
        if (object instanceof Enum<?> || object instanceof Class<?>) {
            return object.getClass().getName() + "=" + object + "@" + System.identityHashCode(object);
        }
        Integer known = ordinals.get(object);
        if (known == null) {
            known = ordinals.size();
            ordinals.put(object, known);
            waiting.addLast(object);
        }
        return "#" + known;
    }

    private void describe(Object object) {
        Class<?> type = object.getClass();
        StringBuilder line = new StringBuilder(ordinals.get(object) + " " + nameOf(type) + ":");
        if (type.isArray()) {
            for (int i = 0; i < Array.getLength(object); i++) {
                line.append(' ')
                        .append(
                                type.getComponentType().isPrimitive()
                                        ? String.valueOf(Array.get(object, i))
                                        : reference(Array.get(object, i)));
            }
        } else if (type.getName().startsWith("java.")) {
            describeLibrary(object, line);
        } else {
            for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
                for (Field field : c.getDeclaredFields()) {
                    line.append(' ').append(describeField(object, field));
                }
            }
        }
        lines.add(line.toString());
    }

    private static String nameOf(Class<?> type) {
        return type.isHidden() ? "hidden" : type.getName();
    }

    @SuppressWarnings("JavaUtilDate") // programs do send them
    private void describeLibrary(Object object, StringBuilder line) {
        switch (object) {
            case Map<?, ?> map -> {
                describeOrder(map instanceof SortedMap<?, ?> sorted ? sorted.comparator() : null, line);
                map.forEach((key, value) ->
                        line.append(' ').append(reference(key)).append("->").append(reference(value)));
            }
            case Collection<?> collection -> {
                describeOrder(collection instanceof SortedSet<?> sorted ? sorted.comparator() : null, line);
                collection.forEach(element -> line.append(' ').append(reference(element)));
            }
            case Map.Entry<?, ?> entry ->
                line.append(' ').append(reference(entry.getKey())).append("->").append(reference(entry.getValue()));
            case AtomicReference<?> one -> line.append(' ').append(reference(one.get()));
            case BigDecimal number ->
                line.append(' ').append(number).append(' ').append(reference(number.unscaledValue()));
            case BitSet bits -> line.append(' ').append(bits).append(" of ").append(bits.size());
            case Date date -> line.append(' ').append(date.getTime());
            // what List.of and others are written as, met in a cycle
            case Object proxy when proxy.getClass().getName().equals("java.util.CollSer") -> {}
            // what it does shows in the order of those who have it
            case Comparator<?> ignored -> {}
            default -> line.append(' ').append(object);
        }
    }

    private void describeOrder(@Nullable Comparator<?> order, StringBuilder line) {
        if (order != null) {
            line.append(" by ").append(reference(order));
        }
    }

    private String describeField(Object object, Field field) {
        if (Modifier.isStatic(field.getModifiers())) {
            return "";
        }
        try {
            field.setAccessible(true);
            Object value = field.get(object);
            return field.getName() + "=" + (field.getType().isPrimitive() ? String.valueOf(value) : reference(value));
        } catch (IllegalAccessException | InaccessibleObjectException e) {
            return field.getName() + "?";
        }
    }
}
