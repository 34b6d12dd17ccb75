package org.gridmpj.capture.frames;

/**
 * What instrumented methods call. {@link #resuming} is all that a method of the program tests in ordinary running, at its
 * entry; it is set while some thread builds up its stack again.
 */
public final class Frames {
    /** Whether some thread is being resumed. Plain: a thread sees what it has set itself, others ask {@link #entering}. */
    @SuppressWarnings("NonFinalStaticField") // tested at the entry of each instrumented method
    public static boolean resuming;

    private static final ThreadLocal<ThreadStack> STACKS = ThreadLocal.withInitial(ThreadStack::new);

    /** How many threads are being resumed. Guarded by the class. */
    @SuppressWarnings("NonFinalStaticField")
    private static int threadsResuming;

    private Frames() {}

    /** One more thread is being resumed, or one less. */
    static synchronized void resuming(boolean begins) {
        threadsResuming += begins ? 1 : -1;
        resuming = threadsResuming > 0;
    }

    /** The stack of the current thread. */
    static ThreadStack current() {
        return STACKS.get();
    }

    // ---------------------------------------------------------------- called by instrumented code

    /** A handler begins to save its frame. */
    public static FrameRecord saving(int site, String method, int references, int primitives) {
        FrameRecord frame = new FrameRecord(method, site, references, primitives);
        current().push(frame);
        return frame;
    }

    /** As {@link #saving}, of a frame that has called a constructor. */
    public static FrameRecord savingConstruction(
            int site, String method, int references, int primitives, String constructor) {
        current().pushConstructors(constructor);
        return saving(site, method, references, primitives);
    }

    /** A constructor is about to call super(…) or this(…), during which it cannot save itself: its frame, in advance. */
    public static FrameRecord constructing(String method, int references, int primitives, String calls) {
        FrameRecord frame = new FrameRecord(method, 1, references, primitives);
        current().constructing(frame, calls);
        return frame;
    }

    /** A constructor is back from super(…). */
    public static void constructed(String method) {
        current().constructed(method);
    }

    /** Whether the method that asks is to go to its second version: its frame is the next to be entered again. */
    public static boolean entering() {
        return current().entering();
    }

    /** The second version of a method begins: its frame. */
    public static FrameRecord entered(String method) {
        return current().next(method);
    }

    /** The method that asks has taken all that its frame held, and is about to make its call again. */
    public static void arrived() {
        current().arrived();
    }

    /** The object whose constructor is the next frame to be entered: it exists already. */
    public static Object underConstruction() {
        return current().underConstruction();
    }
}
