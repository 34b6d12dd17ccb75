package org.gridmpj.runtime;

/**
 * Where MPI.Init gets its process from: {@link Bootstrap#start}, unless a test with many ranks in one JVM hands in
 * another.
 */
@FunctionalInterface
public interface ProcessSource {
    /**
     * MPI_Init: a process that is connected to all others, and the program's own arguments. Called again after
     * {@link MpiProcess#shutdown}.
     *
     * @param mainArguments what the program handed to Init, usually main's own
     */
    Bootstrap.Started start(String[] mainArguments);
}
