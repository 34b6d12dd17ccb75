package org.gridmpj.capture.heap;

/** How an object stands in an image. The codes are in images: never reordered. */
enum Kind {
    /** Field by field. */
    STRUCTURE(0),
    /** Elements as references. */
    REFERENCES(1),
    /** Elements as bytes. */
    PRIMITIVES(2),
    /** A name of this process's {@link TokenRegistry}. */
    TOKEN(3),
    /** A constant of a class that is not the program's: class and field. */
    CONSTANT(4),
    STRING(5),
    CLASS(6),
    /** By name; the fields of a program's enum follow. */
    ENUM(7),
    /** A small boxed number or character, of which the JVM keeps one. */
    CACHED_BOX(8),
    /** Class of the public type and a text from which it is made again: charset, locale, pattern, path, zone. */
    TEXT(9),
    /** Path, position, kind of stream. */
    FILE(10),
    /** By SerializedLambda; made when all else is there. */
    LAMBDA(11),
    /** Interfaces and handler; made when all else is there. */
    PROXY(12),
    /** A weak, soft or phantom reference: its referent, its queue, and the next one there. */
    REFERENCE(13),
    /** A thread of the program; its task and the fields of subclasses follow. */
    THREAD(14),
    /** A reflected member: class, name, descriptor. */
    MEMBER(15),
    /** A method or variable handle: class, name, descriptor of what it is of. */
    HANDLE(16),
    /** A channel of a file: the stream that it belongs to, or path, position, options. */
    CHANNEL(17),
    /** What closes the file of a stream of lines, and is a lambda of the JDK's. */
    CLOSING(18),
    /** A pool of the JDK that has nothing to do, or what its threads wait in: field by field, without threads. */
    IDLE(19),
    /** The thread group of main. */
    GROUP(20),
    /** A direct buffer: where it stands; its bytes follow. */
    DIRECT(21);

    private static final Kind[] BY_CODE = values();

    private final int code;

    Kind(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }

    static Kind of(int code) {
        if (code < 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("no kind of object has code " + code);
        }
        return BY_CODE[code];
    }
}
