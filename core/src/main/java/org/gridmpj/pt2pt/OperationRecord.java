package org.gridmpj.pt2pt;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.gridmpj.datatype.BaseType;
import org.gridmpj.datatype.MessageBuffer;
import org.gridmpj.datatype.TypeMap;
import org.gridmpj.error.MpiFailure;
import org.gridmpj.transport.FrameHeader;
import org.gridmpj.transport.PayloadSource;
import org.gridmpj.transport.Transport;
import org.jspecify.annotations.Nullable;

/**
 * One point-to-point operation: plain data, so that a call that is entered again attaches to it and waits. Started
 * exactly once per use; the records of blocking calls are pooled.
 *
 * <pre>
 *   send     start ─▶ eager frame accepted ─▶ released [─▶ SYNC_ACK] ─▶ complete
 *                └──▶ RTS ─▶ CTS ─▶ DATA accepted ─▶ released ────────▶ complete
 *   receive  start ─▶ posted ─▶ matched ─▶ payload here ─▶ complete ─▶ finished (objects rebuilt by who waits)
 * </pre>
 *
 * Guarded by the progress lock but for {@link #isComplete()} and what is read after it.
 */
final class OperationRecord extends Request implements PayloadSource, ArrivalSink {
    /** What the record is used for. */
    enum Kind {
        SEND,
        RECEIVE,
        /** The copy of a buffered-mode message on its way; no user waits for it. */
        BUFFERED_CARRIER
    }

    /** Hears that a transport needs a payload no more; under the progress lock. */
    interface ReleaseListener {
        void payloadReleased(OperationRecord operation);
    }

    private static final VarHandle COMPLETE;

    static {
        try {
            COMPLETE = MethodHandles.lookup().findVarHandle(OperationRecord.class, "complete", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final ReleaseListener releaseListener;

    // ---- what was asked for
    Kind kind = Kind.SEND;
    SendMode mode = SendMode.STANDARD;

    @Nullable
    Object array;

    int offset;
    int count;

    @Nullable
    TypeMap type;
    /** World rank of the peer, or ANY_SOURCE. */
    int peer;

    long contextId;
    int tag;
    boolean matchType;
    /** Receive of objects: arrays that lie in its buffer may be filled. */
    boolean inPlace;

    boolean persistent;

    @Nullable
    String origin;

    // ---- how far it is
    @Nullable
    MessageBuffer buffer;
    /** Bytes of a buffered-mode message, BUFFERED_CARRIER only. */
    byte @Nullable [] copy;

    long messageId;
    /** Of a receive of the program's, where outcomes are recorded; −1 of a collective operation's. */
    long receiveNumber;
    /** Name in the {@link OperationTable}, or 0. */
    long token;
    /** The transport needs the payload no more. */
    boolean released;
    /** Synchronous mode: the receiver has matched. */
    boolean acknowledged;
    /** Send: the payload goes with the first frame. */
    boolean eager;
    /** Rendezvous: the CTS has come (send) or gone (receive). */
    boolean cleared;
    /** Receive: matched, so it cannot be cancelled. */
    boolean matched;

    boolean cancelled;
    boolean freed;
    /** Started by a schedule: objects are rebuilt at completion, under the lock, before the schedule looks at them. */
    boolean inner;
    /** A nonblocking receive of the program's: pending until the program has seen its completion. */
    boolean listedUntilSeen;
    /** Of a blocking call that a journal may refer to: given back when the call is over. */
    boolean borrowed;
    /** Takes a copy of what arrives; null but for a moment after a cut. */
    private @Nullable LoggedFrame tap;
    /** A failed transfer: a transport may still refer to this record, so it is never used again. */
    boolean poisoned;

    private boolean active;
    private boolean finished;
    /** Written under the lock, read by anybody; who has read true sees the status. */
    @SuppressWarnings({"FieldMayBeFinal", "UnusedVariable"}) // written and read by COMPLETE
    private boolean complete = true;

    private final MessageStatus status = new MessageStatus();

    // ---- links of the posted-receive queue
    @Nullable
    OperationRecord previousPosted;

    @Nullable
    OperationRecord nextPosted;

    long postSequence;
    boolean posted;

    // ---- links of the operations under way
    @Nullable
    OperationRecord previousActive;

    @Nullable
    OperationRecord nextActive;

    boolean listed;

    OperationRecord(ReleaseListener releaseListener) {
        this.releaseListener = releaseListener;
    }

    void describe(
            Kind newKind,
            SendMode newMode,
            @Nullable Object newArray,
            int newOffset,
            int newCount,
            @Nullable TypeMap newType,
            int newPeer,
            long newContextId,
            int newTag,
            boolean newMatchType) {
        kind = newKind;
        mode = newMode;
        array = newArray;
        offset = newOffset;
        count = newCount;
        type = newType;
        peer = newPeer;
        contextId = newContextId;
        tag = newTag;
        matchType = newMatchType;
        inPlace = false;
    }

    void describeSend(
            SendMode newMode,
            @Nullable Object newArray,
            int newOffset,
            int newCount,
            TypeMap newType,
            int destination,
            long newContextId,
            int newTag) {
        describe(Kind.SEND, newMode, newArray, newOffset, newCount, newType, destination, newContextId, newTag, false);
    }

    void describeReceive(
            @Nullable Object newArray,
            int newOffset,
            int newCount,
            TypeMap newType,
            int source,
            long newContextId,
            int newTag,
            boolean newMatchType) {
        describe(
                Kind.RECEIVE,
                SendMode.STANDARD,
                newArray,
                newOffset,
                newCount,
                newType,
                source,
                newContextId,
                newTag,
                newMatchType);
    }

    /** From described to under way. */
    void begin() {
        messageId = 0;
        token = 0;
        released = false;
        acknowledged = false;
        eager = false;
        cleared = false;
        matched = false;
        cancelled = false;
        finished = false;
        active = true;
        status.sourceWorldRank = -1;
        status.tag = 0;
        status.count = 0;
        status.bytes = 0;
        status.typeCode = 0;
        status.cancelled = false;
        status.failure = null;
        setWaiter(null);
        COMPLETE.setRelease(this, false);
    }

    /** Fills in what a matching message's envelope says. */
    void matchedWith(int source, FrameHeader envelope) {
        matched = true;
        status.sourceWorldRank = source;
        status.tag = envelope.tag;
        status.typeCode = envelope.typeCode;
        status.bytes = envelope.messageBytes;
    }

    /** Publishes the completion; {@link ActiveOperations#complete} is the one caller, for operations that were started. */
    void markComplete() {
        status.cancelled = cancelled;
        COMPLETE.setRelease(this, true);
    }

    /** It could not be started and nobody has heard of it: a persistent one may be started again. */
    void withdraw() {
        finished = true;
        active = false;
        attachedBuffer().clear();
        markComplete();
    }

    void setFailure(MpiFailure failure) {
        if (status.failure == null) {
            status.failure = failure;
        }
    }

    boolean hasFailed() {
        return status.failure != null;
    }

    /**
     * Rebuilds the objects of a received message and counts its elements. Once; by the thread that waits, without the
     * lock, so that a large graph does not hold up progress.
     */
    void finish() {
        if (finished) {
            return;
        }
        finished = true;
        MessageBuffer received = buffer;
        if (kind != Kind.RECEIVE || received == null || poisoned) {
            return;
        }
        try {
            if (!cancelled && status.failure == null) {
                status.count = received.finish();
            }
        } catch (MpiFailure failure) {
            status.failure = failure;
        } finally {
            received.clear();
        }
    }

    @Override
    public boolean isComplete() {
        return (boolean) COMPLETE.getAcquire(this);
    }

    @Override
    public boolean isActive() {
        return active;
    }

    /** Whether its message is under way and takes more than one step of this rank; of a receive without one, whether it may. */
    boolean isLongUnderWay() {
        if (isComplete()) {
            return false;
        }
        if (kind != Kind.RECEIVE) {
            return !eager || !released;
        }
        TypeMap wanted = type;
        return matched
                || (wanted != null
                        && (wanted.base() == BaseType.OBJECT
                                || (long) count * wanted.size() * wanted.base().sizeBytes()
                                        > Transport.EAGER_LIMIT_BYTES));
    }

    @Override
    public MessageStatus status() {
        if (isComplete()) {
            finish();
        }
        return status;
    }

    MessageStatus rawStatus() {
        return status;
    }

    @Override
    void consume() {
        finish();
        active = false;
    }

    /** Nothing: point-to-point operations are moved on by what arrives. */
    @Override
    protected void advance() {}

    @Override
    public @Nullable Object array() {
        return copy == null ? attachedBuffer().array() : null;
    }

    @Override
    public long arrayOffsetBytes() {
        return attachedBuffer().arrayOffsetBytes();
    }

    @Override
    public void read(long positionBytes, MemorySegment target, long targetOffset, int lengthBytes) {
        byte[] bytes = copy;
        if (bytes != null) {
            MemorySegment.copy(bytes, (int) positionBytes, target, ValueLayout.JAVA_BYTE, targetOffset, lengthBytes);
            return;
        }
        attachedBuffer().read(positionBytes, target, targetOffset, lengthBytes);
    }

    @Override
    public void released() {
        releaseListener.payloadReleased(this);
    }

    @Override
    public void write(long positionBytes, MemorySegment source, long sourceOffset, int lengthBytes) {
        LoggedFrame log = tap;
        if (log != null) {
            log.copy(positionBytes, source, sourceOffset, lengthBytes);
        }
        attachedBuffer().write(positionBytes, source, sourceOffset, lengthBytes);
    }

    @Override
    public @Nullable Object arrayToFill() {
        return tap == null ? attachedBuffer().arrayToFill() : null;
    }

    @Override
    public void tap(@Nullable LoggedFrame log) {
        tap = log;
    }

    /** Forgets the neighbours in the list of operations under way. */
    void unlink() {
        previousActive = null;
        nextActive = null;
        listed = false;
    }

    /** Code of the type that a receive is for; 0 if the record describes none. */
    int typeCodeWanted() {
        TypeMap wanted = type;
        return wanted == null ? 0 : wanted.base().code();
    }

    MessageBuffer attachedBuffer() {
        MessageBuffer attached = buffer;
        if (attached == null) {
            throw new IllegalStateException("an operation without a buffer: " + this);
        }
        return attached;
    }

    @Override
    public String toString() {
        boolean receive = kind == Kind.RECEIVE;
        StringBuilder text = new StringBuilder(receive ? "receive from " : sendName() + " to ");
        text.append(peer == PointToPoint.ANY_SOURCE ? "any source" : "world rank " + peer);
        text.append(tag == PointToPoint.ANY_TAG ? ", any tag" : ", tag " + tag);
        text.append(", context ").append(Long.toHexString(contextId));
        if (origin != null) {
            text.append(", started at ").append(origin);
        }
        return text.toString();
    }

    private String sendName() {
        return switch (mode) {
            case STANDARD -> "send";
            case BUFFERED -> "buffered send";
            case SYNCHRONOUS -> "synchronous send";
            case READY -> "ready send";
        };
    }
}
