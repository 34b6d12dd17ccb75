package org.gridmpj.datatype;

/**
 * The element types that a message can have. The codes are on the wire and in snapshots: never reordered.
 */
public enum BaseType {
    BYTE(1, 1, byte[].class),
    CHAR(2, 2, char[].class),
    SHORT(3, 2, short[].class),
    BOOLEAN(4, 1, boolean[].class),
    INT(5, 4, int[].class),
    LONG(6, 8, long[].class),
    FLOAT(7, 4, float[].class),
    DOUBLE(8, 8, double[].class),
    /** Packed bytes: a byte[] that matches every type. */
    PACKED(9, 1, byte[].class),
    /** Serialized objects; no fixed size. */
    OBJECT(10, 0, Object[].class);

    private static final BaseType[] BY_CODE = new BaseType[11];

    static {
        for (BaseType base : values()) {
            BY_CODE[base.code] = base;
        }
    }

    private final int code;
    private final int sizeBytes;
    private final int sizeShift;
    private final Class<?> arrayClass;

    BaseType(int code, int sizeBytes, Class<?> arrayClass) {
        this.code = code;
        this.sizeBytes = sizeBytes;
        sizeShift = Integer.numberOfTrailingZeros(sizeBytes);
        this.arrayClass = arrayClass;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }

    /**
     * The type of a number on the wire.
     *
     * @throws IllegalArgumentException if there is none: the stream is corrupt
     */
    public static BaseType of(int code) {
        if (code <= 0 || code >= BY_CODE.length) {
            throw new IllegalArgumentException("no base type has code " + code);
        }
        return BY_CODE[code];
    }

    /** Bytes of one element on the wire; 0 for OBJECT. */
    public int sizeBytes() {
        return sizeBytes;
    }

    /**
     * How many whole elements so many bytes are; not for OBJECT. All sizes are powers of two, and the divisions of a short
     * message would take as long as its copies.
     */
    public long elementsIn(long bytes) {
        return bytes >> sizeShift;
    }

    /** The Java array that holds such elements; any array of references will do for OBJECT. */
    public Class<?> arrayClass() {
        return arrayClass;
    }
}
