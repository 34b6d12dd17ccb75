package org.gridmpj.capture.frames;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The frames of one thread that is taken apart or built up again. Confined to that thread. */
final class ThreadStack {
    /** Innermost first while unwinding; outermost first, and entered up to {@link #entered}, while resuming. */
    private List<FrameRecord> frames = new ArrayList<>();

    /** Constructors that are in super(…), which no handler can save; the innermost last. */
    private final ArrayDeque<UnderSuper> constructing = new ArrayDeque<>();

    private CountDownLatch reentry = new CountDownLatch(0);
    private int entered;
    private boolean resuming;

    /**
     * A constructor in super(…) or this(…).
     *
     * @param calls the constructor that it has called
     */
    private record UnderSuper(FrameRecord frame, String calls) {}

    void constructing(FrameRecord frame, String calls) {
        constructing.addLast(new UnderSuper(frame, calls));
    }

    /** The innermost constructor of this name is back from super(…); those above it were left by exceptions. */
    void constructed(String method) {
        while (!constructing.isEmpty()) {
            if (constructing.removeLast().frame().method().equals(method)) {
                return;
            }
        }
    }

    /**
     * The caller of a constructor is about to save itself: the frames between it and the last one that has are those of
     * constructors in super(…). Others that are known were left by exceptions.
     */
    void pushConstructors(String constructor) {
        while (!constructing.isEmpty() && !frames.getLast().method().equals(constructor)) {
            UnderSuper next = constructing.removeLast();
            if (next.calls().equals(frames.getLast().method())) {
                frames.add(next.frame());
            }
        }
    }

    void push(FrameRecord frame) {
        frames.add(frame);
    }

    /** All frames have saved themselves: takes them, outermost first. */
    List<FrameRecord> unwound() {
        List<FrameRecord> saved = frames;
        Collections.reverse(saved);
        constructing.clear();
        frames = new ArrayList<>();
        return saved;
    }

    /**
     * The next call of the outermost method is to build up these frames, outermost first.
     *
     * @param with where this thread waits until others have entered their frames, and their monitors, too
     */
    void resume(List<FrameRecord> again, CountDownLatch with) {
        frames = again;
        frames.forEach(FrameRecord::rewind);
        entered = 0;
        reentry = with;
        if (frames.isEmpty()) {
            // it was captured at its beginning
            frames = new ArrayList<>();
            awaitOthers();
        } else {
            resuming = true;
            Frames.resuming(true);
        }
    }

    boolean entering() {
        return resuming;
    }

    FrameRecord peek() {
        if (entered == frames.size()) {
            throw new IllegalStateException("a frame is entered beyond the last one that was captured");
        }
        return frames.get(entered);
    }

    /** The object whose constructor is the next frame: this of the first frame that has one, the constructor's or a part's. */
    Object underConstruction() {
        for (int i = entered; i < frames.size(); i++) {
            Object receiver = frames.get(i).receiver();
            if (receiver != null) {
                return receiver;
            }
        }
        throw new IllegalStateException("a constructor is to be entered again, and no frame has its object");
    }

    FrameRecord next(String method) {
        FrameRecord frame = peek();
        if (!frame.method().equals(method)) {
            resumed();
            throw new IllegalStateException("the snapshot does not fit the program: it has a frame of " + frame.method()
                    + " where the program has entered " + method);
        }
        entered++;
        return frame;
    }

    void arrived() {
        if (entered == frames.size()) {
            resumed();
            frames = new ArrayList<>();
            awaitOthers();
        }
    }

    private void resumed() {
        resuming = false;
        Frames.resuming(false);
        reentry.countDown();
    }

    private void awaitOthers() {
        boolean interrupted = false;
        while (true) {
            try {
                reentry.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
