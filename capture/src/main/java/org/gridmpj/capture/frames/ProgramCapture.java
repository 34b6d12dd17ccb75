package org.gridmpj.capture.frames;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.gridmpj.snapshot.CaptureSignal;
import org.gridmpj.snapshot.CutAction;
import org.gridmpj.snapshot.ProgramRunner;
import org.gridmpj.snapshot.StackCapture;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program whose stack can be taken apart: calls main; when an MPI call has thrown {@link #unwind} and all frames
 * have saved themselves, hands the program's state to the {@link CutAction} and enters the frames again.
 *
 * <p>Threads that the program has started are captured with main ({@link ProgramThreads}). Its state, for the copy and for
 * {@link #restore}, is plain data:
 *
 * <pre>
 *   {9, threads {Thread, main first, which keeps its name by it; frames {method, site, references[], primitives[]}[];
 *    checksums of the frames long[] (CaptureSites.checksum), whether it is interrupted}[], statics {class, names[], values[]}[],
 *    static initialisers that the program runs {class, Thread or null for main, whether it has failed}[],
 *    what it has set for all of the JVM: ProcessState}
 * </pre>
 */
public final class ProgramCapture implements StackCapture, ProgramRunner {
    private static final Integer LAYOUT = 9;

    private static final int THREADS = 1;
    private static final int STATICS = 2;

    @SuppressWarnings("NonFinalStaticField") // set once, by the agent
    private static volatile @Nullable ProgramCapture installed;

    private final CaptureSites sites;
    private final ProgramThreads threads;
    private volatile @Nullable CutAction action;

    /** Frames of the threads of an image, main's first. */
    private @Nullable List<RestoredThread> restored;

    /** @param thread null for main */
    private record RestoredThread(@Nullable Thread thread, List<FrameRecord> frames, boolean interrupted) {}

    /** A capture of the methods that the agent makes known in {@code sites}. */
    public ProgramCapture(CaptureSites sites) {
        this.sites = sites;
        threads = new ProgramThreads(
                new StackInspection(sites, ProgramCapture.class, System::nanoTime), System::nanoTime);
    }

    /** The one that the agent has installed, or null in a process whose program cannot be captured. */
    public static @Nullable ProgramCapture installed() {
        return installed;
    }

    /** Called by the agent, before main. */
    public static void install(ProgramCapture capture) {
        installed = capture;
    }

    /** What is to happen each time the program is taken apart; to be set before the first {@link #unwind}. */
    public void onCut(CutAction cut) {
        action = cut;
    }

    @Override
    public @Nullable String obstacle() {
        return action == null ? "nobody would take the copy yet" : threads.obstacle();
    }

    /** Does for practice what {@link #obstacle} does, so that the first capture takes less time. Not from a thread of the program's. */
    public void practise() {
        threads.practise();
    }

    @Override
    public CaptureSignal unwind() {
        return new CaptureSignal();
    }

    @Override
    public void run(Method main, Callable<@Nullable Object> instance, Object... arguments)
            throws ReflectiveOperationException {
        ProcessState.programBegins();
        boolean resumes = false;
        for (ProgramResumption each : ServiceLoader.load(ProgramResumption.class)) {
            resumes |= each.resume(this);
        }
        List<RestoredThread> all = restored;
        if (resumes && all == null) {
            throw new IllegalStateException("the program is to go on where it was, and nobody has said where that is");
        }
        restored = null;
        threads.main();
        try {
            List<FrameRecord> again = all == null ? null : startAgain(all);
            runMain(main, again == null ? ProgramRunner.made(instance) : null, again, arguments);
        } finally {
            threads.mainEnded();
        }
    }

    private List<FrameRecord> startAgain(List<RestoredThread> all) {
        threads.resume(
                (int) all.stream().filter(each -> !each.frames().isEmpty()).count());
        for (RestoredThread each : all) {
            if (each.thread() != null) {
                threads.startAgain(each.thread(), each.frames());
                if (each.interrupted()) {
                    each.thread().interrupt();
                }
            } else if (each.interrupted()) {
                Thread.currentThread().interrupt();
            }
        }
        return all.getFirst().frames();
    }

    private void runMain(Method main, @Nullable Object made, @Nullable List<FrameRecord> begun, Object... arguments)
            throws ReflectiveOperationException {
        Object receiver = made;
        List<FrameRecord> again = begun;
        while (true) {
            if (again != null) {
                receiver = Modifier.isStatic(main.getModifiers())
                        ? null
                        : again.getFirst().receiver();
                Frames.current().resume(again, threads.reentry());
            }
            try {
                main.invoke(receiver, arguments);
                return;
            } catch (InvocationTargetException e) {
                if (!(e.getCause() instanceof CaptureSignal)) {
                    throw e;
                }
            }
            again = Frames.current().unwound();
            Map<Thread, List<FrameRecord>> frames = threads.allUnwound(again);
            CutAction cut = action;
            if (cut != null) {
                cut.copy(state(frames));
            }
            threads.resume((int)
                    frames.values().stream().filter(each -> !each.isEmpty()).count());
        }
    }

    private Object state(Map<Thread, List<FrameRecord>> frames) {
        List<Object> plain = new ArrayList<>();
        frames.forEach((thread, stack) -> plain.add(new Object[] {
            thread,
            stack.stream().map(FrameRecord::plain).toArray(),
            stack.stream().mapToLong(sites::checksum).toArray(),
            threads.isInterrupted(thread)
        }));
        return new Object[] {
            LAYOUT, plain.toArray(), ProgramStatics.plain(), Initialization.plain(), ProcessState.plain()
        };
    }

    /**
     * The classes whose methods a state is in the middle of, by their binary names, with the checksum of each class file
     * ({@link java.util.zip.CRC32}): it can be taken back only where they are the same.
     *
     * @param state what the {@link CutAction} got
     */
    public static Map<String, Long> frameClasses(Object state) {
        Map<String, Long> classes = new TreeMap<>();
        Set<String> methods = new HashSet<>();
        for (Object each : (Object[]) ((Object[]) state)[THREADS]) {
            Object[] thread = (Object[]) each;
            Object[] frames = (Object[]) thread[1];
            long[] checksums = (long[]) thread[2];
            for (int i = 0; i < frames.length; i++) {
                FrameRecord frame = FrameRecord.of((Object[]) frames[i]);
                // a deep recursion has few methods
                if (methods.add(frame.method())) {
                    classes.put(frame.className(), CaptureSites.file(checksums[i]));
                }
            }
        }
        return classes;
    }

    /** What an author calls a place in the state, to which so many indices lead. */
    public record Place(String name, int indices) {}

    /**
     * What an author calls the place to which indices lead from a state that {@link CutAction} got: a static field, or a
     * method in which a variable holds it; null for others.
     */
    public static @Nullable Place place(Object state, List<Integer> indices) {
        if (indices.size() >= 4 && indices.getFirst() == STATICS) {
            Object[] type = (Object[]) element(state, indices.subList(0, 2));
            return new Place(type[0] + "." + ((String[]) type[1])[indices.get(3)], 4);
        }
        if (indices.size() >= 6 && indices.getFirst() == THREADS && indices.get(2) == 1) {
            String method = FrameRecord.of((Object[]) element(state, indices.subList(0, 4)))
                    .method();
            return new Place(
                    "a variable of " + method.substring(0, method.indexOf('(')).replace('/', '.'), 6);
        }
        return null;
    }

    private static Object element(Object array, List<Integer> indices) {
        Object element = array;
        for (int index : indices) {
            element = ((Object[]) element)[index];
        }
        return element;
    }

    /**
     * Takes over a program's state, in the thread that is to run main: sets the static fields; {@link #run} will enter the
     * frames.
     *
     * @param state what the {@link CutAction} got, or a copy of it
     * @param loader finds the program's classes
     * @throws OtherProgramException if the state is of other classes than those of this process
     */
    public void restore(Object state, ClassLoader loader) {
        Object[] parts = (Object[]) state;
        if (!LAYOUT.equals(parts[0])) {
            throw new OtherProgramException("the snapshot is of another version of GridMPJ: layout " + parts[0], null);
        }
        List<RestoredThread> all = new ArrayList<>();
        for (Object each : (Object[]) parts[THREADS]) {
            Object[] thread = (Object[]) each;
            all.add(new RestoredThread(
                    all.isEmpty() ? null : (Thread) thread[0],
                    frames((Object[]) thread[1], (long[]) thread[2], loader),
                    (Boolean) thread[3]));
        }
        ProgramStatics.restore((Object[]) parts[STATICS], loader);
        Initialization.restore((Object[]) parts[3]);
        ProcessState.restore((Object[]) parts[4]);
        restored = all;
    }

    private List<FrameRecord> frames(Object[] plain, long[] checksums, ClassLoader loader) {
        List<FrameRecord> frames = new ArrayList<>();
        for (Object each : plain) {
            FrameRecord frame = FrameRecord.of((Object[]) each);
            long now = loadedChecksum(frame, loader);
            long then = checksums[frames.size()];
            if (now != then) {
                throw new OtherProgramException(
                        (CaptureSites.file(now) != CaptureSites.file(then)
                                        ? "class " + frame.className() + " is not the one"
                                        : "the calls of " + frame.method()
                                                + " do not lead where they led in the program")
                                + " that the snapshot was taken of",
                        null);
            }
            frames.add(frame);
        }
        return frames;
    }

    private long loadedChecksum(FrameRecord frame, ClassLoader loader) {
        try {
            Class<?> _ = Class.forName(frame.className(), false, loader);
        } catch (ClassNotFoundException e) {
            throw new OtherProgramException(
                    "the snapshot has a frame of class " + frame.className() + ", which is not there", e);
        }
        return sites.checksum(frame);
    }
}
