package org.gridmpj.coll;

import java.lang.reflect.Array;
import java.util.Arrays;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.TypeMap;
import org.jspecify.annotations.Nullable;

/**
 * Items in an array: what an action sends, receives, copies or combines. The array is the only thing that changes: that of
 * a region in a program's buffer is bound anew by each call that takes a kept schedule, which owns its regions.
 */
final class Region {
    private static final Object UNBOUND = new byte[0];

    /** No data: what a barrier exchanges. */
    static final Region NOTHING = new Region(new byte[0], 0, 0, TypeMap.of(BaseType.BYTE));

    private Object array;
    private int offset;
    private final int count;
    private final TypeMap type;

    Region(Object array, int offset, int count, TypeMap type) {
        this.array = array;
        this.offset = offset;
        this.count = count;
        this.type = type;
    }

    /** A Java array of the type's base. */
    Object array() {
        return array;
    }

    /** Index of the first item's displacement 0. */
    int offset() {
        return offset;
    }

    /** Number of items, one extent apart. */
    int count() {
        return count;
    }

    TypeMap type() {
        return type;
    }

    /** The same items of another array, some elements further on. */
    void bind(Object toArray, int shiftElements) {
        array = toArray;
        offset += shiftElements;
    }

    /** Lets go of the program's array. */
    void unbind() {
        array = UNBOUND;
    }

    /** Some of the items. */
    Region slice(int firstItem, int items) {
        return new Region(array, offset + firstItem * type.extent(), items, type);
    }

    /** The items of parts from … to − 1 of so many nearly equal ones. */
    Region part(int from, int to, int parts) {
        int first = (int) ((long) count * from / parts);
        return slice(first, (int) ((long) count * to / parts) - first);
    }

    /** The items of a block of a v-variant, whose displacement counts extents (MPI standard, 6.5). */
    Region at(int displacement, int items) {
        return slice(displacement, items);
    }

    /** Number of base elements. */
    int elements() {
        return Math.multiplyExact(count, type.size());
    }

    /** Bytes on the wire; 0 for OBJECT, whose size nobody knows before. */
    long bytes() {
        return (long) count * type.size() * type.base().sizeBytes();
    }

    boolean isObjects() {
        return type.base() == BaseType.OBJECT;
    }

    /** Whether the elements are one run of the array, from the offset on. */
    boolean isContiguous() {
        return type.isContiguous();
    }

    /** The same elements as items of the base type; for a contiguous region only. */
    Region asElements() {
        return new Region(array, offset, elements(), TypeMap.of(type.base()));
    }

    /** A new array for so many elements of this region's base type, one after the other. */
    Region packed(int elements) {
        BaseType base = type.base();
        // Objects only pass through: the sender's array may be of a narrower class than another rank's objects.
        Object room = base == BaseType.OBJECT ? new Object[elements] : Array.newInstance(component(), elements);
        return new Region(room, 0, elements, TypeMap.of(base));
    }

    /** A new array of the same class with room for the same items in the same layout, as user operations need it. */
    Region twin() {
        // the offset itself is an index, also where no element lies at displacement 0
        long first = Math.min(0, lowest(0));
        long end = highest(0);
        int length = count == 0 ? 0 : Math.toIntExact(end - first);
        return new Region(Array.newInstance(component(), length), count == 0 ? 0 : (int) -first, count, type);
    }

    /** Whether an element of this region is one of other, or lies between its elements. */
    boolean overlaps(Region other) {
        return isInArrayOf(other)
                && count > 0
                && other.count > 0
                && lowest(offset) < other.highest(other.offset)
                && other.lowest(other.offset) < highest(offset);
    }

    /** Whether these are the very elements of other, in the same order. */
    boolean isSameAs(Region other) {
        if (!isInArrayOf(other) || offset != other.offset) {
            return false;
        }
        boolean sameItems = count == other.count && type.equals(other.type);
        return sameItems || (isContiguous() && other.isContiguous() && elements() == other.elements());
    }

    private boolean isInArrayOf(Region other) {
        return isIn(other.array);
    }

    @SuppressWarnings("ReferenceEquality") // the question is whether it is one array, not whether two are alike
    boolean isIn(@Nullable Object wanted) {
        return array == wanted;
    }

    private long lowest(int from) {
        return from + Math.min(0, (count - 1L) * type.extent()) + type.firstElement();
    }

    private long highest(int from) {
        return from + Math.max(0, (count - 1L) * type.extent()) + type.endElement();
    }

    private Class<?> component() {
        Class<?> component = array.getClass().getComponentType();
        return component == null ? Object.class : component;
    }

    /** The smallest region that holds all of these, which lie in one array; counts elements. */
    static Region hull(Region[] regions) {
        long first = Long.MAX_VALUE;
        long end = Long.MIN_VALUE;
        for (Region region : regions) {
            if (region.count > 0) {
                first = Math.min(first, region.lowest(region.offset));
                end = Math.max(end, region.highest(region.offset));
            }
        }
        Region any = regions[0];
        TypeMap base = TypeMap.of(any.type.base());
        return end <= first
                ? new Region(any.array, 0, 0, base)
                : new Region(any.array, Math.toIntExact(first), Math.toIntExact(end - first), base);
    }

    /** Blocks of equal counts, one after the other. */
    static Region[] blocks(Region first, int blocks) {
        Region[] regions = new Region[blocks];
        Arrays.setAll(regions, block -> first.slice(block * first.count(), first.count()));
        return regions;
    }

    /** Blocks of given counts at displacements that count extents of the type. */
    static Region[] blocks(Object array, int offset, int[] counts, int[] displacements, TypeMap type, int blocks) {
        Region all = new Region(array, offset, 0, type);
        Region[] regions = new Region[blocks];
        Arrays.setAll(regions, block -> all.at(displacements[block], counts[block]));
        return regions;
    }
}
