package org.gridmpj.datatype;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.Array;
import org.gridmpj.error.ErrorClass;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.PayloadSink;
import org.gridmpj.transport.PayloadSource;
import org.jspecify.annotations.Nullable;

/**
 * The buffer argument of a communication call (array, offset, count, datatype) as the payload of a message: read by a
 * transport when sent, written when received. Reused from operation to operation; confined to the holder of the progress
 * lock, but for {@link #forSend}, {@link #forReceive} and {@link #finish}, which may run outside as long as nothing else
 * touches this buffer.
 *
 * <p>Elements of primitive types are raw in native order, in the order of the type map and without gaps, and PACKED
 * bytes are the same: either may be received as the other. OBJECTs are one {@link ObjectRecord}.
 *
 * <pre>
 *   forSend → read… → released → clear        forReceive → expect → write… → finish → clear
 * </pre>
 */
public final class MessageBuffer implements PayloadSource, PayloadSink {
    private static final byte[] NO_BYTES = {};
    private static final Object[] NO_OBJECTS = {};

    private final @Nullable Runnable onReleased;
    private final @Nullable RowsAhead ahead;
    private @Nullable Object array;
    private int offset;
    private TypeMap type = TypeMap.of(BaseType.BYTE);
    private BaseType base = BaseType.BYTE;
    /** Base elements to send, or room for. */
    private int elements;

    private long messageBytes;
    private @Nullable ObjectEncoder encoder;
    private @Nullable ObjectDecoder decoder;
    private @Nullable ClassLoader loader;
    private boolean objects;
    /** Receive: arrays that lie in the program's are filled where they fit. */
    private boolean fillsArrays;

    private boolean discard;
    /** Whether there is anything to let go of. */
    private boolean inUse;

    /** A buffer that nobody asks to be told of. */
    public MessageBuffer() {
        this((Runnable) null);
    }

    /** onReleased runs when the transport needs the bytes no more. */
    public MessageBuffer(@Nullable Runnable onReleased) {
        this.onReleased = onReleased;
        ahead = null;
    }

    /** A buffer whose objects find their arrays made ahead, perhaps. */
    public MessageBuffer(RowsAhead ahead) {
        onReleased = null;
        this.ahead = ahead;
    }

    /**
     * Takes what is to be sent. Objects are serialized now, the program may change them afterwards; the data of arrays of
     * primitives are read later, as the data of primitive types are.
     *
     * @throws MpiFailure BUFFER, TYPE, COUNT or ARG if the arguments do not fit together
     */
    public void forSend(@Nullable Object array, int offset, int count, TypeMap type) {
        set(array, offset, count, type);
        if (base != BaseType.OBJECT) {
            messageBytes = (long) elements * base.sizeBytes();
        } else if (elements > 0) {
            ObjectEncoder current = encoder;
            if (current == null) {
                current = new ObjectEncoder();
                encoder = current;
            }
            messageBytes = current.encode((Object[]) require(array), offset, type, 0, elements);
            objects = true;
        }
    }

    /**
     * Takes where a message is to be stored.
     *
     * @throws MpiFailure BUFFER, TYPE, COUNT or ARG if the arguments do not fit together
     */
    public void forReceive(@Nullable Object array, int offset, int count, TypeMap type) {
        forReceive(array, offset, count, type, false);
    }

    /**
     * Takes where a message is to be stored.
     *
     * @param inPlace whether arrays of primitives that lie there, of the type and length that comes, are filled and not replaced
     * @throws MpiFailure BUFFER, TYPE, COUNT or ARG if the arguments do not fit together
     */
    public void forReceive(@Nullable Object array, int offset, int count, TypeMap type, boolean inPlace) {
        set(array, offset, count, type);
        fillsArrays = inPlace && base == BaseType.OBJECT && type.isContiguous();
        if (base == BaseType.OBJECT) {
            use(Thread.currentThread().getContextClassLoader());
        }
    }

    /** The loader stays when the message has gone, as the type does. */
    @SuppressWarnings("ReferenceEquality") // the same loader or not
    private void use(@Nullable ClassLoader contextLoader) {
        if (loader != contextLoader) {
            loader = contextLoader;
        }
    }

    private void set(@Nullable Object newArray, int newOffset, int count, TypeMap newType) {
        clear();
        elements = checkedElements(newArray, newOffset, count, newType);
        inUse = true;
        use(newType);
        if (elements == 0) {
            // whatever the program gave is not looked at: it may be null, of another class, or end before the offset
            array = base == BaseType.OBJECT ? NO_OBJECTS : NO_BYTES;
            return;
        }
        array = newArray;
        offset = newOffset;
    }

    /**
     * Most messages have the type of the one before. A reference that is stored into an object as old as this one costs a full
     * fence with some collectors (G1 before JDK 26), also if it is the same: such a one waits for the stores of the last message.
     */
    @SuppressWarnings("ReferenceEquality")
    private void use(TypeMap newType) {
        if (type != newType) {
            type = newType;
            base = newType.base();
        }
    }

    /** Length of the payload of a send. */
    public long messageBytes() {
        return messageBytes;
    }

    /**
     * Length of a send where it is compared with the eager limit: a short header counts for nothing, so that arrays go
     * the same way as MPI.OBJECT as they do as a primitive type.
     */
    public long eagerBytes() {
        return objects ? Math.max(0, messageBytes - ObjectRecord.SHORT_HEAD_BYTES) : messageBytes;
    }

    /** Base elements of a send. */
    public int elementCount() {
        return elements;
    }

    /** Base elements that a receive has room for. */
    public int capacityElements() {
        return elements;
    }

    /** The same in bytes; 0 for objects, which have no length beforehand. */
    public long capacityBytes() {
        return (long) elements * base.sizeBytes();
    }

    /** Code of the base type. */
    public int typeCode() {
        return base.code();
    }

    /** Flags for the frame header. */
    public int flags() {
        return base == BaseType.OBJECT ? FrameHeader.FLAG_OBJECTS : 0;
    }

    /**
     * A message was matched to this receive. If it does not fit, its payload is swallowed and nothing is stored.
     *
     * @param incomingBytes length of the message
     * @param incomingElements base elements that the sender counted
     * @param flags of the frame header
     * @return null, or why the receive fails: TRUNCATE naming both sizes, or TYPE
     */
    public @Nullable MpiFailure expect(long incomingBytes, int incomingElements, int flags) {
        messageBytes = incomingBytes;
        discard = false;
        objects = false;
        MpiFailure failure = base == BaseType.OBJECT
                ? expectObjects(incomingBytes, incomingElements, flags)
                : expectPrimitives(incomingBytes, flags);
        discard = failure != null;
        return failure;
    }

    private @Nullable MpiFailure expectObjects(long incomingBytes, int incomingElements, int flags) {
        if (incomingBytes == 0) {
            return null;
        }
        if ((flags & FrameHeader.FLAG_OBJECTS) != 0 && incomingElements > elements) {
            return new MpiFailure(
                    ErrorClass.TRUNCATE,
                    "message truncated: it has " + incomingElements + " objects, the receive buffer has room for "
                            + elements);
        }
        ObjectDecoder current = decoder;
        if (current == null) {
            current = new ObjectDecoder(ahead);
            decoder = current;
        }
        current.expect(incomingBytes, elements, loader);
        if (fillsArrays) {
            current.fillInPlace((Object[]) require(array), offset);
        }
        objects = true;
        return null;
    }

    private @Nullable MpiFailure expectPrimitives(long incomingBytes, int flags) {
        if ((flags & FrameHeader.FLAG_OBJECTS) != 0 && base != BaseType.PACKED && incomingBytes > 0) {
            return new MpiFailure(
                    ErrorClass.TYPE,
                    "the message holds objects, but the receive asks for " + base
                            + ": receive it as OBJECT (or PACKED)");
        }
        long room = (long) elements * base.sizeBytes();
        if (incomingBytes > room) {
            return new MpiFailure(
                    ErrorClass.TRUNCATE,
                    "message truncated: it has " + incomingBytes + " bytes, the receive buffer has room for " + room
                            + " (" + elements + " elements of " + base + ")");
        }
        if (base.elementsIn(incomingBytes) * base.sizeBytes() != incomingBytes) {
            return new MpiFailure(
                    ErrorClass.TYPE,
                    "the message has " + incomingBytes + " bytes, which is no whole number of " + base + " elements of "
                            + base.sizeBytes() + " bytes: it was sent with another datatype");
        }
        return null;
    }

    @Override
    public @Nullable Object array() {
        return base == BaseType.OBJECT || base == BaseType.BOOLEAN || !type.isContiguous() ? null : array;
    }

    @Override
    public long arrayOffsetBytes() {
        return (long) offset * base.sizeBytes();
    }

    @Override
    public @Nullable Object arrayToFill() {
        return discard ? null : array();
    }

    @Override
    public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
        if (objects) {
            requireEncoder().read(positionBytes, target, targetOffset, lengthBytes);
            return;
        }
        ElementRuns.gather(
                require(array), offset, type, elementsIn(positionBytes), elementsIn(lengthBytes), target, targetOffset);
    }

    @Override
    public void write(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
        if (discard) {
            return;
        }
        if (objects) {
            requireDecoder().write(positionBytes, source, sourceOffset, lengthBytes);
            return;
        }
        ElementRuns.scatter(
                require(array), offset, type, elementsIn(positionBytes), elementsIn(lengthBytes), source, sourceOffset);
    }

    /**
     * All bytes are written: stores objects in the user's array.
     *
     * @return base elements stored
     * @throws MpiFailure if objects cannot be rebuilt or stored
     */
    public int finish() {
        if (discard) {
            return 0;
        }
        if (!objects) {
            return base == BaseType.OBJECT ? 0 : elementsIn(messageBytes);
        }
        ObjectDecoder current = requireDecoder();
        try {
            return current.finish((Object[]) require(array), offset, type);
        } finally {
            current.clear();
        }
    }

    @Override
    public void released() {
        if (onReleased != null) {
            onReleased.run();
        }
    }

    private int elementsIn(long bytes) {
        return (int) base.elementsIn(bytes);
    }

    /** Lets go of the user's array and of all buffers. */
    public void clear() {
        if (!inUse) {
            return;
        }
        inUse = false;
        // null, and the type stays: see use
        array = null;
        offset = 0;
        elements = 0;
        messageBytes = 0;
        objects = false;
        fillsArrays = false;
        discard = false;
        if (encoder != null) {
            encoder.clear();
        }
        if (decoder != null) {
            decoder.clear();
        }
    }

    /**
     * Checks the arguments of a communication call against each other. No elements need no array, of no class (MPI
     * standard, 3.2.2: a message may be empty).
     *
     * @return base elements that count items have
     * @throws MpiFailure BUFFER, TYPE, COUNT or ARG naming the numbers
     */
    public static int checkedElements(@Nullable Object array, int offset, int count, TypeMap type) {
        BaseType base = type.base();
        if (count < 0) {
            throw new MpiFailure(ErrorClass.COUNT, "count is negative: " + count);
        }
        long total = (long) count * type.size();
        if (total == 0) {
            return 0;
        }
        if (offset < 0) {
            throw new MpiFailure(ErrorClass.ARG, "offset is negative: " + offset);
        }
        if (array == null) {
            throw new MpiFailure(
                    ErrorClass.BUFFER, "the buffer is null, but " + count + " items of " + type + " are asked for");
        }
        if (base == BaseType.OBJECT ? !(array instanceof Object[]) : array.getClass() != base.arrayClass()) {
            throw new MpiFailure(
                    ErrorClass.TYPE,
                    "the buffer is a " + array.getClass().getTypeName() + ", but datatype " + type + " needs a "
                            + base.arrayClass().getTypeName());
        }
        if (total > Integer.MAX_VALUE) {
            throw new MpiFailure(
                    ErrorClass.COUNT,
                    count + " items of " + type + " are " + total + " elements; a message has at most "
                            + Integer.MAX_VALUE);
        }
        long lastItem = (long) (count - 1) * type.extent();
        long first = (long) offset + type.firstElement() + Math.min(0, lastItem);
        long end = (long) offset + type.endElement() + Math.max(0, lastItem);
        int length = Array.getLength(array);
        if (first < 0 || end > length) {
            throw new MpiFailure(
                    ErrorClass.BUFFER,
                    "offset " + offset + " and " + count + " items of " + type + " reach from index " + first + " to "
                            + (end - 1) + ", but the buffer has " + length + " elements");
        }
        return (int) total;
    }

    private static Object require(@Nullable Object array) {
        if (array == null) {
            throw new IllegalStateException("no buffer is set");
        }
        return array;
    }

    private ObjectEncoder requireEncoder() {
        if (encoder == null) {
            throw new IllegalStateException("no objects are set");
        }
        return encoder;
    }

    private ObjectDecoder requireDecoder() {
        if (decoder == null) {
            throw new IllegalStateException("no objects are expected");
        }
        return decoder;
    }
}
