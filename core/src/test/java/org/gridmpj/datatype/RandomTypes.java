package org.gridmpj.datatype;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded random datatypes with the displacements that the standard's definition gives, element by element. */
final class RandomTypes {
    /** A type map written out: what {@link TypeMap} must equal. */
    record Naive(TypeMap map, List<Integer> displacements, int lower, int upper) {
        int extent() {
            return upper - lower;
        }
    }

    private RandomTypes() {}

    static Naive random(Random random, BaseType base, int depth) {
        if (depth == 0) {
            return new Naive(TypeMap.of(base), List.of(0), 0, 1);
        }
        Naive old = random(random, base, depth - 1);
        return switch (random.nextInt(6)) {
            case 0 -> {
                int count = 1 + random.nextInt(4);
                yield naive(TypeMap.contiguous(count, old.map), new int[] {count}, new int[] {0}, old);
            }
            case 1 -> {
                int count = 1 + random.nextInt(4);
                int length = 1 + random.nextInt(3);
                int stride = length + random.nextInt(3);
                int[] at = new int[count];
                int[] lengths = new int[count];
                for (int i = 0; i < count; i++) {
                    at[i] = i * stride * old.extent();
                    lengths[i] = length;
                }
                yield naive(TypeMap.vector(count, length, stride, old.map), lengths, at, old);
            }
            case 2 -> {
                int count = 1 + random.nextInt(4);
                int length = 1 + random.nextInt(3);
                int stride = length * old.extent() + random.nextInt(3);
                int[] at = new int[count];
                int[] lengths = new int[count];
                for (int i = 0; i < count; i++) {
                    at[i] = i * stride;
                    lengths[i] = length;
                }
                yield naive(TypeMap.hvector(count, length, stride, old.map), lengths, at, old);
            }
            case 3 -> {
                int[] lengths = {1 + random.nextInt(2), random.nextInt(3), 1};
                int[] at = {6, 0, 10};
                int[] scaled = {6 * old.extent(), 0, 10 * old.extent()};
                yield naive(TypeMap.indexed(lengths, at, old.map), lengths, scaled, old);
            }
            case 4 -> {
                int[] lengths = {1 + random.nextInt(2), 1};
                int[] at = {3 * old.extent() + 1, 0};
                yield naive(TypeMap.hindexed(lengths, at, old.map), lengths, at, old);
            }
            default -> {
                int upper = old.upper + random.nextInt(4);
                TypeMap[] types = {TypeMap.lowerBoundMarker(), old.map, TypeMap.upperBoundMarker()};
                TypeMap map = TypeMap.struct(new int[] {1, 1, 1}, new int[] {old.lower, 0, upper}, types);
                yield new Naive(map, old.displacements, old.lower, upper);
            }
        };
    }

    private static Naive naive(TypeMap map, int[] lengths, int[] at, Naive old) {
        List<Integer> displacements = new ArrayList<>();
        int lower = Integer.MAX_VALUE;
        int upper = Integer.MIN_VALUE;
        for (int block = 0; block < lengths.length; block++) {
            for (int copy = 0; copy < lengths[block]; copy++) {
                int origin = at[block] + copy * old.extent();
                lower = Math.min(lower, origin + old.lower);
                upper = Math.max(upper, origin + old.upper);
                for (int displacement : old.displacements) {
                    displacements.add(origin + displacement);
                }
            }
        }
        return new Naive(map, displacements, lower, upper);
    }

    /** An array of random elements; objects are Integers. */
    static Object array(Random random, BaseType base, int length) {
        Object array = base == BaseType.OBJECT
                ? new Object[length]
                : Array.newInstance(base.arrayClass().getComponentType(), length);
        for (int i = 0; i < length; i++) {
            Array.set(array, i, element(random, base));
        }
        return array;
    }

    private static Object element(Random random, BaseType base) {
        return switch (base) {
            case BYTE, PACKED -> (byte) random.nextInt();
            case CHAR -> (char) random.nextInt();
            case SHORT -> (short) random.nextInt();
            case BOOLEAN -> random.nextBoolean();
            case INT -> random.nextInt();
            case LONG -> random.nextLong();
            case FLOAT -> random.nextFloat();
            case DOUBLE -> random.nextDouble();
            case OBJECT -> Integer.valueOf(random.nextInt());
        };
    }
}
