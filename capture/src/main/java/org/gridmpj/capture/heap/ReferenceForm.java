package org.gridmpj.capture.heap;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * A reference object of a class of the JDK: what it refers to, the queue it is to come to, and, if it is in that queue, the one
 * behind it there. The queue itself is an object like any other. One that the collector clears in the very moment of the
 * snapshot may be missing in its queue.
 */
final class ReferenceForm {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final long REFERENT = UNSAFE.objectFieldOffset(Reference.class, "referent");
    private static final long QUEUE = UNSAFE.objectFieldOffset(Reference.class, "queue");
    static final long NEXT = UNSAFE.objectFieldOffset(Reference.class, "next");
    private static final Object NONE = queue("NULL_QUEUE");
    /** The queue of those that are in one. */
    private static final Object ENQUEUED = queue("ENQUEUED");

    private static final int WEAK = 0;
    private static final int SOFT = 1;
    private static final int PHANTOM = 2;

    private ReferenceForm() {}

    private static Object queue(String name) {
        try {
            java.lang.reflect.Field field = ReferenceQueue.class.getDeclaredField(name);
            return UNSAFE.getReference(UNSAFE.staticFieldBase(field), UNSAFE.staticFieldOffset(field));
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("this JDK has another ReferenceQueue than JDK 25", e);
        }
    }

    /** What kind of reference the objects of a class are; −1: none that an image can hold. */
    static int strength(Class<?> type) {
        return type == WeakReference.class
                ? WEAK
                : type == SoftReference.class ? SOFT : type == PhantomReference.class ? PHANTOM : -1;
    }

    /** Referent, queue and next one in the queue; each may be null. */
    @SuppressWarnings("ReferenceEquality") // the very constants
    static @Nullable Object[] parts(Object reference) {
        Object queue = UNSAFE.getReferenceVolatile(reference, QUEUE);
        boolean enqueued = queue == ENQUEUED;
        return new @Nullable Object[] {
            // a phantom reference does not say it
            reference instanceof PhantomReference<?>
                    ? UNSAFE.getReference(reference, REFERENT)
                    : ((Reference<?>) reference).get(),
            enqueued || queue == NONE ? null : queue,
            enqueued ? UNSAFE.getReferenceVolatile(reference, NEXT) : null
        };
    }

    /** A reference; one that is in a queue is still to be given the next one there. */
    @SuppressWarnings("unchecked")
    static Reference<?> make(int strength, @Nullable Object referent, @Nullable Object queue, boolean enqueued) {
        ReferenceQueue<Object> live = (ReferenceQueue<Object>) (queue == null ? NONE : queue);
        Reference<?> made = switch (strength) {
            case WEAK -> new WeakReference<>(referent, live);
            case SOFT -> new SoftReference<>(referent, live);
            default -> new PhantomReference<>(referent, live);
        };
        if (enqueued) {
            UNSAFE.putReferenceVolatile(made, QUEUE, ENQUEUED);
        }
        return made;
    }
}
