package org.gridmpj.launcher.job;

import java.io.IOException;

/** What a life of the job needs is at hosts that are not there now, and may be there another time. */
final class HostsAwayException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String otherwise;

    HostsAwayException(String message) {
        this(message, "");
    }

    /** @param otherwise what can be done without these hosts, for people; empty if nothing can */
    HostsAwayException(String message, String otherwise) {
        super(message);
        this.otherwise = otherwise;
    }

    /** What can be done without these hosts, for people; empty if nothing can. */
    String otherwise() {
        return otherwise;
    }
}
