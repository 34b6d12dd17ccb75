package org.gridmpj.pt2pt;

import org.jspecify.annotations.Nullable;

/**
 * Which rules hold: all, but in the test that leaves one out.
 *
 * @param omitted the rule that is left out, or null
 */
record CutRules(@Nullable CutRule omitted) {
    /** What production runs by. */
    static final CutRules ALL = new CutRules(null);

    boolean hold(CutRule rule) {
        return rule != omitted;
    }
}
