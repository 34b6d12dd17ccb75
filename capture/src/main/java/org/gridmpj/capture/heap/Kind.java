package org.gridmpj.capture.heap;

/** How an object stands in an image. The codes are in images: never reordered. */
enum Kind {
    /** Field by field. */
    STRUCTURE,
    /** Elements as references. */
    REFERENCES,
    /** Elements as bytes. */
    PRIMITIVES,
    /** A name of this process's {@link TokenRegistry}. */
    TOKEN,
    /** A constant of a class that is not the program's: class and field. */
    CONSTANT,
    STRING,
    CLASS,
    /** By name; the fields of a program's enum follow. */
    ENUM,
    /** A small boxed number or character, of which the JVM keeps one. */
    CACHED_BOX,
    /** Class of the public type and a text from which it is made again: charset, locale, pattern, path, zone. */
    TEXT,
    /** Path, position, kind of stream. */
    FILE,
    /** By SerializedLambda; made when all else is there. */
    LAMBDA,
    /** Interfaces and handler; made when all else is there. */
    PROXY,
    /** A weak or soft reference and its referent. */
    REFERENCE;

    private static final Kind[] BY_CODE = values();

    static Kind of(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("no kind of object has code " + code);
        }
        return BY_CODE[code];
    }
}
