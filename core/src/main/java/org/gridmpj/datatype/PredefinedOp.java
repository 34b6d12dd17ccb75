package org.gridmpj.datatype;

import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;

/**
 * The predefined operations of Reduce (MPI standard, 6.9.2 and 6.9.4), all associative and commutative. MAXLOC and MINLOC
 * take pairs: datatypes of an even number of elements ({@code contiguous(2, INT)} …).
 */
public enum PredefinedOp implements Reducer {
    MAX(ArithmeticOps::max, Operands.NUMBERS),
    MIN(ArithmeticOps::min, Operands.NUMBERS),
    SUM(ArithmeticOps::sum, Operands.NUMBERS),
    PROD(ArithmeticOps::product, Operands.NUMBERS),
    LAND(LogicalOps::and, Operands.TRUTH_VALUES),
    BAND(BitwiseOps::and, Operands.INTEGERS),
    LOR(LogicalOps::or, Operands.TRUTH_VALUES),
    BOR(BitwiseOps::or, Operands.INTEGERS),
    LXOR(LogicalOps::xor, Operands.TRUTH_VALUES),
    BXOR(BitwiseOps::xor, Operands.INTEGERS),
    MINLOC(LocationOps::min, Operands.PAIRS),
    MAXLOC(LocationOps::max, Operands.PAIRS);

    /** What an operation takes. */
    private enum Operands {
        NUMBERS,
        INTEGERS,
        TRUTH_VALUES,
        PAIRS;

        boolean include(BaseType base) {
            return switch (base) {
                case SHORT, INT, LONG -> true;
                case BYTE, CHAR -> this != PAIRS;
                case FLOAT, DOUBLE -> this == NUMBERS || this == PAIRS;
                case BOOLEAN -> this == TRUTH_VALUES;
                case PACKED, OBJECT -> false;
            };
        }
    }

    @SuppressWarnings("ImmutableEnumChecker") // static methods only
    private final ElementKernel kernel;

    private final Operands operands;

    PredefinedOp(ElementKernel kernel, Operands operands) {
        this.kernel = kernel;
        this.operands = operands;
    }

    @Override
    public boolean commutative() {
        return true;
    }

    /**
     * {@inheritDoc}
     *
     * @throws MpiFailure OP if this operation does not take the datatype
     */
    @Override
    public void reduce(Object in, int inOffset, Object inout, int inoutOffset, int count, TypeMap type) {
        requireTakes(type);
        if (type.isContiguous()) {
            ElementKernel.combine(
                    kernel, type.base(), in, inOffset, inout, inoutOffset, Math.multiplyExact(count, type.size()));
            return;
        }
        for (int item = 0; item < count; item++) {
            int shift = item * type.extent();
            for (int run = 0; run < type.runCount(); run++) {
                int at = shift + type.runStart(run);
                ElementKernel.combine(
                        kernel, type.base(), in, inOffset + at, inout, inoutOffset + at, type.runLength(run));
            }
        }
    }

    /**
     * To be called before a reduction starts.
     *
     * @throws MpiFailure OP if this operation does not take the datatype
     */
    public void requireTakes(TypeMap type) {
        if (!takes(type)) {
            throw new MpiFailure(
                    ErrorClass.OP,
                    name() + " does not take datatype " + type
                            + (operands == Operands.PAIRS
                                    ? ": it needs pairs (SHORT2, INT2, LONG2, FLOAT2, DOUBLE2)"
                                    : ""));
        }
    }

    /** Whether this operation is defined on a datatype. */
    public boolean takes(TypeMap type) {
        if (operands == Operands.PAIRS) {
            for (int run = 0; run < type.runCount(); run++) {
                if (type.runLength(run) % 2 != 0) {
                    return false;
                }
            }
        }
        return operands.include(type.base());
    }

    /**
     * Whether neither the order nor the grouping of the terms shows in a bit of the result. It does of floating-point numbers:
     * SUM and PROD round, which operand a NaN was decides on its bits in MAX and MIN, and in MAXLOC and MINLOC 0.0 and −0.0
     * are equal, a NaN neither more nor less. Integers wrap around, truth values and bits are exact, and of equal values
     * MAXLOC and MINLOC take the lower index.
     */
    public boolean isExactOn(TypeMap type) {
        return takes(type) && type.base() != BaseType.FLOAT && type.base() != BaseType.DOUBLE;
    }
}
