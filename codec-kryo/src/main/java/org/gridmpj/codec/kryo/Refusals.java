package org.gridmpj.codec.kryo;

import org.jspecify.annotations.Nullable;

/**
 * What happened to graphs that begin at a class: after each refusal twice as many go to java.io untried. Races cost a
 * trial at most.
 */
final class Refusals {
    private static final int LONGEST_PAUSE = 1024;

    private final ClassValue<Experience> experiences = new ClassValue<>() {
        @Override
        protected Experience computeValue(Class<?> type) {
            return new Experience();
        }
    };

    private static final class Experience {
        private int pause;
        private int left;
    }

    /** Whether to try a graph that begins at this class. */
    boolean advise(Class<?> type) {
        Experience experience = experiences.get(type);
        if (experience.left > 0) {
            experience.left--;
            return false;
        }
        return true;
    }

    void refused(@Nullable Object[] elements, int count) {
        for (int i = 0; i < count; i++) {
            Object element = elements[i];
            if (element != null) {
                Experience experience = experiences.get(element.getClass());
                experience.pause = Math.min(LONGEST_PAUSE, experience.pause * 2 + 1);
                experience.left = experience.pause;
            }
        }
    }
}
