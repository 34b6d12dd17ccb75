package org.gridmpj.checkpoint;

/** How the state in an image was taken, and by whom it can be taken back. The codes are in the header: never reordered. */
public enum ImageKind {
    /** What the program has registered; main runs again and asks for it. */
    COOPERATIVE(0),
    /** Stacks, static fields and objects of the program as it is, and the engine's, as one graph. */
    TRANSPARENT(1),
    /** As TRANSPARENT, of a rank that goes on alone: with what its channels held. No part of an epoch. */
    SOLITARY(2);

    private final int code;

    ImageKind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static ImageKind of(int code) throws ImageCorruptException {
        for (ImageKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new ImageCorruptException("an image of kind " + code + ", which this version does not know");
    }
}
