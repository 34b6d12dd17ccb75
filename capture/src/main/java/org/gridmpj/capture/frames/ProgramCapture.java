package org.gridmpj.capture.frames;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
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
 * <p>One program thread, the one that runs main. Its state, for the copy and for {@link #restore}, is plain data:
 *
 * <pre>
 *   {2, frames {method, site, references[], primitives[]}[], checksums of the frames' classes long[],
 *    statics {class, names[], values[]}[]}
 * </pre>
 */
public final class ProgramCapture implements StackCapture, ProgramRunner {
    private static final Integer LAYOUT = 2;

    @SuppressWarnings("NonFinalStaticField") // set once, by the agent
    private static volatile @Nullable ProgramCapture installed;

    private final CaptureSites sites;
    private final StackInspection inspection;
    private volatile @Nullable CutAction action;
    private @Nullable List<FrameRecord> restored;

    /** A capture of the methods that the agent makes known in {@code sites}. */
    public ProgramCapture(CaptureSites sites) {
        this.sites = sites;
        inspection = new StackInspection(sites, ProgramCapture.class, System::nanoTime);
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
        return action == null ? "nobody would take the copy yet" : inspection.obstacle();
    }

    @Override
    public CaptureSignal unwind() {
        return new CaptureSignal();
    }

    @Override
    public void run(Method main, Callable<@Nullable Object> instance, Object... arguments)
            throws ReflectiveOperationException {
        boolean resumes = false;
        for (ProgramResumption each : ServiceLoader.load(ProgramResumption.class)) {
            resumes |= each.resume(this);
        }
        List<FrameRecord> again = restored;
        if (resumes && again == null) {
            throw new IllegalStateException("the program is to go on where it was, and nobody has said where that is");
        }
        restored = null;
        Object receiver = again == null ? ProgramRunner.made(instance) : null;
        while (true) {
            if (again != null) {
                receiver = Modifier.isStatic(main.getModifiers())
                        ? null
                        : again.getFirst().receiver();
                Frames.current().resume(again);
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
            CutAction cut = action;
            if (cut != null) {
                cut.copy(state(again));
            }
        }
    }

    private Object state(List<FrameRecord> frames) {
        Object[] plain = frames.stream().map(FrameRecord::plain).toArray();
        long[] checksums = frames.stream()
                .mapToLong(frame -> sites.checksum(frame.owner()))
                .toArray();
        return new Object[] {LAYOUT, plain, checksums, ProgramStatics.plain()};
    }

    /**
     * Takes over a program's state, in the thread that is to run main: sets the static fields; {@link #run} will enter the
     * frames.
     *
     * @param state what the {@link CutAction} got, or a copy of it
     * @param loader finds the program's classes
     * @throws IllegalStateException if the state is of other classes than those of this process
     */
    public void restore(Object state, ClassLoader loader) {
        Object[] parts = (Object[]) state;
        if (!LAYOUT.equals(parts[0])) {
            throw new IllegalStateException("the snapshot is of another version of GridMPJ: layout " + parts[0]);
        }
        List<FrameRecord> frames = new ArrayList<>();
        long[] checksums = (long[]) parts[2];
        for (Object each : (Object[]) parts[1]) {
            FrameRecord frame = FrameRecord.of((Object[]) each);
            long now = loadedChecksum(frame.owner(), loader);
            if (now != checksums[frames.size()]) {
                throw new IllegalStateException("class " + frame.owner().replace('/', '.')
                        + " is not the one that the snapshot was taken of: run the program that it was taken of, or start"
                        + " without --resume");
            }
            frames.add(frame);
        }
        ProgramStatics.restore((Object[]) parts[3], loader);
        restored = frames;
    }

    private long loadedChecksum(String internalName, ClassLoader loader) {
        try {
            Class<?> _ = Class.forName(internalName.replace('/', '.'), false, loader);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("the snapshot has a frame of a class that is not there", e);
        }
        return sites.checksum(internalName);
    }
}
