package org.gridmpj.capture.frames;

import java.io.IOException;
import java.util.List;
import mpj.Probe;
import org.gridmpj.capture.heap.UncapturableException;
import org.jspecify.annotations.Nullable;

/** Ends the first process of a program once its state is in an image. */
final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final transient byte[] image;
    final transient String[] initialized;
    final int calls;

    private Killed(byte[] image) {
        this.image = image;
        initialized = ProgramStatics.initialized();
        calls = Probe.calls;
    }

    /** The image of a program at a call, or at one soon after; null if it was not captured. */
    static @Nullable Killed at(ProgramUnderTest program, int call) throws ReflectiveOperationException {
        try {
            program.run(call, state -> {
                throw new Killed(image(state));
            });
        } catch (Killed e) {
            return e;
        }
        return null;
    }

    /** What the program has written at its end, when its image goes on in classes that nobody has used yet. */
    String goOnIn(ProgramUnderTest fresh) throws Exception {
        restoreIn(fresh);
        return fresh.goOn();
    }

    /** As {@link #goOnIn}, up to a later call, of which the ones before are counted; null if it was not captured there. */
    @Nullable
    Killed goOnTo(int call, ProgramUnderTest fresh) throws Exception {
        restoreIn(fresh);
        fresh.capture().onCut(state -> {
            throw new Killed(image(state));
        });
        Probe.captureAt = call;
        Probe.capture = fresh.capture();
        try {
            fresh.goOn();
        } catch (Killed e) {
            return e;
        }
        return null;
    }

    private void restoreIn(ProgramUnderTest fresh) throws IOException {
        ProgramStatics.reset();
        ProgramStatics.skipInitializers(List.of(initialized));
        GraphTransfer.restore(image, fresh);
        Probe.calls = calls;
    }

    private static byte[] image(Object state) {
        try {
            return GraphTransfer.image(state);
        } catch (IOException | UncapturableException e) {
            throw new IllegalStateException(e);
        }
    }
}
