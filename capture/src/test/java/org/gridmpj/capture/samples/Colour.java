package org.gridmpj.capture.samples;

/** An enum that holds something. */
@SuppressWarnings("ImmutableEnumChecker") // the very point
public enum Colour {
    RED,
    GREEN {
        @Override
        public int weight() {
            return 2;
        }
    };

    /** Changed by programs. */
    public int count;

    /** Differs between the constants. */
    public int weight() {
        return 1;
    }
}
