package org.gridmpj.testkit;

import org.gridmpj.datatype.Reducer;
import org.gridmpj.datatype.TypeMap;

/** Operations as programs define them. */
enum UserOps implements Reducer {
    /** Strings one after the other: associative, not commutative. */
    CONCATENATION(false) {
        @Override
        void combine(Object in, int inIndex, Object inout, int inoutIndex) {
            Object[] right = (Object[]) inout;
            right[inoutIndex] = ((Object[]) in)[inIndex].toString() + right[inoutIndex];
        }
    },
    /** Adds into the object that stands in inout, in place. */
    CELL_SUM(true) {
        @Override
        void combine(Object in, int inIndex, Object inout, int inoutIndex) {
            ((int[]) ((Object[]) inout)[inoutIndex])[0] += ((int[]) ((Object[]) in)[inIndex])[0];
        }
    },
    /** Affine maps x → a·x + b, composed; each is two neighbouring ints. Not commutative. */
    COMPOSITION(false) {
        @Override
        public void reduce(Object in, int inOffset, Object inout, int inoutOffset, int count, TypeMap type) {
            int[] first = (int[]) in;
            int[] second = (int[]) inout;
            for (int i = 0; i < count * type.extent(); i += 2) {
                int a = first[inOffset + i];
                int b = first[inOffset + i + 1];
                int c = second[inoutOffset + i];
                second[inoutOffset + i + 1] += b * c;
                second[inoutOffset + i] = a * c;
            }
        }

        @Override
        void combine(Object in, int inIndex, Object inout, int inoutIndex) {
            throw new IllegalStateException("pairs, not single elements");
        }
    };

    private final boolean commutative;

    UserOps(boolean commutative) {
        this.commutative = commutative;
    }

    abstract void combine(Object in, int inIndex, Object inout, int inoutIndex);

    @Override
    public void reduce(Object in, int inOffset, Object inout, int inoutOffset, int count, TypeMap type) {
        for (int i = 0; i < count * type.extent(); i++) {
            combine(in, inOffset + i, inout, inoutOffset + i);
        }
    }

    @Override
    public boolean commutative() {
        return commutative;
    }
}
