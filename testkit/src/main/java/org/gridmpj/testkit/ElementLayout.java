package org.gridmpj.testkit;

import java.util.random.RandomGenerator;
import org.gridmpj.datatype.TypeMap;

/**
 * A datatype and, spelled out by hand, where its elements lie.
 *
 * @param displacements of the elements of one item, in the order of the map
 * @param extent distance of items, in elements
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; the test's own arrays
record ElementLayout(String name, ElementKind kind, TypeMap type, int[] displacements, int extent) {
    /** Every layout fits so many elements. */
    static final int COMMON_ELEMENTS = 12;

    static ElementLayout plain(ElementKind kind) {
        return new ElementLayout("plain", kind, TypeMap.of(kind.base()), new int[] {0}, 1);
    }

    static ElementLayout any(ElementKind kind, RandomGenerator random) {
        TypeMap base = TypeMap.of(kind.base());
        return switch (random.nextInt(6)) {
            case 0 -> new ElementLayout("contiguous", kind, TypeMap.contiguous(3, base), new int[] {0, 1, 2}, 3);
            case 1 -> new ElementLayout("vector", kind, TypeMap.vector(2, 2, 3, base), new int[] {0, 1, 3, 4}, 5);
            case 2 ->
                new ElementLayout(
                        "indexed",
                        kind,
                        TypeMap.indexed(new int[] {1, 1, 1}, new int[] {3, 0, 1}, base),
                        new int[] {3, 0, 1},
                        4);
            case 3 ->
                // nothing lies at displacement 0
                new ElementLayout(
                        "indexed from 1 on",
                        kind,
                        TypeMap.indexed(new int[] {2, 1}, new int[] {3, 1}, base),
                        new int[] {3, 4, 1},
                        4);
            default -> plain(kind);
        };
    }

    /** Items that hold so many times the common number of elements. */
    int items(int commons) {
        return commons * COMMON_ELEMENTS / displacements.length;
    }

    /** Elements from the first to the last of so many items, and beyond to the end of the last extent. */
    int span(int items) {
        return items * extent;
    }

    /** Index of an element. */
    int index(int offset, int element) {
        return offset + element / displacements.length * extent + displacements[element % displacements.length];
    }

    @Override
    public String toString() {
        return kind + " " + name;
    }
}
