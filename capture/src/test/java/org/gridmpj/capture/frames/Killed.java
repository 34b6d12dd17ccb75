package org.gridmpj.capture.frames;

import java.io.IOException;
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

    /** The image of a resumed program at a later call, of which the ones before are counted; null if it was not captured. */
    static @Nullable Killed goingOn(ProgramUnderTest program, int call) throws ReflectiveOperationException {
        program.capture().onCut(state -> {
            throw new Killed(image(state));
        });
        Probe.captureAt = call;
        Probe.capture = program.capture();
        try {
            program.goOn();
        } catch (Killed e) {
            return e;
        }
        return null;
    }

    private static byte[] image(Object state) {
        try {
            return GraphTransfer.image(state);
        } catch (IOException | UncapturableException e) {
            throw new IllegalStateException(e);
        }
    }
}
