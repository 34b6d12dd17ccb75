package org.gridmpj.testkit;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where the blocks of a v-variant lie in one rank's buffer: anywhere, in any order, with gaps.
 *
 * @param counts items of each block
 * @param displacements of each block, in extents
 * @param span items from the first block to the end of the last
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; the test's own arrays
record BlockPlan(ElementLayout layout, int[] commons, int[] counts, int[] displacements, int span) {
    /** Blocks one after the other, as the variants without v have them. */
    static BlockPlan dense(ElementLayout layout, int[] commons) {
        return of(layout, commons, false, null);
    }

    static BlockPlan scattered(ElementLayout layout, int[] commons, RandomGenerator random) {
        return of(layout, commons, true, random);
    }

    private static BlockPlan of(
            ElementLayout layout, int[] commons, boolean scattered, @Nullable RandomGenerator random) {
        int blocks = commons.length;
        int[] order = new int[blocks];
        for (int i = 0; i < blocks; i++) {
            order[i] = i;
            if (random != null) {
                int other = random.nextInt(i + 1);
                order[i] = order[other];
                order[other] = i;
            }
        }
        int[] counts = new int[blocks];
        int[] displacements = new int[blocks];
        int position = scattered ? 1 : 0;
        for (int block : order) {
            counts[block] = layout.items(commons[block]);
            displacements[block] = position;
            position += counts[block] + (random == null ? 0 : random.nextInt(3));
        }
        return new BlockPlan(layout, commons, counts, displacements, position);
    }

    int offset(int base, int block) {
        return base + displacements[block] * layout.extent();
    }

    int elements(int block) {
        return commons[block] * ElementLayout.COMMON_ELEMENTS;
    }

    int length(int base) {
        return base + layout.span(span) + 2;
    }
}
