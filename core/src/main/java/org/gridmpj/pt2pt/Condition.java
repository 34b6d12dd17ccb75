package org.gridmpj.pt2pt;

import java.util.function.BooleanSupplier;

/** Waiting for something that is no operation's completion, as a request: probe, detach, markers, goodbyes. */
final class Condition extends Request {
    private final String text;
    private final BooleanSupplier holds;
    private final MessageStatus status = new MessageStatus();
    private volatile boolean complete;

    /**
     * A condition.
     *
     * @param text for messages
     * @param holds evaluated under the progress lock, after each round
     */
    Condition(String text, BooleanSupplier holds) {
        this.text = text;
        this.holds = holds;
    }

    @Override
    public boolean isComplete() {
        return complete;
    }

    @Override
    public boolean isActive() {
        return !complete;
    }

    @Override
    public MessageStatus status() {
        return status;
    }

    @Override
    protected void advance() {
        if (!complete && holds.getAsBoolean()) {
            complete = true;
        }
    }

    @Override
    public String toString() {
        return text;
    }
}
