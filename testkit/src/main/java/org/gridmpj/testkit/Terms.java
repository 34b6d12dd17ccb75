package org.gridmpj.testkit;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.gridmpj.datatype.ArrayCodec;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.PredefinedOp;
import org.gridmpj.datatype.TypeMap;

/** Vectors for reductions in whose results the order of combination shows in some bit, if it can. */
final class Terms {
    /** An operation and a datatype that it takes. */
    record Reduction(PredefinedOp op, TypeMap type) {
        @Override
        public String toString() {
            return op + " of " + type.base();
        }
    }

    private Terms() {}

    /** All predefined operations, each with all base types that it takes. */
    static List<Reduction> reductions() {
        List<Reduction> all = new ArrayList<>();
        for (BaseType base : BaseType.values()) {
            for (PredefinedOp op : PredefinedOp.values()) {
                boolean pairs = op == PredefinedOp.MINLOC || op == PredefinedOp.MAXLOC;
                TypeMap type = pairs ? TypeMap.contiguous(2, TypeMap.of(base)) : TypeMap.of(base);
                if (op.takes(type)) {
                    all.add(new Reduction(op, type));
                }
            }
        }
        return all;
    }

    /** A new array: half of the elements are of any size, the others so small that ties and both zeros are among them. */
    static Object of(BaseType base, int elements, RandomGenerator random) {
        Object array = Array.newInstance(base.arrayClass().getComponentType(), elements);
        for (int i = 0; i < elements; i++) {
            int small = random.nextInt(-1, 2);
            boolean any = random.nextBoolean();
            switch (base) {
                case BYTE, PACKED -> Array.setByte(array, i, (byte) (any ? random.nextInt() : small));
                case CHAR -> Array.setChar(array, i, (char) (any ? random.nextInt() : small + 1));
                case SHORT -> Array.setShort(array, i, (short) (any ? random.nextInt() : small));
                case BOOLEAN -> Array.setBoolean(array, i, random.nextBoolean());
                case INT -> Array.setInt(array, i, any ? random.nextInt() : small);
                case LONG -> Array.setLong(array, i, any ? random.nextLong() : small);
                case FLOAT ->
                    Array.setFloat(
                            array,
                            i,
                            any ? (random.nextFloat() - 0.5f) * Math.scalb(1f, random.nextInt(20)) : small * 0f);
                case DOUBLE ->
                    Array.setDouble(
                            array,
                            i,
                            any ? (random.nextDouble() - 0.5) * Math.scalb(1.0, random.nextInt(40)) : small * 0.0);
                case OBJECT -> throw new IllegalArgumentException();
            }
        }
        return array;
    }

    /** The bits of an array's first elements. */
    static byte[] bits(BaseType base, Object array, int elements) {
        byte[] bytes = new byte[elements * base.sizeBytes()];
        ArrayCodec.toBytes(base, array, 0, MemorySegment.ofArray(bytes), 0, elements);
        return bytes;
    }
}
