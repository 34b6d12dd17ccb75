package org.gridmpj.transport.log;

import org.jspecify.annotations.Nullable;

/** All rules, or all but one. */
public record LogRules(@Nullable LogRule without) {
    public static final LogRules ALL = new LogRules(null);

    /** Whether a rule is in force. */
    public boolean hold(LogRule rule) {
        return rule != without;
    }
}
