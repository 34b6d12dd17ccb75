package org.gridmpj.transport.nio;

/** Why a connection was closed before it carried a frame. */
final class HandshakeRefusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean forGood;

    /**
     * @param reason reads after "refused a connection: "
     * @param forGood whether another attempt cannot end better: the peer belongs to the job but does not fit
     */
    HandshakeRefusal(String reason, boolean forGood) {
        super(reason);
        this.forGood = forGood;
    }

    String reason() {
        String reason = getMessage();
        return reason == null ? "no reason" : reason;
    }

    boolean forGood() {
        return forGood;
    }
}
