package org.gridmpj.datatype;

import java.lang.reflect.Array;
import java.util.EnumMap;
import java.util.Map;

/**
 * Combines elements that stand at one place in two arrays, {@code inout[i] = in[i] ∘ inout[i]}.
 *
 * <p>At one place, as only such a loop becomes vector instructions: of two places the JIT of JDK 25 does not know whether
 * the arrays are one, in which a later term might be an earlier result (JDK-8324751). Operands at two places are brought to
 * one, piece by piece in the first-level cache; {@code bench/jmh Reduction} shows what that costs.
 */
@FunctionalInterface
interface ElementKernel {
    /** Combines elements from one index up to, but not with, another. */
    void combine(BaseType base, Object in, Object inout, int from, int to);

    /** Combines elements wherever they stand; of one array, parts that do not overlap. */
    static void combine(
            ElementKernel kernel, BaseType base, Object in, int inIndex, Object inout, int inoutIndex, int elements) {
        if (inIndex == inoutIndex) {
            kernel.combine(base, in, inout, inIndex, inIndex + elements);
            return;
        }
        Aside aside = Aside.of(base);
        int longest = Aside.BYTES / base.sizeBytes();
        for (int done = 0; done < elements; done += longest) {
            int length = Math.min(longest, elements - done);
            System.arraycopy(in, inIndex + done, aside.in, 0, length);
            System.arraycopy(inout, inoutIndex + done, aside.inout, 0, length);
            kernel.combine(base, aside.in, aside.inout, 0, length);
            System.arraycopy(aside.inout, 0, inout, inoutIndex + done, length);
        }
    }

    /** Room for a piece of both operands; each thread has its own. */
    final class Aside {
        /** Of each operand: with the pieces that they are copies of they fit into 32 KiB. Pairs are not torn. */
        static final int BYTES = 8 << 10;

        private static final ThreadLocal<Map<BaseType, Aside>> ROOMS =
                ThreadLocal.withInitial(() -> new EnumMap<>(BaseType.class));

        final Object in;
        final Object inout;

        private Aside(BaseType base) {
            Class<?> component = base.arrayClass().getComponentType();
            in = Array.newInstance(component, BYTES / base.sizeBytes());
            inout = Array.newInstance(component, BYTES / base.sizeBytes());
        }

        static Aside of(BaseType base) {
            return ROOMS.get().computeIfAbsent(base, Aside::new);
        }
    }
}
