package org.gridmpj.codec.kryo;

/**
 * The first byte of a value in a {@link PlainGraphCodec}'s header; on the wire and in snapshots, never reused.
 *
 * <pre>
 *   REFERENCE ordinal | LATIN n bytes | WIDE n chars | INTEGER 4 | LONG 8 | DOUBLE 8 | FLOAT 4 | SHORT 2 | BYTE 1
 *   CHARACTER 2 | TRUE | FALSE | LIST n values | PRIMITIVES base n | ARRAY class n values | OBJECT class fields
 *   ENUM class name | RECORD class components | MAP n (key value)…
 *   class     its number in this message; at its first mention followed by n name (UTF-8), fingerprint (8)
 * </pre>
 *
 * Lengths and ordinals are variable in length, seven bits a byte, low bits first; all else is little-endian. Ordinals
 * count all objects but null and enum constants, in the order in which they begin.
 */
final class GraphTag {
    static final int NULL = 0;
    static final int REFERENCE = 1;
    static final int LATIN = 2;
    static final int WIDE = 3;
    static final int INTEGER = 4;
    static final int LONG = 5;
    static final int DOUBLE = 6;
    static final int FLOAT = 7;
    static final int SHORT = 8;
    static final int BYTE = 9;
    static final int CHARACTER = 10;
    static final int TRUE = 11;
    static final int FALSE = 12;
    static final int LIST = 13;
    static final int PRIMITIVES = 14;
    static final int ARRAY = 15;
    static final int OBJECT = 16;
    static final int ENUM = 17;
    static final int RECORD = 18;
    static final int MAP = 19;

    private GraphTag() {}
}
