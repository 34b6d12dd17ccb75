package org.gridmpj.runtime;

import java.util.concurrent.atomic.AtomicReference;

/**
 * Where MPI.Init gets its process from: a rank that the launcher started, a start by hand, a process alone, or a test
 * with many ranks in one JVM.
 */
public interface ProcessSource {
    /**
     * MPI_Init: a process that is connected to all others. Called again after {@link MpiProcess#shutdown}.
     *
     * @param mainArguments what {@code main} was given, as the program passes it on
     */
    MpiProcess connect(String[] mainArguments);

    /** The program's own of what {@code main} was given. */
    String[] userArguments(String[] mainArguments);

    /** The source that facades of this JVM use unless they were handed one. */
    static ProcessSource installed() {
        ProcessSource source = Installed.SOURCE.get();
        if (source == null) {
            throw new IllegalStateException("no launcher has prepared this process");
        }
        return source;
    }

    /** Sets the source of this JVM, before the program's main runs. */
    static void install(ProcessSource source) {
        Installed.SOURCE.set(source);
    }

    /** Holder of the one of this JVM. */
    final class Installed {
        private static final AtomicReference<ProcessSource> SOURCE = new AtomicReference<>();

        private Installed() {}
    }
}
