package org.gridmpj.capture.frames;

import org.jspecify.annotations.Nullable;

/**
 * One frame of a program's thread: where it stands and what it holds. Filled by the frame's own handler while the thread
 * unwinds, emptied by the second version of its method when it is entered again. Confined to the thread of the frame, but
 * for the copy that is made of it while the thread waits.
 *
 * <pre>
 *   references   this, if there is one; then live locals, operand stack, receiver and arguments of the call, in this order
 *   primitives   the same for int (boolean, byte, char, short), long, float, double; floating point as raw bits
 * </pre>
 */
public final class FrameRecord {
    private final String method;
    private final int site;
    private final Object[] references;
    private final long[] primitives;
    private int referenceAt;
    private int primitiveAt;

    /**
     * An empty one.
     *
     * @param method {@code pkg/Class.name(descriptor)}
     * @param site ordinal of the call within the method
     */
    FrameRecord(String method, int site, int references, int primitives) {
        this.method = method;
        this.site = site;
        this.references = new Object[references];
        this.primitives = new long[primitives];
    }

    private FrameRecord(String method, int site, Object[] references, long[] primitives) {
        this.method = method;
        this.site = site;
        this.references = references;
        this.primitives = primitives;
    }

    /** {@code pkg/Class.name(descriptor)}. */
    public String method() {
        return method;
    }

    /** Internal name of the method's class. */
    String owner() {
        return method.substring(0, method.indexOf('.'));
    }

    /** Binary name of the method's class. */
    String className() {
        return owner().replace('/', '.');
    }

    /** Which of the method's calls is under way. */
    public int site() {
        return site;
    }

    /** The receiver of an instance method; null for a constructor in super(…). */
    @Nullable
    Object receiver() {
        return references.length == 0 ? null : references[0];
    }

    /** As {@link #of} takes it: method, site, references, primitives. */
    Object[] plain() {
        return new Object[] {method, site, references, primitives};
    }

    static FrameRecord of(Object[] plain) {
        return new FrameRecord((String) plain[0], (Integer) plain[1], (Object[]) plain[2], (long[]) plain[3]);
    }

    void rewind() {
        referenceAt = 0;
        primitiveAt = 0;
    }

    // ---------------------------------------------------------------- called by instrumented code

    /** Adds a reference. */
    public FrameRecord put(Object value) {
        references[referenceAt++] = value;
        return this;
    }

    /** Adds an int, boolean, byte, char or short. */
    public FrameRecord put(int value) {
        primitives[primitiveAt++] = value;
        return this;
    }

    /** Adds a long. */
    public FrameRecord put(long value) {
        primitives[primitiveAt++] = value;
        return this;
    }

    /** Adds a float. */
    public FrameRecord put(float value) {
        primitives[primitiveAt++] = Float.floatToRawIntBits(value);
        return this;
    }

    /** Adds a double. */
    public FrameRecord put(double value) {
        primitives[primitiveAt++] = Double.doubleToRawLongBits(value);
        return this;
    }

    /** The next reference. */
    public Object takeReference() {
        return references[referenceAt++];
    }

    /** The next int, boolean, byte, char or short. */
    public int takeInt() {
        return (int) primitives[primitiveAt++];
    }

    /** The next long. */
    public long takeLong() {
        return primitives[primitiveAt++];
    }

    /** The next float. */
    public float takeFloat() {
        return Float.intBitsToFloat((int) primitives[primitiveAt++]);
    }

    /** The next double. */
    public double takeDouble() {
        return Double.longBitsToDouble(primitives[primitiveAt++]);
    }
}
