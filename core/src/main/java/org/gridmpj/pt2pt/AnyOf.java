package org.gridmpj.pt2pt;

import org.jspecify.annotations.Nullable;

/** Waiting for the first of several requests (MPI_Waitany). Guarded by the progress lock, but for the result. */
final class AnyOf extends Request {
    private final @Nullable Request[] requests;
    private final MessageStatus status = new MessageStatus();
    private volatile int index = -1;

    AnyOf(@Nullable Request[] requests) {
        this.requests = requests;
    }

    /** The first request found complete, or −1. */
    int index() {
        return index;
    }

    /** Whether any request is active, complete or not. */
    static boolean hasActive(@Nullable Request[] requests) {
        for (Request request : requests) {
            if (request != null && request.isActive()) {
                return true;
            }
        }
        return false;
    }

    @Override
    protected void advance() {
        for (int i = 0; i < requests.length && index < 0; i++) {
            Request request = requests[i];
            if (request != null && request.isActive() && request.isComplete()) {
                index = i;
            }
        }
    }

    @Override
    void setWaiter(@Nullable Thread thread) {
        for (Request request : requests) {
            if (request != null && request.isActive()) {
                request.setWaiter(thread);
            }
        }
    }

    @Override
    public boolean isComplete() {
        return index >= 0;
    }

    @Override
    public boolean isActive() {
        return index < 0;
    }

    @Override
    public MessageStatus status() {
        return status;
    }

    @Override
    public String toString() {
        return "any of " + requests.length + " requests";
    }
}
