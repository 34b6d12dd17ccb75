package org.gridmpj.capture.frames;

/** Where a captured program comes from when its job resumes; found by ServiceLoader. Module {@code checkpoint} has it. */
public interface ProgramResumption {
    /**
     * Called in the thread that is to run main, before any class of the program is initialised. A resumption connects the
     * engine, calls {@link ProgramStatics#skipInitializers}, reads the graph and hands it to {@link ProgramCapture#restore}.
     *
     * @return false if the job starts afresh: nothing has been touched
     */
    boolean resume(ProgramCapture capture);
}
