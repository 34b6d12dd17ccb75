package org.gridmpj.transport.gridtcp;

import org.jspecify.annotations.Nullable;

/**
 * Which rules hold: all, but in the test that leaves one out.
 *
 * @param omitted the rule that is left out, or null
 */
record ChannelRules(@Nullable ChannelRule omitted) {
    /** What production runs by. */
    static final ChannelRules ALL = new ChannelRules(null);

    boolean hold(ChannelRule rule) {
        return rule != omitted;
    }
}
