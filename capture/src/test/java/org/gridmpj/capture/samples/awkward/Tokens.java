package org.gridmpj.capture.samples.awkward;

public final class Tokens {
    private Tokens() {}

    public static Token take() {
        return new Token() {};
    }

    public static String back(Token token, long call) {
        return call + " " + token.getClass().getSimpleName().length();
    }
}
