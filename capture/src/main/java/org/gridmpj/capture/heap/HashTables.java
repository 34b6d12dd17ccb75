package org.gridmpj.capture.heap;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * Tables of the JDK with keys whose hash codes are others in this process: objects that it had made itself, such as classes,
 * before they could get those of the image ({@link IdentityHashes}), and all whose hash codes are made of theirs. The tables
 * are filled anew in the order of their iteration, and the object gets the inside of the new table: it stays the same
 * object.
 *
 * <p>Other tables stay as they are, with the order and capacity that the program knows, and iterators in flight.
 */
final class HashTables {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    private static final Class<?> IMMUTABLE_SET = classOf(Set.of(1, 2, 3));
    private static final Class<?> IMMUTABLE_MAP = classOf(Map.of(1, 1, 2, 2));

    private HashTables() {}

    static Class<?> classOf(Object object) {
        return object.getClass();
    }

    static boolean isTable(Object object) {
        return object instanceof HashMap
                || object instanceof ConcurrentHashMap
                || object instanceof Hashtable
                || object instanceof IdentityHashMap
                || object.getClass() == IMMUTABLE_SET
                || object.getClass() == IMMUTABLE_MAP;
    }

    // a Hashtable can only be built of another
    @SuppressWarnings("JdkObsolete")
    static void rebuildIfNeeded(Object object) {
        switch (object) {
            case LinkedHashMap<?, ?> map -> rebuildLinked(map);
            case HashMap<?, ?> map -> rebuild(map);
            case ConcurrentHashMap<?, ?> map -> {
                if (isStale(map, "ConcurrentHashMap.table", "Node.hash", "Node.key", "Node.next")) {
                    transplant(new ConcurrentHashMap<>(entries(map)), map, "ConcurrentHashMap.");
                }
            }
            case Hashtable<?, ?> map -> {
                if (isStale(map, "Hashtable.table", "Entry.hash", "Entry.key", "Entry.next")) {
                    Hashtable<Object, Object> fresh = new Hashtable<>(Math.max(1, tableLength(map, "Hashtable.table")));
                    copy(map, fresh);
                    transplant(fresh, map, "Hashtable.");
                }
            }
            case IdentityHashMap<?, ?> map -> {
                if (map.keySet().stream().allMatch(map::containsKey)) {
                    return;
                }
                IdentityHashMap<Object, Object> fresh = new IdentityHashMap<>(Math.max(map.size(), 21));
                copy(map, fresh);
                transplant(fresh, map, "IdentityHashMap.");
            }
            case Set<?> set
            when set.getClass() == IMMUTABLE_SET -> {
                if (!elements(set).stream().allMatch(set::contains)) {
                    transplant(Set.of(elements(set).toArray()), set, "SetN.");
                }
            }
            case Map<?, ?> map
            when map.getClass() == IMMUTABLE_MAP -> {
                if (!map.keySet().stream().allMatch(map::containsKey)) {
                    transplant(Map.ofEntries(entryArray(map)), map, "MapN.");
                }
            }
            default -> {
                // no table, or one of the program's own
            }
        }
    }

    private static List<Object> elements(Set<?> set) {
        return new ArrayList<>(set);
    }

    @SuppressWarnings("unchecked") // there are no arrays of a generic type
    private static Map.Entry<Object, Object>[] entryArray(Map<?, ?> map) {
        return map.entrySet().stream()
                .map(entry -> Map.entry((Object) entry.getKey(), (Object) entry.getValue()))
                .toArray(Map.Entry[]::new);
    }

    /** Entries in their order, read by iteration, which asks for no hash codes. */
    private static Map<Object, Object> entries(Map<?, ?> map) {
        Map<Object, Object> all = new LinkedHashMap<>();
        map.forEach(all::put);
        return all;
    }

    private static void copy(Map<?, ?> from, Map<Object, Object> to) {
        from.forEach(to::put);
    }

    private static void rebuild(Map<?, ?> map) {
        if (isStale(map, "HashMap.table", "Node.hash", "Node.key", "Node.next")) {
            HashMap<Object, Object> fresh = new HashMap<>(tableLength(map, "HashMap.table"), 1e9F);
            copy(map, fresh);
            transplantTable(fresh, map);
        }
    }

    private static void rebuildLinked(Map<?, ?> map) {
        if (isStale(map, "HashMap.table", "Node.hash", "Node.key", "Node.next")) {
            LinkedHashMap<Object, Object> fresh = new LinkedHashMap<>(tableLength(map, "HashMap.table"), 1e9F);
            copy(map, fresh);
            transplantTable(fresh, map);
            for (String name : List.of("LinkedHashMap.head", "LinkedHashMap.tail")) {
                move(fresh, map, name);
            }
        }
    }

    private static void transplantTable(Map<Object, Object> fresh, Map<?, ?> map) {
        for (String name : List.of("HashMap.table", "HashMap.entrySet", "AbstractMap.keySet", "AbstractMap.values")) {
            move(fresh, map, name);
        }
    }

    /** Whether some node's hash is not what its key's hash code would be now. */
    private static boolean isStale(Object map, String tableField, String hash, String key, String next) {
        Object[] table = (Object[]) reference(map, tableField);
        if (table == null) {
            return false;
        }
        for (Object bin : table) {
            for (Object node = bin; node != null; node = reference(node, next)) {
                int stored = UNSAFE.getInt(node, Shape.offset(node, hash));
                Object nodeKey = reference(node, key);
                if (nodeKey == null) {
                    if (stored < 0) {
                        // a bin of another kind, a tree: only its keys could tell
                        return true;
                    }
                    continue;
                }
                int code = nodeKey.hashCode();
                int spread = code ^ code >>> 16;
                boolean fits = tableField.startsWith("Hashtable")
                        ? stored == code
                        : stored == spread || stored == (spread & 0x7fffffff);
                if (!fits) {
                    return true;
                }
            }
        }
        return false;
    }

    private static int tableLength(Object map, String tableField) {
        Object[] table = (Object[]) reference(map, tableField);
        return table == null ? 0 : table.length;
    }

    /** Moves the inside of a fresh table to an old one. */
    private static void transplant(Object fresh, Object old, String prefix) {
        Shape shape = Shape.of(fresh.getClass());
        for (int i = 0; i < shape.names().length; i++) {
            if (shape.names()[i].startsWith(prefix)) {
                move(fresh, old, shape.names()[i]);
            }
        }
    }

    private static void move(Object from, Object to, String name) {
        Shape shape = Shape.of(from.getClass());
        int field = shape.find(name);
        long source = shape.offsets()[field];
        long target = Shape.offset(to, name);
        switch (shape.kinds()[field]) {
            case 'L' -> UNSAFE.putReference(to, target, UNSAFE.getReference(from, source));
            case 'J', 'D' -> UNSAFE.putLong(to, target, UNSAFE.getLong(from, source));
            case 'I', 'F' -> UNSAFE.putInt(to, target, UNSAFE.getInt(from, source));
            default -> UNSAFE.putByte(to, target, UNSAFE.getByte(from, source));
        }
    }

    private static @Nullable Object reference(Object object, String name) {
        return UNSAFE.getReference(object, Shape.offset(object, name));
    }
}
