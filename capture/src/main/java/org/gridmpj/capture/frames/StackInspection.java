package org.gridmpj.capture.frames;

import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether all frames of the current thread can save themselves, before any of them has to. A frame that cannot is named
 * with class and line, and with what the program's author can do about it.
 */
final class StackInspection {
    private static final StackWalker WALKER = StackWalker.getInstance(
            Set.of(Option.RETAIN_CLASS_REFERENCE, Option.SHOW_REFLECT_FRAMES, Option.SHOW_HIDDEN_FRAMES));

    /** A look at all threads stops them: not at each MPI call while one of them stands in the way. */
    private static final long LOOK_AGAIN_NANOS = 2_000_000;

    private static final int WALKS_IN_A_PRACTICE = 4;

    private static final String LIBRARY = "org.gridmpj.capture.library.";

    private final CaptureSites sites;
    private final Class<?> runner;
    private final LongSupplier nanoClock;
    private final PendingWork pendingWork;

    /** What the last look at all threads found, and when. Written by the thread that runs main, the only one to get there. */
    private volatile @Nullable String otherThread;

    private volatile long lookedNanos;

    /**
     * An inspection.
     *
     * @param runner the class that calls main: frames from there on are not the program's
     */
    StackInspection(CaptureSites sites, Class<?> runner, LongSupplier nanoClock) {
        this.sites = sites;
        this.runner = runner;
        this.nanoClock = nanoClock;
        pendingWork = new PendingWork(name -> !name.replace('/', '.').startsWith(LIBRARY) && sites.isProgram(name));
    }

    /** What of the current thread cannot be captured. */
    @Nullable
    String own() {
        return WALKER.walk(frames -> inspect(frames.toList()));
    }

    /** Another thread in the program's code, or with work of it, than those that are known, which no capture can take apart. */
    @Nullable
    String otherThread(List<Thread> known) {
        long now = nanoClock.getAsLong();
        if (otherThread == null || now - lookedNanos >= LOOK_AGAIN_NANOS) {
            otherThread = findOther(known);
            lookedNanos = now;
        }
        return otherThread;
    }

    /**
     * Looks as {@link #own} and {@link #otherThread} do, from a thread that is not the program's, and forgets what it sees: the
     * first look takes three times as long as later ones.
     */
    void practise(List<Thread> known) {
        // the JVM makes a class for its stack walks after 127 frames
        for (int i = 0; i < WALKS_IN_A_PRACTICE; i++) {
            String _ = own();
        }
        String _ = findOther(known);
    }

    private @Nullable String inspect(List<StackFrame> frames) {
        int at = 0;
        int call = -1;
        while (at < frames.size() && !isProgram(frames.get(at))) {
            Class<?> type = frames.get(at).getDeclaringClass();
            if (Objects.equals(type.getClassLoader(), runner.getClassLoader()) && !type.isHidden()) {
                call = at;
            }
            at++;
        }
        if (at == frames.size()) {
            return "thread \"" + Thread.currentThread().getName() + "\" was not started by the program's own code";
        }
        boolean underConstruction = false;
        for (int i = call + 1; i < frames.size(); i++) {
            StackFrame frame = frames.get(i);
            Class<?> type = frame.getDeclaringClass();
            if (type == runner || type == ThreadRoot.class) {
                return null;
            }
            if (isProgram(frame)) {
                String method = method(frame);
                if (!sites.capturable(method, frame.getByteCodeIndex())) {
                    return refusal(frame, method);
                }
                underConstruction = frame.getMethodName().equals("<init>");
            } else if (isLambda(type)) {
                if (underConstruction) {
                    return "a constructor called through a method reference cannot be captured, at "
                            + place(programFrameBelow(frames, i))
                            + ": write it as a lambda, () -> new …";
                }
            } else if (isReflective(type)) {
                if (belowIsRunner(frames, i)) {
                    return null;
                }
                return "a reflective call is on the stack, at " + place(programFrameBelow(frames, i))
                        + ": call the method directly";
            } else {
                return type.getName() + "." + frame.getMethodName() + " is on the stack, called at "
                        + place(programFrameBelow(frames, i)) + ": its frame cannot be captured; "
                        + "make the MPI call outside, e.g. in a for loop of your own";
            }
        }
        return "thread \"" + Thread.currentThread().getName() + "\" was not started by the program's own code";
    }

    private @Nullable String findOther(List<Thread> known) {
        Map<Thread, StackTraceElement[]> stacks = Thread.getAllStackTraces();
        String found = findOther(stacks, known);
        // a task that came to a pool between the look at its queue and the one at its threads: it has begun by now, or
        // is over
        return found == null && PendingWork.needsSecondLook(stacks)
                ? findOther(Thread.getAllStackTraces(), known)
                : found;
    }

    private @Nullable String findOther(Map<Thread, StackTraceElement[]> stacks, List<Thread> known) {
        for (Map.Entry<Thread, StackTraceElement[]> entry : stacks.entrySet()) {
            Thread thread = entry.getKey();
            if (thread.equals(Thread.currentThread()) || known.stream().anyMatch(thread::equals)) {
                continue;
            }
            StackTraceElement element = topmost(entry.getValue());
            if (element != null) {
                return "thread \"" + thread.getName() + "\" is in the program's code too, at " + element
                        + ": join it before, or start it from the program by Thread.start";
            }
        }
        for (Thread thread : VirtualThreads.all()) {
            StackTraceElement element = topmost(thread.getStackTrace());
            if (element != null) {
                return "virtual thread \"" + thread.getName() + "\" is in the program's code too, at " + element
                        + ": join it before, or make it a platform thread";
            }
            if (pendingWork.isOfProgram(thread)) {
                return "virtual thread \"" + thread.getName()
                        + "\" has just begun or is about to end: join it before the MPI"
                        + " call, or make it a platform thread";
            }
        }
        return pendingWork.find(stacks, known);
    }

    /** Where a thread is that does not come to a place where it can be captured. */
    String describe(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        StackTraceElement element = topmost(stack);
        String in = stack.length == 0 || stack[0].equals(element)
                ? ""
                : ", in " + stack[0].getClassName() + "." + stack[0].getMethodName();
        return "thread \"" + thread.getName() + "\" is in the program's code too, at "
                + (element == null ? "its beginning or end" : element) + in
                + ", and does not come to an MPI call or to a wait that can be captured";
    }

    private @Nullable StackTraceElement topmost(StackTraceElement[] stack) {
        for (StackTraceElement element : stack) {
            if (!element.getClassName().startsWith(LIBRARY)
                    && sites.isProgram(element.getClassName().replace('.', '/'))) {
                return element;
            }
        }
        return null;
    }

    private String refusal(StackFrame frame, String method) {
        String known = sites.refusal(method, frame.getLineNumber());
        if (known != null) {
            return place(frame) + ": " + known;
        }
        if (frame.getMethodName().equals("<clinit>")) {
            return place(frame)
                    + ": the static initialiser of an enum, of an interface, or one that the JVM has called by"
                    + " itself, cannot be captured: make the MPI call from main";
        }
        return place(frame) + ": this frame cannot be captured";
    }

    private static @Nullable StackFrame programFrameBelow(List<StackFrame> frames, int from) {
        for (int i = from; i < frames.size(); i++) {
            StackFrame frame = frames.get(i);
            if (!isReflective(frame.getDeclaringClass())
                    && frame.getDeclaringClass().getClassLoader() != null
                    && !frame.getDeclaringClass().getName().startsWith(LIBRARY)
                    && !frame.getMethodName().startsWith("mpj$")
                    && !frame.getDeclaringClass().isHidden()) {
                return frame;
            }
        }
        return null;
    }

    private boolean belowIsRunner(List<StackFrame> frames, int from) {
        for (int i = from; i < frames.size(); i++) {
            Class<?> type = frames.get(i).getDeclaringClass();
            if (type == runner) {
                return true;
            }
            if (!isReflective(type)) {
                return false;
            }
        }
        return false;
    }

    private boolean isProgram(StackFrame frame) {
        Class<?> type = frame.getDeclaringClass();
        return !type.isHidden() && sites.isProgram(type.getName().replace('.', '/'));
    }

    private static boolean isLambda(Class<?> type) {
        return type.isHidden() && type.getName().contains("$$Lambda");
    }

    private static boolean isReflective(Class<?> type) {
        String name = type.getName();
        return name.startsWith("java.lang.reflect.")
                || name.startsWith("jdk.internal.reflect.")
                || name.startsWith("java.lang.invoke.");
    }

    private static String method(StackFrame frame) {
        return frame.getDeclaringClass().getName().replace('.', '/') + "." + frame.getMethodName()
                + frame.getDescriptor();
    }

    private static String place(@Nullable StackFrame frame) {
        return frame == null
                ? "an unknown place"
                : frame.getClassName() + "." + frame.getMethodName() + " (" + frame.getFileName() + ":"
                        + frame.getLineNumber() + ")";
    }
}
