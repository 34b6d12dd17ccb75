package org.gridmpj.datatype;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.util.List;
import java.util.Random;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class PredefinedOpTest {
    @ParameterizedTest
    @EnumSource(PredefinedOp.class)
    void shouldEqualTheElementLoopWhenTheTypeIsTaken(PredefinedOp op) {
        boolean pairs = op == PredefinedOp.MAXLOC || op == PredefinedOp.MINLOC;
        for (BaseType base : BaseType.values()) {
            for (int seed = 0; seed < 60; seed++) {
                Random random = new Random(seed);
                TypeMap item = pairs ? TypeMap.contiguous(2, TypeMap.of(base)) : TypeMap.of(base);
                int blockLength = 1 + random.nextInt(3);
                TypeMap type = random.nextBoolean() ? item : TypeMap.vector(2, blockLength, blockLength + 1, item);
                // some are longer than a piece that is combined aside
                int count = seed % 20 == 0 ? 5_000 + random.nextInt(10_000) : random.nextInt(40);
                int inAt = random.nextInt(3);
                int inoutAt = random.nextInt(3);
                int length = 4 + count * type.extent();
                Object in = smallValues(random, base, length);
                Object inout = smallValues(random, base, length);
                if (!op.takes(type)) {
                    assertThatThrownBy(() -> op.reduce(in, inAt, inout, inoutAt, count, type))
                            .isInstanceOfSatisfying(
                                    MpiFailure.class,
                                    e -> assertThat(e.errorClass()).isEqualTo(ErrorClass.OP))
                            .hasMessageContaining(op.name());
                    continue;
                }
                Object expected = Array.newInstance(inout.getClass().getComponentType(), length);
                System.arraycopy(inout, 0, expected, 0, length);
                for (int i = 0; i < count * type.size(); i += pairs ? 2 : 1) {
                    int at = ObjectEncoder.elementIndex(0, type, i);
                    if (pairs) {
                        expectPair(op, in, at + inAt, expected, at + inoutAt);
                    } else {
                        expectElement(op, base, in, at + inAt, expected, at + inoutAt);
                    }
                }
                op.reduce(in, inAt, inout, inoutAt, count, type);
                assertThat(inout).as("%s %s seed %d", op, type, seed).isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(BaseType.class)
    void shouldTakeTheTypesOfTheStandardWhenAsked(BaseType base) {
        boolean integer = base.code() <= 3 || base == BaseType.INT || base == BaseType.LONG;
        boolean floating = base == BaseType.FLOAT || base == BaseType.DOUBLE;
        TypeMap type = TypeMap.of(base);
        TypeMap pair = TypeMap.contiguous(2, type);
        assertThat(PredefinedOp.SUM.takes(type)).isEqualTo(integer || floating);
        assertThat(PredefinedOp.BXOR.takes(type)).isEqualTo(integer);
        assertThat(PredefinedOp.LAND.takes(type)).isEqualTo(integer || base == BaseType.BOOLEAN);
        assertThat(PredefinedOp.MAXLOC.takes(type)).isFalse();
        assertThat(PredefinedOp.MAXLOC.takes(pair))
                .isEqualTo(floating || (integer && base != BaseType.BYTE && base != BaseType.CHAR));
    }

    /** Three terms decide: what may be grouped and swapped by threes may be so by any number. */
    @ParameterizedTest
    @EnumSource(PredefinedOp.class)
    void shouldGiveTheSameInAnyOrderAndGroupingWhenExact(PredefinedOp op) {
        boolean pairs = op == PredefinedOp.MAXLOC || op == PredefinedOp.MINLOC;
        for (BaseType base : BaseType.values()) {
            TypeMap type = pairs ? TypeMap.contiguous(2, TypeMap.of(base)) : TypeMap.of(base);
            boolean floating = base == BaseType.FLOAT || base == BaseType.DOUBLE;
            assertThat(op.isExactOn(type)).isEqualTo(op.takes(type) && !floating);
            if (!op.isExactOn(type)) {
                continue;
            }
            int count = 2_000;
            for (int seed = 0; seed < 5; seed++) {
                Random random = new Random(seed);
                Object a = anyValues(random, base, count * type.size());
                Object b = anyValues(random, base, count * type.size());
                Object c = anyValues(random, base, count * type.size());
                Object left = combined(op, type, combined(op, type, a, b), c);
                assertThat(combined(op, type, a, combined(op, type, b, c)))
                        .as("grouping, %s %s seed %d", op, type, seed)
                        .isEqualTo(left);
                assertThat(combined(op, type, b, a))
                        .as("order, %s %s seed %d", op, type, seed)
                        .isEqualTo(combined(op, type, a, b));
            }
        }
    }

    /** −0.0 and 0.0, 10¹⁶ and 1, and NaN among other values. */
    @Test
    void shouldShowTheOrderWhenNumbersAreFloating() {
        TypeMap one = TypeMap.of(BaseType.DOUBLE);
        TypeMap pair = TypeMap.contiguous(2, one);
        double[] huge = {1e16};
        double[] opposite = {-1e16};
        double[] little = {1};
        assertThat(combined(PredefinedOp.SUM, one, combined(PredefinedOp.SUM, one, huge, opposite), little))
                .isNotEqualTo(combined(PredefinedOp.SUM, one, huge, combined(PredefinedOp.SUM, one, opposite, little)));
        double[] zero = {0.0, 1};
        double[] negative = {-0.0, 1};
        double[] none = {Double.NaN, 1};
        for (PredefinedOp op : new PredefinedOp[] {PredefinedOp.MAXLOC, PredefinedOp.MINLOC}) {
            assertThat(combined(op, pair, zero, negative)).isNotEqualTo(combined(op, pair, negative, zero));
            assertThat(combined(op, pair, none, zero)).isNotEqualTo(combined(op, pair, zero, none));
        }
    }

    /** Numbers of all bits, few and more than a piece that is combined aside, from the beginning of an array and from further on. */
    @ParameterizedTest
    @EnumSource(
            value = PredefinedOp.class,
            names = {"MAX", "MIN", "LAND", "LOR", "LXOR"})
    void shouldEqualTheElementLoopWhenValuesAreOfAnySize(PredefinedOp op) {
        for (BaseType base : List.of(BaseType.BYTE, BaseType.SHORT, BaseType.CHAR, BaseType.INT, BaseType.LONG)) {
            TypeMap type = TypeMap.of(base);
            for (int seed = 0; seed < 12; seed++) {
                Random random = new Random(seed);
                int from = seed % 3 == 0 ? 0 : random.nextInt(60_000);
                int count = seed % 4 == 0 ? 63 + random.nextInt(3) : 30_000 + random.nextInt(10_000);
                Object in = anyValues(random, base, from + count);
                Object inout = anyValues(random, base, from + count);
                Object expected = Array.newInstance(inout.getClass().getComponentType(), from + count);
                System.arraycopy(inout, 0, expected, 0, from + count);
                for (int i = from; i < from + count; i++) {
                    expectElement(op, base, in, i, expected, i);
                }
                op.reduce(in, from, inout, from, count, type);
                assertThat(inout).as("%s %s seed %d", op, base, seed).isEqualTo(expected);
            }
        }
    }

    private static Object combined(PredefinedOp op, TypeMap type, Object left, Object right) {
        int length = Array.getLength(right);
        Object result = Array.newInstance(right.getClass().getComponentType(), length);
        System.arraycopy(right, 0, result, 0, length);
        op.reduce(left, 0, result, 0, length / type.size(), type);
        return result;
    }

    /** Each second one of any size, the others few. */
    private static Object anyValues(Random random, BaseType base, int length) {
        Object array = smallValues(random, base, length);
        for (int i = 0; i < length; i++) {
            if (random.nextBoolean()) {
                switch (base) {
                    case BYTE -> Array.setByte(array, i, (byte) random.nextInt());
                    case CHAR -> Array.setChar(array, i, (char) random.nextInt());
                    case SHORT -> Array.setShort(array, i, (short) random.nextInt());
                    case INT -> Array.setInt(array, i, random.nextInt());
                    case LONG -> Array.setLong(array, i, random.nextLong());
                    case BOOLEAN -> Array.setBoolean(array, i, random.nextBoolean());
                    default -> throw new IllegalArgumentException(base.name());
                }
            }
        }
        return array;
    }

    private static Object smallValues(Random random, BaseType base, int length) {
        Object array = base == BaseType.OBJECT
                ? new Object[length]
                : Array.newInstance(base.arrayClass().getComponentType(), length);
        for (int i = 0; i < length; i++) {
            int value = random.nextInt(5);
            switch (base) {
                case BOOLEAN -> Array.setBoolean(array, i, value > 2);
                case CHAR -> Array.setChar(array, i, (char) value);
                case OBJECT -> Array.set(array, i, value);
                default -> Array.setByte(array, i, (byte) (value - 2));
            }
        }
        return array;
    }

    private static void expectPair(PredefinedOp op, Object in, int a, Object inout, int b) {
        double left = ((Number) Array.get(in, a)).doubleValue();
        double right = ((Number) Array.get(inout, b)).doubleValue();
        double leftIndex = ((Number) Array.get(in, a + 1)).doubleValue();
        double rightIndex = ((Number) Array.get(inout, b + 1)).doubleValue();
        boolean take = op == PredefinedOp.MAXLOC ? left > right : left < right;
        if (take || (left == right && leftIndex < rightIndex)) {
            Array.set(inout, b, Array.get(in, a));
            Array.set(inout, b + 1, Array.get(in, a + 1));
        }
    }

    private static void expectElement(PredefinedOp op, BaseType base, Object in, int a, Object inout, int b) {
        if (base == BaseType.BOOLEAN) {
            boolean left = Array.getBoolean(in, a);
            boolean right = Array.getBoolean(inout, b);
            Array.setBoolean(
                    inout,
                    b,
                    op == PredefinedOp.LAND ? left && right : op == PredefinedOp.LOR ? left || right : left != right);
            return;
        }
        if (base == BaseType.LONG && (op == PredefinedOp.MAX || op == PredefinedOp.MIN)) {
            // more bits than a double has
            long left = Array.getLong(in, a);
            long right = Array.getLong(inout, b);
            Array.setLong(inout, b, op == PredefinedOp.MAX ? Math.max(left, right) : Math.min(left, right));
            return;
        }
        double left = number(in, a);
        double right = number(inout, b);
        double result = switch (op) {
            case MAX -> Math.max(left, right);
            case MIN -> Math.min(left, right);
            case SUM -> left + right;
            case PROD -> left * right;
            case LAND -> left != 0 && right != 0 ? 1 : 0;
            case LOR -> left != 0 || right != 0 ? 1 : 0;
            case LXOR -> (left != 0) != (right != 0) ? 1 : 0;
            case BAND -> (long) left & (long) right;
            case BOR -> (long) left | (long) right;
            case BXOR -> (long) left ^ (long) right;
            case MAXLOC, MINLOC -> throw new IllegalArgumentException();
        };
        switch (base) {
            case BYTE -> Array.setByte(inout, b, (byte) result);
            case CHAR -> Array.setChar(inout, b, (char) result);
            case SHORT -> Array.setShort(inout, b, (short) result);
            case INT -> Array.setInt(inout, b, (int) result);
            case LONG -> Array.setLong(inout, b, (long) result);
            case FLOAT -> Array.setFloat(inout, b, (float) result);
            default -> Array.setDouble(inout, b, result);
        }
    }

    private static double number(Object array, int index) {
        Object value = Array.get(array, index);
        return value instanceof Character c ? c : ((Number) value).doubleValue();
    }
}
