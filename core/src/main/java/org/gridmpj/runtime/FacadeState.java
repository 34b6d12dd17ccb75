package org.gridmpj.runtime;

import org.gridmpj.snapshot.TokenBinder;

/** What the facade above has for a transparent snapshot: its statics are this process's own, their contents are not. */
public interface FacadeState {
    /** Names the predefined objects. */
    void bindTokens(TokenBinder binder);

    /** What the predefined objects and the statics contain, as plain data. */
    Object state();

    /** Takes over what {@link #state} gave in another process, whose communicators are this process's by now. */
    void adopt(Object state);
}
